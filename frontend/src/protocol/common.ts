/** What several areas share. */

import type { Fact } from "./facts";

/** `household`, `user:<user id>` or `person:<person id>`. */
export type OwnerId = string;
/** ISO 8601 with a time zone. */
export type Moment = string;

/** Something with an id that people know by a name; the name may be that of before. */
export interface Named {
  id: string;
  name: string;
}

/** What a person may do here; it changes with the options. */
export interface Me {
  /** Whose memory this account uses; "me" in requests. */
  owner: OwnerId;
  name: string;
  is_admin: boolean;
  may_change_household: boolean;
  /** An administrator in a house whose options let administrators open others' facts. */
  may_open_others: boolean;
  household_name: string;
  /** Administrators who opened this person's facts in the last 30 days, newest first. */
  openings: Opening[];
}

export interface Opening {
  event_id: number;
  at: Moment;
  by: Named;
}

/** The memory is not loaded, as while it reloads; all comes anew once it is. */
export interface Unavailable {
  type: "unavailable";
  /** Why this caller cannot have it any more, where it is that. */
  translation_key?: string;
}

export interface Page {
  /** `next` of the page before. */
  before?: number;
  /** 1 to 1,000; 50 where missing. */
  limit?: number;
}

export type ErrorCode =
  | "not_loaded"
  | "not_permitted"
  | "not_found"
  | "conflict"
  | "invalid"
  | "secret"
  | "failed";

/** What a command is rejected with. HA's own codes, as `invalid_format`, come as well. */
export interface CaesarError {
  code: ErrorCode | (string & {});
  /** In English; localize `component.caesar.exceptions.<translation_key>.message`. */
  message: string;
  translation_domain?: string;
  translation_key?: string;
  /** With `conflict`: the present fact. */
  data?: { fact: Fact };
}
