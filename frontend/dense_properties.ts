/** A step of the build: an element's plain properties as one list, and no decorators. */

import type { Plugin } from "vite";

const PLAIN = /@(?:property|state)\(\) ((?:private )?(\w+))/g;
const DEFINED = /^define\((".+"), (\w+)\);$/m;

export const denseProperties: Plugin = {
  name: "dense-properties",
  enforce: "pre",
  transform(code, id) {
    if (!/\/src\/.*\.ts$/.test(id) || !DEFINED.test(code)) return null;
    const names = [...code.matchAll(PLAIN)].map(([, , name]) => name).join(" ");
    const defined = code.replace(PLAIN, "$1").replace(DEFINED, `define($1, $2, "${names}");`);
    return { code: defined, map: null };
  },
};
