/** What waits for a decision. */

import type { ErrorCode, Moment, OwnerId } from "./common";
import type { Fact } from "./facts";

export interface Suggestion {
  /** Of the event `memory.fact.suggested`. */
  id: number;
  at: Moment;
  owner: OwnerId;
  key: string;
  value: string;
  sentence: string;
  quote: string | null;
  confidence: number;
  /** A word: why it was not stored at once. */
  reason: string;
  /** The fact whose value it would replace. */
  fact: Fact | null;
  exchange_id: number | null;
}
export interface ListSuggestions {
  type: "caesar/suggestions/list";
  language?: string;
}
export interface ListSuggestionsResult {
  suggestions: Suggestion[];
}
export interface DecideSuggestions {
  type: "caesar/suggestions/accept" | "caesar/suggestions/reject";
  suggestion_ids: number[];
  language?: string;
}
export interface DecideSuggestionsResult {
  done: number[];
  /** What accepting stored. */
  facts: Fact[];
  failed: { suggestion_id: number; code: ErrorCode; translation_key: string }[];
}
