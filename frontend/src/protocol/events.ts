/** History: every event of memory. */

import type { Moment, Named, OwnerId, Page } from "./common";

export type EventKind =
  | "memory.fact.added"
  | "memory.fact.confirmed"
  | "memory.fact.updated"
  | "memory.fact.removed"
  | "memory.fact.user_edited"
  | "memory.fact.user_deleted"
  | "memory.fact.restored"
  /** To another owner; told to both, to the old one without `after`. */
  | "memory.fact.handed_over"
  /** With all else of its owner, as when a person gets a login. */
  | "memory.fact.moved"
  | "memory.fact.suggested"
  | "memory.fact.rejected"
  | "memory.suggestion.accepted"
  | "memory.suggestion.rejected"
  /** The facts have changed so that it says nothing more. */
  | "memory.suggestion.settled"
  | "memory.extraction.answered"
  | "memory.extraction.set_aside"
  | "memory.extraction.retried"
  | "memory.extraction.dismissed"
  | "memory.remember.asked"
  | "memory.exchange.deleted"
  | "memory.facts.opened"
  | "memory.owner.moved"
  | "memory.owner.move_undone"
  | "memory.voice.mapped"
  | "memory.exported"
  | "memory.imported"
  | "memory.retention_sweep"
  | "memory.semantic.checked"
  | "memory.semantic.indexed";

/** What belongs together in the history. */
export type EventGroup =
  | "learned"
  | "changed"
  | "deleted"
  | "suggestions"
  | "refused"
  | "learning"
  | "people";

/** What an event tells of a fact before or after it; `value` is empty where `secret`. */
export interface FactState {
  owner: OwnerId;
  key: string;
  value: string;
  quote: string | null;
  pinned: boolean;
  origin: "told" | "edited";
  expires_at: Moment | null;
  revision: number;
  secret: boolean;
}
export interface MemoryEvent {
  id: number;
  at: Moment;
  /** One of EventKind; a later version may know more. */
  kind: EventKind | (string & {});
  owner: Named;
  /** Who did it, where that was not the owner. */
  actor: Named | null;
  fact_id: number | null;
  before: FactState | null;
  after: FactState | null;
  /** The person said in so many words that the old value was wrong. */
  correction: boolean;
  /** A word, as `edited_since`. */
  reason: string | null;
  exchange_id: number | null;
  /** Of a model's answer. */
  usage: { model: string; input_tokens: number; output_tokens: number } | null;
  /** With a fact that was handed over. */
  from: Named | null;
  to: Named | null;
  suggestion_id: number | null;
  /** Of a moved owner. */
  moved: { source: Named; facts: number; undone: boolean } | null;
  /** A satellite or account that was mapped to the owner, or is no longer. */
  voice: { name: string; mapped: boolean } | null;
}
export interface ListEvents extends Page {
  type: "caesar/events/list";
  kinds?: string[];
  /** Only events of these kinds; with `kinds`, those count. */
  group?: EventGroup;
  /** "me" or "household"; both where missing. */
  owner?: "me" | "household";
  /** Words that must stand in key or value. */
  text?: string;
  since?: Moment;
  until?: Moment;
}
export interface ListEventsResult {
  /** The newest first. */
  events: MemoryEvent[];
  /** `before` of the next page; null at the end. */
  next: number | null;
}
