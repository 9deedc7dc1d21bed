/** One fact: what it says, where it comes from, and what became of it. */

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { css } from "../parts/css";
import { property, state } from "../parts/decorators";
import { mayChange } from "../context";
import { isOver } from "../model/attention";
import { rangesOf } from "../model/quotes";
import { define, PanelElement } from "../parts/element";
import "../parts/dialog";
import { eventRow, eventStyle, leftAValue } from "../parts/event";
import { bubbles, circumstances, exchangeStyle } from "../parts/exchange";
import { icon } from "../parts/icons";
import { meter, meterStyle } from "../parts/meter";
import { shared } from "../parts/styles";
import type { Fact, FactSourceResult, MemoryEvent } from "../protocol";
import { draftOf, session, target } from "../session";
import "./fact_form";

const look = css`
  section {
    margin-top: 28px;
  }
  section > h3 {
    margin-bottom: 4px;
  }
  dl {
    display: grid;
    grid-template-columns: auto 1fr;
    gap: 6px 16px;
    margin: 16px 0;
    align-items: center;
  }
  dt {
    color: var(--quiet);
  }
  dd {
    margin: 0;
  }
  ul {
    list-style: none;
    margin: 0;
    padding: 0;
  }
`;

/** Fires `closed` when the person is done with it. */
export class FactDetails extends PanelElement {
  static override styles = [shared, meterStyle, exchangeStyle, eventStyle, look];

  @property() fact!: Fact;
  @state() private source: FactSourceResult | null = null;
  @state() private events: readonly MemoryEvent[] | null = null;
  @state() private revealed: string | null = null;
  #loaded = "";

  protected override willUpdate(_changed: PropertyValues<this>): void {
    const { id, revision } = this.fact;
    const isAnother = !this.#loaded.startsWith(`${id}/`);
    if (isAnother) {
      this.source = this.events = this.revealed = null;
    }
    const wanted = `${id}/${revision}/${this.context.changes}`;
    if (wanted === this.#loaded) return;
    this.#loaded = wanted;
    void this.#load(id);
  }

  async #load(fact_id: number): Promise<void> {
    const { api } = this.context;
    const asked = { fact_id };
    const [source, history] = await Promise.all([
      this.attempt(api.call("caesar/facts/source", asked)),
      this.attempt(api.call("caesar/facts/history", asked)),
    ]);
    this.source = source ?? this.source;
    this.events = history?.events ?? this.events ?? [];
  }

