/** What the agent sees: the very text that the next turn's model is told. */

import { html, nothing, type TemplateResult } from "lit";
import { css } from "../parts/css";
import { define, inputText, PanelElement } from "../parts/element";
import { icon } from "../parts/icons";
import { shared } from "../parts/styles";
import { Latest } from "../parts/subscription";
import type { SectionEvent } from "../protocol";
import { session } from "../session";

const PAUSE_MS = 300;

const look = css`
  pre {
    margin: 0;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    unicode-bidi: plaintext;
    line-height: 22px;
  }
  .sizes {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(200px, 1fr));
    gap: 16px 32px;
    margin-top: 16px;
  }
  .sizes .bar {
    margin-top: 6px;
  }
  .field {
    margin-bottom: 16px;
  }
`;

export class SectionTab extends PanelElement {
  static override styles = [shared, look];

  #pause = 0;
  readonly #section = new Latest<SectionEvent>(this, (listener) => {
    const asked = { text: session.question };
    return this.context.api.subscribe("caesar/section/subscribe", asked, listener);
  });

  protected override render(): TemplateResult {
    const { event, failed } = this.#section;
    return html`<div class="page">
      <div class="card">
        <h2>${this.t("section.title")}</h2>
        <p class="quiet">${this.t("section.help")}</p>
        ${event ? this.#renderSizes(event) : nothing}
      </div>
      <label class="field"
        >${this.t("section.question")}
        <input
          type="search"
          dir="auto"
          placeholder=${this.t("section.example")}
          .value=${session.question}
          @input=${this.#ask}
        />
      </label>
      ${failed ? html`<p class="problem" role="alert">${failed}</p>` : nothing}
      ${event ? this.#renderText(event) : html`<div class="skeleton"></div>`}
    </div>`;
  }

  #renderSizes(event: Extract<SectionEvent, { type: "section" }>): TemplateResult {
    const { fact_ids, max_facts, characters, max_characters, facts_total } = event;
    return html`<div class="sizes">
        ${this.#renderSize("section.facts", fact_ids.length, max_facts)}
        ${this.#renderSize("section.characters", characters, max_characters)}
      </div>
      ${facts_total > fact_ids.length
        ? html`<p class="quiet">
            ${this.t("section.chosen", { count: fact_ids.length, all: facts_total })}
          </p>`
        : nothing}`;
  }

  #renderSize(name: string, used: number, most: number): TemplateResult {
    const { format } = this.context;
    const share = most ? Math.min(used / most, 1) : 0;
    const label = this.t(name);
    return html`<div>
      <div class="row">
        <span class="grow">${label}</span>
        <span class="quiet">${format.number(used)} / ${format.number(most)}</span>
      </div>
      <div
        class="bar"
        role="meter"
        aria-label=${label}
        aria-valuemin="0"
        aria-valuemax=${most}
        aria-valuenow=${Math.min(used, most)}
      >
        <div style="width:${share * 100}%"></div>
      </div>
    </div>`;
  }

  #renderText(event: Extract<SectionEvent, { type: "section" }>): TemplateResult {
    if (!event.facts_enabled || !event.text) {
      const why = event.facts_enabled ? "section.empty" : "section.off";
      return html`<div class="empty">
        ${icon("eye")}
        <h2>${this.t(why)}</h2>
        <p>${this.t(`${why}_help`)}</p>
      </div>`;
    }
    return html`<div class="card"><pre class="mono">${event.text}</pre></div>`;
  }

  #ask(event: Event): void {
    session.question = inputText(event);
    clearTimeout(this.#pause);
    this.#pause = window.setTimeout(() => this.#section.again(), PAUSE_MS);
  }
}

define("caesar-section-tab", SectionTab);
