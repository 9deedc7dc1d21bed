/** History: everything that happened to the memory. */

import { css, html, nothing, type TemplateResult } from "lit";
import { state } from "../parts/decorators";
import { define, PanelElement } from "../parts/element";
import { eventRow, eventStyle } from "../parts/event";
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
import type { MemoryEvent } from "../protocol";

/** What a person may want to see alone, and the kinds of events that it is. */
const KINDS: Record<string, string[]> = {
  learned: ["memory.fact.added", "memory.fact.confirmed", "memory.fact.updated"],
  changed: [
    "memory.fact.user_edited",
    "memory.fact.moved",
    "memory.fact.handed_over",
    "memory.fact.restored",
  ],
  deleted: ["memory.fact.user_deleted", "memory.fact.removed", "memory.exchange.deleted"],
  suggestions: [
    "memory.fact.suggested",
    "memory.suggestion.accepted",
    "memory.suggestion.rejected",
    "memory.suggestion.settled",
  ],
  refused: ["memory.fact.rejected"],
  learning: [
    "memory.extraction.answered",
    "memory.extraction.set_aside",
    "memory.extraction.retried",
    "memory.extraction.dismissed",
    "memory.remember.asked",
  ],
  people: [
    "memory.facts.opened",
    "memory.owner.moved",
    "memory.owner.move_undone",
    "memory.voice.mapped",
  ],
};

interface Filters extends ListFilters {
  kinds: string;
}

const look = css`
  ul {
    list-style: none;
    margin: 0;
    padding: 0;
  }
  h2 {
    margin: 16px 0 4px;
    color: var(--quiet);
    font-weight: 400;
    font-size: 13px;
  }
  .card {
    padding-block: 4px;
  }
`;

export class HistoryTab extends PanelElement {
  static override styles = [shared, eventStyle, look];

  @state() private filters: Filters = { ...NO_FILTERS, kinds: "" };
  readonly #pages = new Pages<MemoryEvent>(this, async (page) => {
    const kinds = KINDS[this.filters.kinds];
    const { events, next } = await this.context.api.call("caesar/events/list", {
      ...page,
      ...asked(this.filters),
      ...(kinds ? { kinds } : {}),
    });
    return { items: events, next };
  });

  protected override willUpdate(): void {
    this.#pages.show(this.filters);
  }

  protected override render(): TemplateResult {
    return html`<div class="page">
      ${this.#renderFilters()}
      <div>${this.#days().map(([day, events]) => this.#renderDay(day, events))}</div>
      ${pageEnd(this.context, this.#pages, "history.none")}
    </div>`;
  }

  #renderFilters(): TemplateResult {
    const { text, owner, kinds } = this.filters;
    const known = Object.keys(KINDS).map((name): Choice => [name, this.t(`history.${name}`)]);
    return html`<div class="filters" role="search">
      ${searchFilter(this.t("history.search"), text, (words) => this.#ask({ text: words }))}
      ${menuFilter(
        this.t("filter.kind"),
        [["", this.t("filter.all_kinds")], ...known],
        kinds,
        (chosen) => this.#ask({ kinds: chosen }),
      )}
      ${ownerFilter(this.context, owner, (whose) => this.#ask({ owner: whose as Whose }))}
      ${dayFilters(this.context, this.filters, (days) => this.#ask(days))}
    </div>`;
  }

  #days(): [string, MemoryEvent[]][] {
    const days = new Map<string, MemoryEvent[]>();
    for (const event of this.#pages.items ?? []) {
      const day = this.context.format.day(event.at);
      const events = days.get(day) ?? [];
      days.set(day, [...events, event]);
    }
    return [...days];
  }

  #renderDay(day: string, events: readonly MemoryEvent[]): TemplateResult {
    const [first] = events;
    return html`<h2>${first ? this.context.format.ago(first.at) : day}</h2>
      <ul class="card">
        ${events.map((event) => eventRow(this.context, event, this.#renderMore(event)))}
      </ul>`;
  }

  #renderMore({ fact_id, kind }: MemoryEvent): TemplateResult | typeof nothing {
    const { store, actions, go } = this.context;
    if (fact_id === null) return nothing;
    if (store.get(fact_id)) {
      return html`<button class="link" @click=${() => go({ tab: "facts", id: fact_id })}>
        ${this.t("history.open_fact")}
      </button>`;
    }
    if (!/user_deleted|removed/.test(kind)) return nothing;
    const gone = [{ fact_id, revision: null }];
    return html`<button class="plain" @click=${() => actions.restore(gone)}>
      ${icon("undo")} ${this.t("history.bring_back")}
    </button>`;
  }

  #ask(changed: Partial<Filters>): void {
    this.filters = { ...this.filters, ...changed };
  }
}

define("caesar-history-tab", HistoryTab);
