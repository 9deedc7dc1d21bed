/** Conversations: what was said and answered. */

import type { Moment, Named, Page } from "./common";

export interface Exchange {
  id: number;
  at: Moment;
  owner: Named;
  conversation_id: string | null;
  device: Named | null;
  area: Named | null;
  language: string | null;
  /** Secrets in it are masked. */
  user_text: string | null;
  /** Null where there was no answer. */
  assistant_text: string | null;
  /** A translation key of `exceptions` or a kind of error, where there was no answer. */
  error: string | null;
  provider: Named | null;
  model: string | null;
  /** Whether learning may use it, and whether it has yet. */
  learning: "read" | "waiting" | "set_aside" | "not_taught";
  /** Facts whose source it is. */
  fact_ids: number[];
  /** Facts that the answer could use. */
  told_fact_ids: number[];
  /** Where the quotes of those facts stand in `user_text`: [start, end), UTF-16. */
  quotes: [number, number][];
}
export interface ListExchanges extends Page {
  type: "caesar/exchanges/list";
  owner?: "me" | "household";
  area_id?: string;
  /** Words that must all stand in what was said or answered. */
  text?: string;
  since?: Moment;
  until?: Moment;
}
export interface ListExchangesResult {
  exchanges: Exchange[];
  next: number | null;
  /** All areas that occur, for the filter; on the first page only. */
  areas: Named[];
}
export interface DeleteExchange {
  type: "caesar/exchanges/delete";
  exchange_id: number;
  /** What becomes of `fact_ids`: kept without their quote, or deleted (which `restore` undoes). */
  facts: "keep" | "delete";
}
export interface DeleteExchangeResult {
  deleted_fact_ids: number[];
}
