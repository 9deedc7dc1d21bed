/** What waits for a decision. */

import type { ErrorCode, Moment, OwnerId } from "./common";
import type { Fact } from "./facts";

export interface Suggestion {
  /** Of the event `memory.fact.suggested`. */
  id: number;
  at: Moment;
  owner: OwnerId;
  operation: "add" | "replace" | "remove";
  key: string;
  /** Empty with `remove`. */
  value: string;
  /** In words; with `remove` those of the fact that would go. */
  sentence: string;
  quote: string | null;
  /** A word: why it was not stored at once. */
  reason: string;
  /** The fact that would be replaced or removed. */
  fact: Fact | null;
  expires_at: Moment | null;
  exchange_id: number | null;
}
export interface ListSuggestions {
  type: "caesar/suggestions/list";
}
export interface ListSuggestionsResult {
  suggestions: Suggestion[];
}
export interface DecideSuggestions {
  type: "caesar/suggestions/accept" | "caesar/suggestions/reject";
  suggestion_ids: number[];
  /**
   * With `accept`, whose facts they become. Where missing, what an unknown voice said of
   * itself becomes the caller's, and all else stays whose it is.
   */
  owner?: "me" | "household";
}
export interface DecideSuggestionsResult {
  done: number[];
  /** What accepting stored. */
  facts: Fact[];
  failed: { suggestion_id: number; code: ErrorCode; translation_key: string }[];
}
