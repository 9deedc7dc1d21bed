/** History: everything that happened to the memory. */

import { html, nothing, type TemplateResult } from "lit";
import { css } from "../parts/css";
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
import type { EventGroup, MemoryEvent } from "../protocol";

/** What a person may want to see alone. */
const GROUPS: readonly EventGroup[] = [
  "learned",
  "changed",
  "deleted",
  "suggestions",
  "refused",
  "learning",
  "people",
];

interface Filters extends ListFilters {
  group: "" | EventGroup;
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

  @state() private filters: Filters = { ...NO_FILTERS, group: "" };
  readonly #pages = new Pages<MemoryEvent>(this, async (page) => {
    const { group } = this.filters;
    const { events, next } = await this.context.api.call("caesar/events/list", {
      ...page,
      ...asked(this.filters),
      ...(group ? { group } : {}),
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
    const { text, owner, group } = this.filters;
    const known = GROUPS.map((name): Choice => [name, this.t(`history.${name}`)]);
    return html`<div class="filters" role="search">
      ${searchFilter(this.t("history.search"), text, (words) => this.#ask({ text: words }))}
      ${menuFilter(
        this.t("filter.kind"),
        [["", this.t("filter.all_kinds")], ...known],
        group,
        (chosen) => this.#ask({ group: chosen as Filters["group"] }),
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
