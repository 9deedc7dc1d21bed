/** Facts: found, looked at, corrected. */

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { css } from "../parts/css";
import { property, state } from "../parts/decorators";
import { mayChange } from "../context";
import { attentionOf, suggestedFacts, type Reason } from "../model/attention";
import {
  EVERYTHING,
  families,
  isFiltered,
  select,
  type Column,
  type FactQuery,
} from "../model/selection";
import { define, PanelElement } from "../parts/element";
import { menuFilter, ownerFilter, searchFilter, type Choice } from "../parts/filters";
import { icon } from "../parts/icons";
import { shared } from "../parts/styles";
import type { Fact } from "../protocol";
import { session } from "../session";
import "../facts/fact_details";
import "../facts/fact_table";
import { COLUMNS } from "../facts/columns";

const look = css`
  :host {
    display: flex;
    flex-direction: column;
    height: 100%;
    padding: 20px 20px 16px;
    gap: 12px;
  }
  :host([narrow]) {
    padding: 12px 12px 0;
  }
  .filters {
    margin: 0;
    align-items: center;
  }
  .search {
    position: relative;
    flex: 1 1 240px;
  }
  .search .icon {
    position: absolute;
    inset-inline-start: 12px;
    top: calc(50% - 11px);
    color: var(--quiet);
  }
  .search input {
    width: 100%;
    padding-inline-start: 42px;
    border-radius: 24px;
  }
  select {
    max-width: 180px;
  }
  .choices {
    display: contents;
  }
  :host([narrow]) .choices {
    display: flex;
    gap: 8px;
    width: 100%;
    margin: -4px;
    padding: 4px;
    overflow-x: auto;
    scrollbar-width: none;
  }
  :host([narrow]) .choices > * {
    flex: none;
  }
  :host([narrow]) .add {
    position: absolute;
    z-index: 2;
    inset-inline-end: 16px;
    bottom: 20px;
    min-height: 56px;
    padding-inline: 20px;
    border-radius: 28px;
    box-shadow: 0 3px 12px rgb(0 0 0 / 25%);
  }
  button.pressed {
    background: var(--tint-strong);
  }
  .count {
    min-height: 20px;
    color: var(--quiet);
    font-size: 13px;
  }
  .bulk {
    background: var(--tint);
    border-radius: var(--radius);
    padding: 4px 8px 4px 16px;
  }
  .bulk .grow {
    font-weight: 500;
  }
  .empty {
    margin: auto;
  }
  .example {
    font-size: 17px;
    color: var(--text) !important;
  }
  .empty .row {
    justify-content: center;
    margin-top: 20px;
  }
`;

export class FactsTab extends PanelElement {
  static override styles = [shared, look];

  @property() openId: number | null = null;
  @state() private factQuery = session.query;
  @state() private selected: ReadonlySet<number> = new Set();
  @state() private shown: readonly Fact[] = [];
  #attention: (fact: Fact) => Reason | null = () => null;
  #watched = 0;
  #selectedFor: unknown[] = [];