  protected override render(): TemplateResult {
    const { fact, context } = this;
    const draft = session.draft?.factId === fact.id ? session.draft : null;
    return html`<caesar-dialog side .heading=${fact.sentence} .context=${context}>
      ${this.#renderFacts()}
      ${draft
        ? html`<caesar-fact-form .context=${context} .draft=${draft}
            @done=${this.#endEditing}></caesar-fact-form>`
        : this.#renderButtons()}
      <section>
        <h3>${this.t("facts.source")}</h3>
        ${this.source ? this.#renderSource(this.source) : html`<div class="skeleton"></div>`}
      </section>
      <section>
        <h3>${this.t("facts.history")}</h3>
        ${this.events
          ? html`<ul>
              ${this.events.map((event) => this.#renderEvent(event))}
            </ul>`
          : html`<div class="skeleton"></div>`}
      </section>
    </caesar-dialog>`;
  }

  #renderFacts(): TemplateResult {
    const { fact, context } = this;
    const { format } = context;
    const household = fact.owner === "household";
    return html`<div class="row">
        <span class="chip"
          >${icon(household ? "home" : "person")}
          ${household ? this.t("owner.household") : this.#ownerName()}</span
        >
        ${fact.pinned ? html`<span class="chip">${icon("pin", true)} ${this.t("facts.pinned")}</span>` : nothing}
        ${isOver(fact, Date.now())
          ? html`<span class="chip warn">${this.t("facts.over")}</span>`
          : nothing}
      </div>
      <dl>
        <dt>${this.t("facts.column.key")}</dt>
        <dd class="mono bidi">${fact.key}</dd>
        <dt>${this.t("facts.column.value")}</dt>
        <dd class="bidi">${fact.secret ? this.#renderSecret() : fact.value}</dd>
        <dt>${this.t("facts.column.confidence")}</dt>
        <dd>${meter(context, fact.confidence)}</dd>
        <dt>${this.t("facts.column.first")}</dt>
        <dd>${format.full(fact.first_seen_at)}</dd>
        <dt>${this.t("facts.column.last")}</dt>
        <dd>${format.full(fact.last_confirmed_at)}</dd>
        ${fact.expires_at
          ? html`<dt>${this.t("facts.until")}</dt>
              <dd>${format.full(fact.expires_at)}</dd>`
          : nothing}
      </dl>`;
  }

  #ownerName(): string {
    return this.context.opened ? this.t("owner.other") : this.context.me.name;
  }

  #renderSecret(): TemplateResult {
    if (this.revealed !== null) return html`${this.revealed}`;
    return html`••••••
      <button class="plain" @click=${this.#reveal}>${icon("eye")} ${this.t("facts.reveal")}</button>
      <div class="quiet small">${this.t("facts.secret")}</div>`;
  }

  #renderButtons(): TemplateResult | typeof nothing {
    const { fact, context } = this;
    if (!mayChange(context, fact.owner)) {
      return html`<p class="quiet">${this.t("facts.admins_only")}</p>`;
    }
    const { actions } = context;
    const owner = target(fact.owner) === "me" ? "household" : "me";
    const movable = !context.opened && context.me.owner !== "household" &&
      context.me.may_change_household;
    return html`<div class="row">
      <button class="primary" @click=${this.#edit}>${icon("edit")} ${this.t("facts.edit")}</button>
      <button @click=${() => actions.pin([fact], !fact.pinned)}>
        ${icon("pin", fact.pinned)}
        ${this.t(fact.pinned ? "facts.unpin" : "facts.pin")}
      </button>
      ${movable
        ? html`<button @click=${() => actions.move([fact], owner)}>
            ${icon(owner === "me" ? "person" : "home")} ${this.t(`facts.move_to_${owner}`)}
          </button>`
        : nothing}
      <button class="danger" @click=${() => actions.delete([fact])}>
        ${icon("delete")} ${this.t("facts.delete")}
      </button>
    </div>`;
  }

  #renderSource({ state, exchange, quote }: FactSourceResult): TemplateResult {
    if (!exchange) {
      return html`<p class="quiet">${this.t(`facts.source_${state}`)}</p>
        ${quote ? html`<p class="bidi">${this.t("quoted", { quote })}</p>` : nothing}`;
    }
    return html`${circumstances(this.context, exchange)}
      ${bubbles(this.context, exchange, rangesOf(exchange.user_text ?? "", quote))}
      <button
        class="link"
        @click=${() => this.context.go({ tab: "conversations", id: exchange.id })}
      >
        ${this.t("facts.open_conversation")}
      </button>`;
  }

  #renderEvent(event: MemoryEvent): TemplateResult {
    const { fact, context } = this;
    const past = event.after && leftAValue(event) && event.after.value !== fact.value;
    const back =
      past && mayChange(context, fact.owner)
        ? html`<button class="plain" @click=${() => context.actions.revert(fact, event.id)}>
            ${icon("undo")} ${this.t("facts.back_to_this")}
          </button>`
        : nothing;
    return eventRow(context, event, back);
  }

  #edit(): void {
    session.draft = draftOf(this.fact);
    this.requestUpdate();
  }

  async #endEditing(): Promise<void> {
    this.requestUpdate();
    await this.updateComplete;
    this.renderRoot.querySelector("button")?.focus();
  }

  async #reveal(): Promise<void> {
    const asked = { fact_id: this.fact.id };
    const result = await this.attempt(this.context.api.call("caesar/facts/reveal", asked));
    this.revealed = result?.value ?? null;
  }
}

define("caesar-fact-details", FactDetails);
