/** What every part of the panel is given. */

import type { Api } from "./api";
import type { FactActions } from "./fact_actions";
import type { Format } from "./format";
import type { Hass } from "./hass";
import type { FactStore } from "./model/store";
import type { Place } from "./model/route";
import type { CaesarError, Me, OwnerId, Suggestion } from "./protocol";

export interface Notice {
  text: string;
  /** Takes back what the notice tells of. */
  undo?: () => Promise<void>;
  isError?: boolean;
}

/** Replaced as a whole whenever something in it has changed. */
export interface Context {
  hass: Hass;
  api: Api;
  actions: FactActions;
  format: Format;
  narrow: boolean;
  online: boolean;
  me: Me;
  store: FactStore;
  suggestions: readonly Suggestion[];
  /** The other person whose facts are open, by an administrator. */
  opened: OwnerId | null;
  openFactsOf(owner: OwnerId | null): void;
  /** Counts up when pages and lists are out of date. */
  changes: number;
  text(key: string, values?: Record<string, unknown>): string;
  notify(notice: Notice): void;
  go(place: Place): void;
}

/** What went wrong, in a sentence. */
export function problem(context: Context, error: unknown): string {
  if (typeof error !== "object" || error === null) return context.text("error.offline");
  const { code, message, translation_key } = error as CaesarError;
  const known =
    translation_key &&
    context.hass.localize(`component.caesar.exceptions.${translation_key}.message`);
  return known || context.text(`error.${code}`) || message;
}

/** "You", "The household", or the name of somebody else. */
export function ownerName(context: Context, owner: OwnerId): string {
  if (owner === "household") return context.text("owner.household");
  return owner === context.me.owner ? context.text("owner.me") : context.text("owner.other");
}

export function mayChange(context: Context, owner: OwnerId): boolean {
  return owner !== "household" || context.me.may_change_household;
}
