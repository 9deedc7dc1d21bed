import { expect, test } from "vitest";
import english from "../../custom_components/caesar/translations/en.json";

const sources = import.meta.glob<string>("../src/**/*.ts", {
  query: "?raw",
  import: "default",
  eager: true,
});
const code = Object.values(sources).join("\n");
const literals = new Set(code.match(/(?<=["`])[a-z_]+(\.[a-z_]+)*(?=["`])/g));
/** What stands before a part that is only known at run time, as `tab.` in `tab.${tab}`. */
const beginnings = [...code.matchAll(/`([a-z_.]+\.)\$\{/g)].map(([, beginning]) => beginning!);

function leaves(texts: object, path = ""): string[] {
  return Object.entries(texts).flatMap(([name, text]) =>
    typeof text === "string" ? [path + name] : leaves(text, `${path}${name}.`),
  );
}

const texts = leaves(english.config_panel);

test("every text that the panel asks for is there", () => {
  const asked = [...code.matchAll(/\b(?:t|text)\(\s*"([a-z_.]+)"/g)].map(([, key]) => key);
  expect(asked.length).toBeGreaterThan(100);
  expect(asked.filter((key) => !texts.includes(key!))).toEqual([]);
});

test("no text is there for nothing", () => {
  const useless = texts.filter((text) => {
    const key = text.replace(/_(zero|one|help)$/, "");
    const isAsked = literals.has(text) || literals.has(key);
    return !isAsked && !beginnings.some((beginning) => text.startsWith(beginning));
  });
  expect(useless).toEqual([]);
});
