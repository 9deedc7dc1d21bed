/** Which facts are shown, in which order. */

import type { Fact } from "../protocol";

export type Column =
  | "sentence"
  | "key"
  | "value"
  | "confidence"
  | "first_seen_at"
  | "last_confirmed_at";

export interface FactQuery {
  text: string;
  /** An owner; empty for all. */
  owner: string;
  /** The first part of a key; empty for all. */
  family: string;
  attention: boolean;
  sort: Column;
  descending: boolean;
}

export const EVERYTHING: FactQuery = {
  text: "",
  owner: "",
  family: "",
  attention: false,
  sort: "last_confirmed_at",
  descending: true,
};

const folded = new WeakMap<Fact, string>();

/** Case and accents do not matter to somebody who searches. */
export function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/ß/g, "ss");
}

export function familyOf(key: string): string {
  return key.split(".", 1)[0] ?? key;
}

/** The families of the given facts with their sizes, in alphabetical order. */
export function families(facts: readonly Fact[]): [string, number][] {
  const sizes = new Map<string, number>();
  for (const fact of facts) {
    const family = familyOf(fact.key);
    sizes.set(family, (sizes.get(family) ?? 0) + 1);
  }
  return [...sizes].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The facts that a query asks for; each of its words must stand somewhere in the fact. */
export function select(
  facts: readonly Fact[],
  query: FactQuery,
  needsALook: (fact: Fact) => boolean,
  language: string,
): Fact[] {
  const words = fold(query.text).split(/\s+/).filter(Boolean);
  const found = facts.filter(
    (fact) =>
      (!query.owner || fact.owner === query.owner) &&
      (!query.family || familyOf(fact.key) === query.family) &&
      words.every((word) => textOf(fact).includes(word)) &&
      (!query.attention || needsALook(fact)),
  );
  return found.sort(order(query, language));
}

export function isFiltered(query: FactQuery): boolean {
  return Boolean(query.text.trim() || query.owner || query.family || query.attention);
}

function textOf(fact: Fact): string {
  let text = folded.get(fact);
  if (text === undefined) {
    text = fold([fact.sentence, fact.key, fact.value, fact.quote ?? ""].join("\n"));
    folded.set(fact, text);
  }
  return text;
}

function order({ sort, descending }: FactQuery, language: string) {
  const collator = new Intl.Collator(language, { numeric: true });
  const sign = descending ? -1 : 1;
  return (a: Fact, b: Fact): number => {
    const compared =
      sort === "confidence"
        ? a.confidence - b.confidence
        : sort.endsWith("_at")
          ? Number(a[sort] > b[sort]) - Number(a[sort] < b[sort])
          : collator.compare(a[sort], b[sort]);
    return sign * compared || b.id - a.id;
  };
}
