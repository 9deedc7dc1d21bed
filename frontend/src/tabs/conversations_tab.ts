/** Conversations: what was said and answered, and what it taught. */

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { css } from "../parts/css";
import { property, state } from "../parts/decorators";
import { repeat } from "lit/directives/repeat.js";
import { define, PanelElement } from "../parts/element";
import { bubbles, circumstances, exchangeStyle } from "../parts/exchange";
import {
  asked,
  dayFilters,
  menuFilter,
  NO_FILTERS,
  ownerFilter,
  searchFilter,
  type Choice,
  type ListFilters,
  type Whose,
} from "../parts/filters";
import { icon } from "../parts/icons";
import { pageEnd } from "../parts/page_end";
import { Pages } from "../parts/pages";
import { shared } from "../parts/styles";
import type { Exchange, Named } from "../protocol";
import "../parts/dialog";

interface Filters extends ListFilters {
  area: string;
}

const look = css`
  article.open {
    border-color: var(--accent);
    box-shadow: 0 0 0 1px var(--accent);
  }
  article .row {
    justify-content: space-between;
    flex-wrap: nowrap;
  }
  .taught {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    align-items: center;
  }
  .choices {
    display: flex;
    flex-direction: column;
    align-items: stretch;
    gap: 10px;
    margin-top: 16px;
  }
`;

export class ConversationsTab extends PanelElement {
  static override styles = [shared, exchangeStyle, look];

  @property() openId: number | null = null;
  @state() private filters: Filters = { ...NO_FILTERS, area: "" };
  @state() private deleting: Exchange | null = null;
  /** Nothing newer than this is shown; null for all. */
  @state() private newest: number | null = null;
  #areas: readonly Named[] = [];
  #reached: number | null = null;
  readonly #pages = new Pages<Exchange>(this, async (page) => {
    const { area } = this.filters;
    if (this.newest !== null) page = { before: this.newest + 1, ...page };
    const { exchanges, next, areas } = await this.context.api.call("caesar/exchanges/list", {
      ...page,
      ...asked(this.filters),
      ...(area ? { area_id: area } : {}),
    });
    if (areas.length) this.#areas = areas;
    return { items: exchanges, next };
  });

  protected override willUpdate(_changed: PropertyValues): void {
    this.#pages.show({ ...this.filters, newest: this.newest });
  }

  /** Come to the exchange that was asked for, and to those before it. */
  protected override updated(): void {
    const { openId } = this;
    const pages = this.#pages;
    if (openId === null || openId === this.#reached || !pages.items || pages.isLoading) return;
    const found = this.renderRoot.querySelector(`[data-id="${openId}"]`);
    if (!found && this.newest !== openId && (pages.items.at(-1)?.id ?? 0) > openId) {
      this.newest = openId;
      return;
    }
    this.#reached = openId;
    found?.scrollIntoView({ block: "center" });
    if (!found) this.context.notify({ text: this.t("conversations.gone"), isError: true });
  }

  protected override render(): TemplateResult {
    return html`<div class="page">
        ${this.#renderFilters()}
        ${this.newest === null
          ? nothing
          : html`<button @click=${() => (this.newest = null)}>
              ${icon("up")} ${this.t("conversations.newest")}
            </button>`}
        <div>
          ${repeat(
            this.#pages.items ?? [],
            (exchange) => exchange.id,
            (exchange) => this.#renderExchange(exchange),
          )}
        </div>
        ${pageEnd(this.context, this.#pages, "conversations.none")}
      </div>
      ${this.deleting ? this.#renderDeleting(this.deleting) : nothing}`;
  }

  #renderFilters(): TemplateResult {
    const { text, owner, area } = this.filters;
    const areas = this.#areas.map(({ id, name }): Choice => [id, name]);
    return html`<div class="filters" role="search">
      ${searchFilter(this.t("conversations.search"), text, (words) => this.#ask({ text: words }))}
      ${ownerFilter(this.context, owner, (whose) => this.#ask({ owner: whose as Whose }))}
      ${areas.length
        ? menuFilter(
            this.t("filter.area"),
            [["", this.t("filter.all_areas")], ...areas],
            area,
            (chosen) => this.#ask({ area: chosen }),
          )
        : nothing}
      ${dayFilters(this.context, this.filters, (days) => this.#ask(days))}
    </div>`;
  }

  #renderExchange(exchange: Exchange): TemplateResult {
    const { id, learning } = exchange;
    return html`<article class="card ${id === this.openId ? "open" : ""}" data-id=${id}>
      <div class="row">
        ${circumstances(this.context, exchange)}
        <button
          class="square"
          aria-label=${this.t("conversations.delete")}
          title=${this.t("conversations.delete")}
          @click=${() => (this.deleting = exchange)}
        >
          ${icon("delete")}
        </button>
      </div>
      ${bubbles(this.context, exchange)}
      ${learning === "read"
        ? nothing
        : html`<span class="chip ${learning === "set_aside" ? "warn" : ""}"
            >${this.t(`conversations.${learning}`)}</span
          >`}
      ${this.#renderTaught(exchange)}
    </article>`;
  }

  #renderTaught({ fact_ids }: Exchange): TemplateResult | typeof nothing {
    const { store, go } = this.context;
    const facts = fact_ids.flatMap((id) => store.get(id) ?? []);
    if (!facts.length) return nothing;
    return html`<div class="taught small">
      <span class="quiet">${this.t("conversations.taught")}</span>
      ${facts.map(
        (fact) => html`<button
          class="link bidi"
          @click=${() => go({ tab: "facts", id: fact.id })}
        >
          ${fact.sentence}
        </button>`,
      )}
    </div>`;
  }

  #renderDeleting(exchange: Exchange): TemplateResult {
    const count = exchange.fact_ids.length;
    return html`<caesar-dialog
      .context=${this.context}
      .heading=${this.t("conversations.delete_title")}
      @closed=${() => (this.deleting = null)}
    >
      <p>${this.t("conversations.delete_help", { count })}</p>
      <div class="choices">
        ${count
          ? html`<button class="danger" @click=${() => this.#delete(exchange, "delete")}>
              ${this.t("conversations.delete_facts", { count })}
            </button>`
          : nothing}
        <button class="danger" @click=${() => this.#delete(exchange, "keep")}>
          ${this.t(count ? "conversations.keep_facts" : "conversations.delete", { count })}
        </button>
        <button class="plain" @click=${() => (this.deleting = null)}>${this.t("cancel")}</button>
      </div>
    </caesar-dialog>`;
  }

  async #delete(exchange: Exchange, facts: "keep" | "delete"): Promise<void> {
    this.deleting = null;
    const { api, actions, notify } = this.context;
    const deleting = api.act("caesar/exchanges/delete", { exchange_id: exchange.id, facts });
    const result = await this.attempt(deleting);
    if (!result) return;
    const gone = result.deleted_fact_ids.map((fact_id) => ({ fact_id, revision: null }));
    notify({
      text: this.t("conversations.deleted", { count: gone.length }),
      ...(gone.length ? { undo: () => actions.restore(gone) } : {}),
    });
  }

  #ask(changed: Partial<Filters>): void {
    this.filters = { ...this.filters, ...changed };
  }
}

define("caesar-conversations-tab", ConversationsTab);
