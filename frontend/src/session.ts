/**
 * What a person was doing. Home Assistant removes a panel whose tab is hidden for five
 * minutes; this outlives it.
 */

import type { Fact, OwnerId } from "./protocol";
import { EVERYTHING, type FactQuery } from "./model/selection";

/** A fact that is being edited or, without an id, added. */
export interface Draft {
  factId: number | null;
  /** The fact's, as it was when editing began. */
  revision: number;
  key: string;
  value: string;
  owner: "me" | "household";
  /** Why it could not be saved as it is. */
  problem?: { code: string; text: string; present: Fact | null };
}

export function draftOf(fact: Fact): Draft {
  const { id, revision, key, value, owner } = fact;
  return { factId: id, revision, key, value, owner: target(owner) };
}

/** "me" or "household", as requests name the owner of a fact. */
export function target(owner: OwnerId): "me" | "household" {
  return owner === "household" ? "household" : "me";
}

export const session: {
  query: FactQuery;
  scrollTop: number;
  draft: Draft | null;
  question: string;
} = { query: EVERYTHING, scrollTop: 0, draft: null, question: "" };
