/** One fact in the table, or as a card on a phone. */

import { html, nothing, type TemplateResult } from "lit";
import { mayChange, type Context } from "../context";
import { isOver, type Reason } from "../model/attention";
import { icon, type Icon } from "../parts/icons";
import { meter } from "../parts/meter";
import type { Fact } from "../protocol";
import type { Draft } from "../session";

/** What a row can ask its table to do. */
export interface RowActions {
  select(fact: Fact, selected: boolean): void;
  open(fact: Fact): void;
  edit(fact: Fact): void;
  type(value: string): void;
  save(fact: Fact): void;
  cancel(fact: Fact): void;
}

export interface RowState {
  index: number;
  selected: boolean;
  attention: Reason | null;
  draft: Draft | null;
}

export function factRow(
  context: Context,
  fact: Fact,
  state: RowState,
  actions: RowActions,
): TemplateResult {
  const over = isOver(fact, Date.now());
  return html`<div
    class="tr ${over ? "over" : ""} ${state.selected ? "selected" : ""}"
    role="row"
    aria-rowindex=${state.index + 2}
    data-id=${fact.id}
    @click=${(event: Event) => isBackground(event) && actions.open(fact)}
  >
    <div role="cell" class="check">
      <label class="target">
        <input
          type="checkbox"
          data-control="check"
          aria-label=${context.text("facts.select", { key: fact.key })}
          .checked=${state.selected}
          @change=${(event: Event) =>
            actions.select(fact, (event.target as HTMLInputElement).checked)}
        />
      </label>
    </div>
    <div role="cell" class="sentence">
      <button
        class="open bidi"
        data-control="open"
        title=${fact.sentence}
        @click=${() => actions.open(fact)}
      >
        ${fact.sentence}
      </button>
      ${remarks(context, fact, state.attention, over)}
    </div>
    <div role="cell" class="key mono bidi" title=${fact.key}>${fact.key}</div>
    ${state.draft
      ? editor(context, fact, state.draft, actions)
      : html`<div role="cell" class="value bidi" title=${fact.value}>
          ${fact.secret ? "••••••" : fact.value}
        </div>`}
    <div role="cell" class="confidence">${meter(context, fact.confidence)}</div>
    <div role="cell" class="first quiet" title=${context.format.full(fact.first_seen_at)}>
      ${context.format.ago(fact.first_seen_at)}
    </div>
    <div
      role="cell"
      class="last quiet"
      title=${context.format.full(fact.last_confirmed_at)}
    >
      ${context.format.ago(fact.last_confirmed_at)}
    </div>
    <div role="cell" class="actions">
      ${state.draft ? nothing : buttons(context, fact, actions)}
    </div>
  </div>`;
}

function remarks(
  context: Context,
  fact: Fact,
  attention: Reason | null,
  over: boolean,
): TemplateResult {
  const t = context.text;
  const remark = over ? t("facts.over") : attention && t(`facts.attention.${attention}`);
  return html`${fact.owner === "household"
    ? html`<span class="badge" role="img" title=${t("owner.household")}
        aria-label=${t("owner.household")}>${icon("home")}</span>`
    : nothing}
  ${remark
    ? html`<span class="badge amber" role="img" title=${remark} aria-label=${remark}
        >${icon("alert")}</span>`
    : nothing}`;
}

function buttons(context: Context, fact: Fact, actions: RowActions): TemplateResult[] {
  const { pinned } = fact;
  const closed = !mayChange(context, fact.owner);
  const told = fact.origin === "told";
  const pin = () => context.actions.pin([fact], !pinned);
  const remove = () => context.actions.delete([fact]);
  return [
    control("source", told ? "source" : "typed", told ? "quote" : "typed", actions.open),
    control("pin", pinned ? "unpin" : "pin", "pin", pin, closed),
    control("edit", "edit", "edit", actions.edit, closed),
    control("delete", "delete", "delete", remove, closed),
  ];

  function control(
    name: string,
    title: string,
    picture: Icon,
    act: (fact: Fact) => void,
    disabled = false,
  ): TemplateResult {
    const isPin = name === "pin";
    return html`<button
      class="square ${isPin && pinned ? "on" : ""}"
      data-control=${name}
      aria-label=${context.text(`facts.${name}_of`, { key: fact.key })}
      aria-pressed=${isPin ? pinned : nothing}
      title=${context.text(`facts.${title}`)}
      ?disabled=${disabled}
      @click=${() => act(fact)}
    >
      ${icon(picture, isPin && pinned)}
    </button>`;
  }
}

function editor(
  context: Context,
  fact: Fact,
  draft: Draft,
  actions: RowActions,
): TemplateResult {
  const onKey = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === "Enter") actions.save(fact);
    if (event.key === "Escape") actions.cancel(fact);
  };
  return html`<div role="cell" class="value editing">
    <input
      class="editor"
      dir="auto"
      maxlength="500"
      aria-label=${context.text("facts.value_of", { key: fact.key })}
      .value=${draft.value}
      @input=${(event: Event) => actions.type((event.target as HTMLInputElement).value)}
      @keydown=${onKey}
    />
    <button class="square" aria-label=${context.text("save")} @click=${() => actions.save(fact)}>
      ${icon("check")}
    </button>
    <button
      class="square"
      aria-label=${context.text("cancel")}
      @click=${() => actions.cancel(fact)}
    >
      ${icon("close")}
    </button>
  </div>`;
}

/** Whether a click meant the row, and not something in it. */
function isBackground(event: Event): boolean {
  return !(event.target as Element).closest("button, input, label");
}
