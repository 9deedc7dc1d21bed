/** Exchanges that learning gave up on. */

import { html, nothing, type TemplateResult } from "lit";
import { css } from "../parts/css";
import { property, state } from "../parts/decorators";
import { define, PanelElement } from "../parts/element";
import { reasonText } from "../parts/event";
import { bubbles, circumstances, exchangeStyle } from "../parts/exchange";
import { icon } from "../parts/icons";
import { shared } from "../parts/styles";
import type { ListSetAsideResult, SetAsideExchange } from "../protocol";

const look = css`
  .card {
    margin: 0;
  }
  article {
    border-top: 1px solid var(--line);
    padding: 12px 0;
  }
`;

export class SetAside extends PanelElement {
  static override styles = [shared, exchangeStyle, look];

  /** How many there are; when it changes, the list is out of date. */
  @property() count = 0;
  @state() private found: ListSetAsideResult | null = null;
  @state() private busy = false;
  #loadedFor = "";

  protected override willUpdate(): void {
    const wanted = `${this.count}/${this.context.changes}`;
    if (wanted === this.#loadedFor) return;
    this.#loadedFor = wanted;
    void this.#load();
  }

  async #load(): Promise<void> {
    const { api } = this.context;
    this.found = (await this.attempt(api.call("caesar/status/set_aside", {}))) ?? this.found;
  }

  protected override render(): TemplateResult {
    const { exchanges = [], hidden = 0 } = this.found ?? {};
    return html`<section class="card">
      <h2>${this.t("set_aside.title")}</h2>
      <p class="quiet">
        ${this.t(exchanges.length ? "set_aside.help" : "set_aside.none")}
        ${hidden ? this.t("set_aside.hidden", { count: hidden }) : nothing}
      </p>
      ${exchanges.map((one) => this.#renderOne(one))}
    </section>`;
  }

  #renderOne({ exchange, exchange_id, reason, at, owner }: SetAsideExchange): TemplateResult {
    const { api, format } = this.context;
    const exchange_ids = [exchange_id];
    return html`<article data-id=${exchange_id}>
      <p>
        ${reasonText(this.context, reason)}
        <span class="quiet small bidi">${format.full(at)} · ${owner.name}</span>
      </p>
      ${exchange
        ? html`${circumstances(this.context, exchange)} ${bubbles(this.context, exchange)}`
        : nothing}
      <div class="row">
        <button
          class="primary"
          ?disabled=${this.busy}
          @click=${() => this.#decide(api.act("caesar/status/retry", { exchange_ids }))}
        >
          ${icon("undo")} ${this.t("set_aside.retry")}
        </button>
        <button
          ?disabled=${this.busy}
          @click=${() => this.#decide(api.act("caesar/status/dismiss", { exchange_ids }))}
        >
          ${this.t("set_aside.dismiss")}
        </button>
      </div>
    </article>`;
  }

  async #decide(deciding: Promise<unknown>): Promise<void> {
    this.busy = true;
    await this.attempt(deciding);
    this.busy = false;
    await this.#load();
  }
}

define("caesar-set-aside", SetAside);
