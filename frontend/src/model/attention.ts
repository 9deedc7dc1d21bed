/** Which facts a person should look at, and why. */

import type { Fact, Suggestion } from "../protocol";

export type Reason = "suggestion" | "unsure" | "old";

/** What is below was learned with a doubt; see `confidence` of the checks after learning. */
export const UNSURE_BELOW = 0.6;
const YEAR = 365 * 86_400_000;

export function attentionOf(
  fact: Fact,
  suggested: ReadonlySet<number>,
  now: number,
): Reason | null {
  if (suggested.has(fact.id)) return "suggestion";
  if (fact.origin === "told" && fact.confidence < UNSURE_BELOW) return "unsure";
  return now - Date.parse(fact.last_confirmed_at) > YEAR ? "old" : null;
}

/** The facts that an undecided suggestion would change. */
export function suggestedFacts(suggestions: readonly Suggestion[]): Set<number> {
  return new Set(suggestions.flatMap((suggestion) => suggestion.fact?.id ?? []));
}

/** Whether a dated plan is over. */
export function isOver(fact: Fact, now: number): boolean {
  return fact.expires_at !== null && Date.parse(fact.expires_at) <= now;
}
