/** A table of any number of facts, of which only what is seen is in the page. */

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "../parts/decorators";
import { repeat } from "lit/directives/repeat.js";
import type { Reason } from "../model/attention";
import { visibleRows } from "../model/rows";
import type { Column, FactQuery } from "../model/selection";
import { define, PanelElement } from "../parts/element";
import { icon } from "../parts/icons";
import { meterStyle } from "../parts/meter";
import { shared } from "../parts/styles";
import type { Fact } from "../protocol";
import { draftOf, session } from "../session";
import { COLUMNS } from "./columns";
import { factRow, type RowActions } from "./fact_row";
import { CARD_HEIGHT, ROW_HEIGHT, tableStyles } from "./table_styles";

export class FactTable extends PanelElement {
  static override styles = [shared, meterStyle, tableStyles];

  @property() facts: readonly Fact[] = [];
  @property() factQuery!: FactQuery;
  @property() selected: ReadonlySet<number> = new Set();
  @property() attention!: (fact: Fact) => Reason | null;
  @property() onSort!: (sort: Column) => void;
  @property() onSelect!: (ids: ReadonlySet<number>) => void;

  @state() private scrolled = session.scrollTop;
  @state() private height = 800;
  get #scroller(): HTMLElement {
    return this.renderRoot.querySelector(".scroller")!;
  }
  #hadFocus = false;
  readonly #resized = new ResizeObserver(() => {
    this.height = this.#scroller.clientHeight;
  });

  readonly #actions: RowActions = {
    select: (fact, chosen) => {
      const ids = new Set(this.selected);
      if (chosen) ids.add(fact.id);
      else ids.delete(fact.id);
      this.onSelect(ids);
    },
    open: (fact) => this.context.go({ tab: "facts", id: fact.id }),
    edit: (fact) => this.#beginEditing(fact),
    type: (value) => {
      if (session.draft) session.draft = { ...session.draft, value };
    },
    save: (fact) => this.#save(fact),
    cancel: (fact) => this.#endEditing(fact),
  };

  get #rowHeight(): number {
    return this.narrow ? CARD_HEIGHT : ROW_HEIGHT;
  }

  protected override firstUpdated(): void {
    this.#resized.observe(this.#scroller);
    this.#scroller.scrollTop = this.scrolled;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resized.disconnect();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.#resized.observe(this.#scroller);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    this.#hadFocus = this.renderRoot instanceof ShadowRoot && !!this.renderRoot.activeElement;
    if (changed.get("factQuery") && this.#scroller) {
      this.#scroller.scrollTop = this.scrolled = 0;
    }
  }

  protected override updated(): void {
    // A row with the focus may have left the page; the keys still have to scroll.
    const root = this.renderRoot as ShadowRoot;
    if (this.#hadFocus && !root.activeElement) this.#scroller.focus({ preventScroll: true });
  }

  protected override render(): TemplateResult {
    return html`<div
      class="frame"
      role="table"
      aria-label=${this.t("tab.facts")}
      aria-rowcount=${this.facts.length + 1}
    >
      ${this.narrow ? nothing : this.#renderHead()}
      <div
        class="scroller"
        role="rowgroup"
        tabindex="0"
        aria-label=${this.t("tab.facts")}
        @scroll=${this.#onScroll}
        @keydown=${this.#onKey}
      >
        ${this.#renderRows()}
      </div>
    </div>`;
  }

  #renderHead(): TemplateResult {
    const all = this.facts.length > 0 && this.facts.every(({ id }) => this.selected.has(id));
    return html`<div class="head" role="rowgroup">
      <div class="tr" role="row" aria-rowindex="1">
        <div role="columnheader" class="check">
          <label class="target">
            <input
              type="checkbox"
              aria-label=${this.t("facts.select_all")}
              .checked=${all}
              @change=${() =>
                this.onSelect(new Set(all ? [] : this.facts.map(({ id }) => id)))}
            />
          </label>
        </div>
        ${COLUMNS.map(([column, name]) => this.#renderColumn(column, name))}
        <div role="columnheader"><span class="hidden">${this.t("actions")}</span></div>
      </div>
    </div>`;
  }

  #renderColumn(column: Column, name: string): TemplateResult {
    const { sort, descending } = this.factQuery;
    const sorted = sort === column;
    const direction = descending ? "descending" : "ascending";
    return html`<div
      role="columnheader"
      class=${name}
      aria-sort=${sorted ? direction : "none"}
    >
      <button class=${sorted ? "on" : ""} @click=${() => this.onSort(column)}>
        ${this.t(`facts.column.${name}`)}
        ${sorted ? icon(descending ? "down" : "up") : nothing}
      </button>
    </div>`;
  }

  #renderRows(): TemplateResult {
    const { first, end } = visibleRows(
      this.facts.length,
      this.#rowHeight,
      this.scrolled,
      this.height,
    );
    return html`<div
      class="space"
      role="presentation"
      style="height:${this.facts.length * this.#rowHeight}px"
    >
      <div
        class="window"
        role="presentation"
        style="transform:translateY(${first * this.#rowHeight}px)"
      >
        ${repeat(
          this.facts.slice(first, end),
          (fact) => fact.id,
          (fact, index) =>
            factRow(this.context, fact, this.#rowState(fact, first + index), this.#actions),
        )}
      </div>
    </div>`;
  }

  #rowState(fact: Fact, index: number) {
    const { draft } = session;
    return {
      index,
      selected: this.selected.has(fact.id),
      attention: this.attention(fact),
      draft: draft?.factId === fact.id && !draft.problem ? draft : null,
    };
  }

  #onScroll(): void {
    this.scrolled = session.scrollTop = this.#scroller.scrollTop;
  }

  /** The arrows go to the same control of the row above or below. */
  #onKey(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const control = (event.target as HTMLElement).dataset?.control;
    const row = (event.target as HTMLElement).closest<HTMLElement>(".tr");
    if (!step || !control || !row) return;
    event.preventDefault();
    const index = this.facts.findIndex((fact) => fact.id === Number(row.dataset.id)) + step;
    const next = this.facts[index];
    if (next) void this.#focusControl(next, index, control);
  }

  async #focusControl(fact: Fact, index: number, control: string): Promise<void> {
    const top = index * this.#rowHeight;
    const { scrollTop, clientHeight } = this.#scroller;
    if (top < scrollTop) this.#scroller.scrollTop = top;
    else if (top + this.#rowHeight > scrollTop + clientHeight)
      this.#scroller.scrollTop = top + this.#rowHeight - clientHeight;
    this.#onScroll();
    await this.updateComplete;
    this.#find(fact.id, `[data-control=${control}]`)?.focus();
  }

  #find(id: number, selector: string): HTMLElement | null {
    return this.renderRoot.querySelector(`.tr[data-id="${id}"] ${selector}`);
  }

  async #beginEditing(fact: Fact): Promise<void> {
    if (fact.secret) {
      this.context.go({ tab: "facts", id: fact.id });
      return;
    }
    session.draft = draftOf(fact);
    this.requestUpdate();
    await this.updateComplete;
    const editor = this.#find(fact.id, ".editor") as HTMLInputElement | null;
    editor?.focus();
    editor?.select();
  }

  async #endEditing(fact: Fact): Promise<void> {
    session.draft = null;
    this.requestUpdate();
    await this.updateComplete;
    this.#find(fact.id, "[data-control=edit]")?.focus();
  }

  async #save(fact: Fact): Promise<void> {
    const { draft } = session;
    const value = draft?.value.trim();
    if (!draft || !value || value === fact.value) return this.#endEditing(fact);
    const { revision } = draft;
    const saved = await this.context.actions.edit({ fact_id: fact.id, revision, value });
    if ("fact" in saved) return this.#endEditing(fact);
    // The open fact has room to say what is wrong, and to decide.
    // Saving once more replaces what somebody else wrote.
    const seen = saved.present?.revision ?? revision;
    session.draft = { ...draft, value, revision: seen, problem: saved };
    this.context.go({ tab: "facts", id: fact.id });
  }
}

define("caesar-fact-table", FactTable);
