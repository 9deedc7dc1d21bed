/** The columns of the table of facts: what they are sorted by, and their names. */

import type { Column } from "../model/selection";

export const COLUMNS: readonly [Column, string][] = [
  ["sentence", "sentence"],
  ["key", "key"],
  ["value", "value"],
  ["confidence", "confidence"],
  ["first_seen_at", "first"],
  ["last_confirmed_at", "last"],
];
