/** How facts and exchanges came about over time, as a small plot. */

import { html, nothing, type TemplateResult } from "lit";
import { css } from "../parts/css";
import { property, state } from "../parts/decorators";
import { bars, line } from "../model/plot";
import { define, PanelElement } from "../parts/element";
import { shared } from "../parts/styles";
import type { StatusHistoryResult } from "../protocol";

const WIDTH = 600;
const HEIGHT = 90;

const look = css`
  .plots {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(280px, 100%), 1fr));
    gap: 24px;
    margin-top: 12px;
  }
  .card {
    margin: 0;
  }
  svg.plot {
    display: block;
    width: 100%;
    height: ${HEIGHT}px;
    overflow: visible;
  }
  path {
    fill: none;
    stroke: var(--accent);
    stroke-width: 2;
    vector-effect: non-scaling-stroke;
  }
  .ends {
    display: flex;
    justify-content: space-between;
    margin-top: 6px;
  }
`;

type Days = StatusHistoryResult["days"];

export class Growth extends PanelElement {
  static override styles = [shared, look];

  /** Of the database; when it changes, the plot is out of date. */
  @property() facts = 0;
  @state() private days: Days | null = null;
  #loadedFor = "";

  protected override willUpdate(): void {
    const wanted = `${this.facts}/${this.context.changes}`;
    if (wanted === this.#loadedFor) return;
    this.#loadedFor = wanted;
    void this.#load();
  }

  async #load(): Promise<void> {
    const found = await this.attempt(this.context.api.call("caesar/status/history", {}));
    this.days = found?.days ?? this.days;
  }

  protected override render(): TemplateResult {
    const { days } = this;
    return html`<section class="card">
      <h2>${this.t("growth.title")}</h2>
      ${days?.length
        ? html`<div class="plots">
            ${this.#renderPlot("facts", days, days.at(-1)?.facts ?? 0, line)}
            ${this.#renderPlot("exchanges", days, total(days), bars)}
          </div>`
        : nothing}
    </section>`;
  }

  #renderPlot(
    name: "facts" | "exchanges",
    days: Days,
    count: number,
    plot: typeof line,
  ): TemplateResult {
    const { format } = this.context;
    const label = this.t(`growth.${name}`, { count, days: days.length });
    const path = plot(
      days.map((day) => day[name]),
      WIDTH,
      HEIGHT,
    );
    const ends = [days[0]!, days.at(-1)!].map(({ date }) => `${date}T12:00:00`);
    return html`<figure style="margin:0">
      <figcaption>${label}</figcaption>
      <svg
        class="plot"
        role="img"
        aria-label=${label}
        viewBox="0 0 ${WIDTH} ${HEIGHT}"
        preserveAspectRatio="none"
      >
        <path d=${path}></path>
      </svg>
      <div class="ends quiet small">
        ${ends.map((end) => html`<span>${format.date(end)}</span>`)}
      </div>
    </figure>`;
  }
}

function total(days: Days): number {
  return days.reduce((sum, day) => sum + day.exchanges, 0);
}

define("caesar-growth", Growth);
