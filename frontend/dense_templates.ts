/** A step of the build: whitespace in Lit's templates that no browser would show. */

import type { Plugin } from "vite";

const STYLES = /\bcss`[^`]*`/g;
const LINE_BREAKS = /\n\s*/g;
/** Before the end of an element, and before one that begins a line of its own. */
const UNSEEN = /\n\s*(?=<\/|<(?:article|dd|div|dl|dt|h2|h3|header|label|li|main|p|section|ul)\b)/g;

export const denseTemplates: Plugin = {
  name: "dense-templates",
  enforce: "pre",
  transform(code, id) {
    if (!/\/src\/.*\.ts$/.test(id)) return null;
    return { code: code.replace(STYLES, dense).replace(LINE_BREAKS, "\n"), map: null };
  },
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      // After minifying, all line breaks that are left are in templates.
      if (file.type === "chunk") {
        file.code = file.code.replace(UNSEEN, "").replace(LINE_BREAKS, " ").trim();
      }
    }
  },
};

function dense(styles: string): string {
  return styles
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,>]|(?<=[\w-]):) ?/g, "$1")
    .replaceAll(";}", "}");
}
