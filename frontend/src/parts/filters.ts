/** What narrows down a list: words, an owner, days. */

import { html, type TemplateResult } from "lit";
import type { Context } from "../context";
import { inputText } from "./element";

export type Whose = "" | "me" | "household";
/** Days as a date input gives them; empty for no limit. */
export interface Days {
  since: string;
  until: string;
}
export interface ListFilters extends Days {
  text: string;
  owner: Whose;
}

export const NO_FILTERS: ListFilters = { text: "", owner: "", since: "", until: "" };

/** A choice in a menu: its value, and its words. */
export type Choice = readonly [string, string];

export function searchFilter(
  label: string,
  text: string,
  change: (text: string) => void,
): TemplateResult {
  return html`<input
    type="search"
    aria-label=${label}
    placeholder=${label}
    .value=${text}
    @input=${(event: Event) => change(inputText(event))}
  />`;
}

export function menuFilter(
  label: string,
  choices: readonly Choice[],
  chosen: string,
  change: (value: string) => void,
): TemplateResult {
  return html`<select
    aria-label=${label}
    @change=${(event: Event) => change(inputText(event))}
  >
    ${choices.map(
      ([value, words]) =>
        html`<option value=${value} ?selected=${value === chosen}>${words}</option>`,
    )}
  </select>`;
}

export function ownerFilter(
  { text }: Context,
  chosen: string,
  change: (owner: string) => void,
  me = "me",
): TemplateResult {
  const choices: Choice[] = [
    ["", text("filter.all_owners")],
    [me, text("owner.me")],
    ["household", text("owner.household")],
  ];
  return menuFilter(text("filter.owner"), choices, chosen, change);
}

export function dayFilters(
  { text }: Context,
  days: Days,
  change: (changed: Partial<Days>) => void,
): TemplateResult[] {
  return (["since", "until"] as const).map((end) => {
    const label = text(`filter.${end}`);
    return html`<input
      type="date"
      aria-label=${label}
      title=${label}
      .value=${days[end]}
      @change=${(event: Event) => change({ [end]: inputText(event) })}
    />`;
  });
}

/** The filters as a request has them; days are those of this browser's calendar. */
export function asked({ text, owner, since, until }: ListFilters) {
  return {
    ...(text.trim() ? { text } : {}),
    ...(owner ? { owner } : {}),
    ...(since ? { since: new Date(`${since}T00:00:00`).toISOString() } : {}),
    ...(until ? { until: new Date(`${until}T23:59:59.999`).toISOString() } : {}),
  };
}
