/** Facts: what the panel is about. */

import type { Moment, OwnerId, Me, Unavailable, ErrorCode } from "./common";
import type { Exchange } from "./exchanges";
import type { MemoryEvent } from "./events";

export interface Fact {
  id: number;
  owner: OwnerId;
  key: string;
  /** Empty where `secret`. */
  value: string;
  /** Worded in the language that was asked for; the value is masked where `secret`. */
  sentence: string;
  /** 0 to 1. */
  confidence: number;
  first_seen_at: Moment;
  last_confirmed_at: Moment;
  /** The exchange that taught it; null where it was typed or the exchange is gone. */
  source: number | null;
  /** The person's own sentence. */
  quote: string | null;
  origin: "told" | "edited";
  pinned: boolean;
  /** Of the value, as in `de`. */
  language: string | null;
  /** A dated plan: over, and told to nobody, from then on. */
  expires_at: Moment | null;
  revision: number;
  /** A secret that a person typed in spite of the warning: never told, shown by `reveal`. */
  secret: boolean;
}

/** A fact as the caller saw it; `revision` null means: however it is by now. */
export interface SeenFact {
  fact_id: number;
  revision: number | null;
}

export interface SubscribeFacts {
  type: "caesar/facts/subscribe";
  /** Of the sentences; the house's where missing. */
  /** Another person's facts alone: `me.may_open_others` only, and audited. */
  owner?: OwnerId;
}
export type FactsEvent =
  | { type: "snapshot"; rev: number; me: Me; facts: Fact[] }
  /** `rev` is one more than that of the event before. */
  | { type: "changed"; rev: number; put: Fact[]; del: number[] }
  | Unavailable;


export interface AddFact {
  type: "caesar/facts/add";
  owner: "me" | OwnerId;
  key: string;
  value: string;
  /** The person was warned (error `secret`) and wants it kept. */
  keep_secret?: boolean;
}
export interface EditFact {
  type: "caesar/facts/edit";
  fact_id: number;
  revision: number;
  key?: string;
  value?: string;
  keep_secret?: boolean;
}
/** Put the value in again that the fact had after an event of its history. */
export interface RevertFact {
  type: "caesar/facts/revert";
  fact_id: number;
  revision: number;
  event_id: number;
}
export interface FactResult {
  fact: Fact;
}

export interface PinFacts {
  type: "caesar/facts/pin";
  facts: SeenFact[];
  pinned: boolean;
}
export interface MoveFacts {
  type: "caesar/facts/move";
  facts: SeenFact[];
  owner: "me" | "household";
}
export interface DeleteFacts {
  type: "caesar/facts/delete";
  facts: SeenFact[];
}
/**
 * Undo the last edit, move, update or deletion of each. `revision` is the one that the
 * undone change left behind, or null: whatever the last change was.
 */
export interface RestoreFacts {
  type: "caesar/facts/restore";
  facts: SeenFact[];
}
/** Each fact is done or failed by itself; all that is done is one transaction. */
export interface FactsResult {
  /** As they are now; empty for `delete`. */
  facts: Fact[];
  /** The ids of all that was done. */
  done: number[];
  failed: FailedFact[];
}
export interface FailedFact {
  fact_id: number;
  code: ErrorCode;
  translation_key: string;
  /** The present state after a conflict. */
  fact: Fact | null;
}

export interface RevealFact {
  type: "caesar/facts/reveal";
  fact_id: number;
}
export interface RevealResult {
  value: string;
  quote: string | null;
}

export interface FactSource {
  type: "caesar/facts/source";
  fact_id: number;
}
export interface FactSourceResult {
  /** `typed`: nobody said it; `gone`: the exchange was deleted; `closed`: not the caller's. */
  state: "exchange" | "typed" | "gone" | "closed";
  exchange: Exchange | null;
  quote: string | null;
}

export interface FactHistory {
  type: "caesar/facts/history";
  fact_id: number;
}
export interface FactHistoryResult {
  /** The newest first. */
  events: MemoryEvent[];
}
