/** People, rooms, and whose words are whose. */

import type { Me, Moment, Named, OwnerId } from "./common";
import type { Fact } from "./facts";

export interface Person {
  id: OwnerId;
  name: string;
  kind: "household" | "user" | "person" | "unknown";
  is_me: boolean;
  /** Null where the caller may not know. */
  facts: number | null;
  exchanges: number | null;
  may_open: boolean;
}
export interface Satellite {
  /** For `map_satellite`. */
  id: string;
  entity_id: string;
  name: string;
  area: Named | null;
  /** The mapping; null where nobody chose one. */
  owner: OwnerId | null;
  /** Whose words land here, by whatever rule. */
  landing: Landing;
}
export interface Account {
  user_id: string;
  name: string;
  is_admin: boolean;
  owner: OwnerId | null;
  landing: Landing;
}
export interface Landing {
  owner: Named;
  rule:
    | "account"
    | "account_mapped"
    | "satellite_mapped"
    | "one_person"
    | "unknown_voice"
    | "nobody";
  /** The rule in a sentence. */
  reason: string;
  teaches: boolean;
  area: Named | null;
}
export interface ListPeople {
  type: "caesar/people/list";
}
export interface ListPeopleResult {
  me: Me;
  /** Who am I here: where this account's words land. */
  landing: Landing;
  people: Person[];
  satellites: Satellite[];
  /** All for administrators, else the caller's own. */
  accounts: Account[];
  /** All unknown voices are this person's. */
  one_person: OwnerId | null;
  /** The last moves that the caller could undo, the newest first. */
  moves: UndoableMove[];
}
export interface UndoableMove {
  /** For `undo_move`. */
  event_id: number;
  at: Moment;
  source: Named;
  target: Named;
  facts: number;
}
export interface MapSatellite {
  type: "caesar/people/map_satellite";
  satellite: string;
  owner: OwnerId | null;
}
export interface MapAccount {
  type: "caesar/people/map_account";
  user_id: string;
  owner: OwnerId | null;
}
export interface MapResult {
  owner: OwnerId | null;
}

export interface PreviewMove {
  type: "caesar/people/preview_move";
  source: OwnerId;
  target: OwnerId;
}
export interface PreviewMoveResult {
  facts: number;
  exchanges: number;
  /** Facts that both know: kept once. */
  merged: number;
  /** Facts that get another key, since theirs is taken. */
  renamed: number;
  /** Texts of the above, where the caller may see them; else empty. */
  merged_facts: Fact[];
  renamed_facts: { fact: Fact; key: string }[];
}
export interface MoveMemory {
  type: "caesar/people/move";
  source: OwnerId;
  target: OwnerId;
}
export interface MoveMemoryResult {
  /** For `undo_move`; null where there was nothing to move. */
  event_id: number | null;
  facts: number;
}
export interface UndoMove {
  type: "caesar/people/undo_move";
  event_id: number;
}
export interface UndoMoveResult {
  facts: number;
}