  protected override willUpdate(_changed: PropertyValues<this>): void {
    const { store, suggestions, hass } = this.context;
    const basis = [store, store.version, suggestions, this.factQuery, hass.language];
    if (basis.every((part, index) => part === this.#selectedFor[index])) return;
    this.#selectedFor = basis;
    const suggested = suggestedFacts(suggestions);
    const now = Date.now();
    this.#attention = (fact) => attentionOf(fact, suggested, now);
    this.#watched = store.all.filter((fact) => this.#attention(fact)).length;
    const wanted = (fact: Fact) => this.#attention(fact) !== null;
    this.shown = select(store.all, this.factQuery, wanted, hass.language);
    const gone = [...this.selected].some((id) => !store.get(id));
    if (gone) this.selected = new Set([...this.selected].filter((id) => store.get(id)));
  }

  protected override updated(): void {
    if (this.openId !== null && !this.context.store.get(this.openId)) this.#closeFact();
  }

  protected override render(): TemplateResult {
    const { context } = this;
    const fact = this.openId === null ? undefined : context.store.get(this.openId);
    return html`${this.#renderFilters()}
      ${this.selected.size ? this.#renderBulk() : this.#renderCount()}
      ${this.shown.length
        ? html`<caesar-fact-table
            .context=${context}
            .facts=${this.shown}
            .factQuery=${this.factQuery}
            .selected=${this.selected}
            .attention=${this.#attention}
            .onSort=${(sort: Column) => this.#sortBy(sort)}
            .onSelect=${(ids: ReadonlySet<number>) => (this.selected = ids)}
          ></caesar-fact-table>`
        : this.#renderEmpty()}
      ${fact
        ? html`<caesar-fact-details .context=${context} .fact=${fact}
            @closed=${this.#closeFact}></caesar-fact-details>`
        : nothing}
      ${session.draft?.factId === null ? this.#renderAdding() : nothing}`;
  }

  #renderFilters(): TemplateResult {
    return html`<div class="filters" role="search">
      <div class="search">
        ${icon("search")}
        ${searchFilter(this.t("facts.search"), this.factQuery.text, (text) => this.#ask({ text }))}
      </div>
      <div class="choices">${this.#renderChoices()}</div>
    </div>`;
  }

  #renderChoices(): TemplateResult {
    const { owner, family, attention, sort } = this.factQuery;
    const { context } = this;
    const own = context.opened || context.me.owner === "household";
    const known = families(context.store.all).map(
      ([name, size]): Choice => [name, `${name} (${context.format.number(size)})`],
    );
    const columns = COLUMNS.map(([column, name]): Choice => [column, this.t(`facts.column.${name}`)]);
    return html`${own
        ? nothing
        : ownerFilter(context, owner, (whose) => this.#ask({ owner: whose }), context.me.owner)}
      ${menuFilter(
        this.t("filter.family"),
        [["", this.t("filter.all_families")], ...known],
        family,
        (chosen) => this.#ask({ family: chosen }),
      )}
      ${this.narrow
        ? menuFilter(this.t("facts.sort"), columns, sort, (by) => this.#sortBy(by as Column))
        : nothing}
      <button
        class=${attention ? "pressed" : ""}
        aria-pressed=${attention}
        @click=${() => this.#ask({ attention: !attention })}
      >
        ${icon("alert")} ${this.t("filter.attention", { count: this.#watched })}
      </button>
      ${context.opened ? nothing : this.#renderAdd("add")}`;
  }

  #renderCount(): TemplateResult {
    const found = this.shown.length;
    const all = this.context.store.all.length;
    const count = found === all ? "facts.count" : "facts.count_of";
    return html`<div class="count" role="status">${this.t(count, { count: found, all })}</div>`;
  }

  #renderBulk(): TemplateResult {
    const { actions, me, opened } = this.context;
    const facts = this.context.store.all.filter(({ id }) => this.selected.has(id));
    const closed = !facts.every((fact) => mayChange(this.context, fact.owner));
    const movable = !opened && me.owner !== "household" && me.may_change_household;
    const done = (doing: Promise<void>) => void doing.then(() => (this.selected = new Set()));
    return html`<div class="bulk row" role="toolbar" aria-label=${this.t("facts.bulk")}>
      <span class="grow" role="status"
        >${this.t("facts.selected", { count: facts.length })}</span
      >
      <button class="plain" ?disabled=${closed} @click=${() => done(actions.pin(facts, true))}>
        ${icon("pin", true)} ${this.t("facts.pin")}
      </button>
      <button class="plain" ?disabled=${closed} @click=${() => done(actions.pin(facts, false))}>
        ${icon("pin")} ${this.t("facts.unpin")}
      </button>
      ${movable
        ? html`<button class="plain" @click=${() => done(actions.move(facts, "household"))}>
              ${icon("home")} ${this.t("facts.move_to_household")}
            </button>
            <button class="plain" @click=${() => done(actions.move(facts, "me"))}>
              ${icon("person")} ${this.t("facts.move_to_me")}
            </button>`
        : nothing}
      <button
        class="plain danger"
        ?disabled=${closed}
        @click=${() => done(actions.delete(facts))}
      >
        ${icon("delete")} ${this.t("facts.delete")}
      </button>
      <button
        class="square"
        aria-label=${this.t("facts.select_none")}
        @click=${() => (this.selected = new Set())}
      >
        ${icon("close")}
      </button>
    </div>`;
  }

  #renderEmpty(): TemplateResult {
    if (isFiltered(this.factQuery)) {
      return html`<div class="empty">
        ${icon("search")}
        <h2>${this.t("facts.none_found")}</h2>
        <div class="row">
          <button class="primary" @click=${() => this.#ask(EVERYTHING)}>
            ${this.t("filter.clear")}
          </button>
        </div>
      </div>`;
    }
    if (this.context.opened) return html`<div class="empty"><h2>${this.t("facts.none")}</h2></div>`;
    return html`<div class="empty">
      ${icon("bulb")}
      <h2>${this.t("facts.none")}</h2>
      <p>${this.t("facts.teach")}</p>
      <p class="example">${this.t("facts.teach_example")}</p>
      <p>${this.t("facts.teach_wait")}</p>
      <div class="row">${this.#renderAdd("")}</div>
    </div>`;
  }

  #renderAdd(look: string): TemplateResult {
    return html`<button class="primary ${look}" @click=${this.#add}>
      ${icon("add")} ${this.t("facts.add")}
    </button>`;
  }

  #renderAdding(): TemplateResult {
    return html`<caesar-dialog
      .context=${this.context}
      .heading=${this.t("facts.add_title")}
      @closed=${this.#endAdding}
    >
      <caesar-fact-form
        .context=${this.context}
        .draft=${session.draft}
        @done=${this.#endAdding}
      ></caesar-fact-form>
    </caesar-dialog>`;
  }

  #ask(asked: Partial<FactQuery>): void {
    this.factQuery = session.query = { ...this.factQuery, ...asked };
  }

  /** The same column again turns the order round. */
  #sortBy(sort: Column): void {
    const again = this.factQuery.sort === sort;
    const descending = again ? !this.factQuery.descending : sort.endsWith("_at");
    this.#ask({ sort, descending });
  }

  #add(): void {
    session.draft = { factId: null, revision: 0, key: "", value: "", owner: "me" };
    this.requestUpdate();
  }

  #endAdding(): void {
    session.draft = null;
    this.requestUpdate();
  }

  #closeFact(): void {
    session.draft = null;
    this.context.go({ tab: "facts", id: null });
  }
}

define("caesar-facts-tab", FactsTab);
