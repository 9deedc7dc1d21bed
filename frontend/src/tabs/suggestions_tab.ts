/** Suggestions: what CAESAR heard and is not sure about. */

import { html, nothing, type TemplateResult } from "lit";
import { css } from "../parts/css";
import { state } from "../parts/decorators";
import { mayChange, problem } from "../context";
import { define, PanelElement } from "../parts/element";
import { reasonText } from "../parts/event";
import { icon } from "../parts/icons";
import { shared } from "../parts/styles";
import type { Suggestion } from "../protocol";

const look = css`
  .sentence {
    font-size: 17px;
    margin-block: 4px;
  }
  .card .row {
    margin-top: 14px;
  }
  .all {
    justify-content: flex-end;
    margin-bottom: 12px;
  }
`;

export class SuggestionsTab extends PanelElement {
  static override styles = [shared, look];

  /** Those that are being decided. */
  @state() private busy: ReadonlySet<number> = new Set();

  protected override render(): TemplateResult {
    const { suggestions } = this.context;
    if (!suggestions.length) {
      return html`<div class="page">
        <div class="empty">
          ${icon("check")}
          <h2>${this.t("suggestions.none")}</h2>
          <p>${this.t("suggestions.none_help")}</p>
        </div>
      </div>`;
    }
    return html`<div class="page">
      ${suggestions.length > 1 ? this.#renderAll(suggestions) : nothing}
      <div>${suggestions.map((suggestion) => this.#renderOne(suggestion))}</div>
    </div>`;
  }

  #renderAll(suggestions: readonly Suggestion[]): TemplateResult {
    return html`<div class="row all">
      <span class="grow quiet">${this.t("suggestions.count", { count: suggestions.length })}</span>
      <button class="plain" @click=${() => this.#decide("accept", suggestions)}>
        ${this.t("suggestions.accept_all")}
      </button>
      <button class="plain" @click=${() => this.#decide("reject", suggestions)}>
        ${this.t("suggestions.reject_all")}
      </button>
    </div>`;
  }

  #renderOne(suggestion: Suggestion): TemplateResult {
    const { id, owner, operation, sentence, key, quote, fact, reason, exchange_id, at } =
      suggestion;
    const removes = operation === "remove";
    const { context } = this;
    const waits = this.busy.has(id) || !mayChange(context, owner);
    return html`<article class="card" data-id=${id}>
      <div class="quiet small">
        ${context.format.full(at)} ·
        ${this.t(owner === "household" ? "owner.household" : "owner.me")} ·
        ${reasonText(context, reason)}
      </div>
      <p class="sentence bidi">
        ${removes ? this.t("suggestions.forget", { sentence }) : sentence}
      </p>
      <div class="mono quiet bidi">${key}</div>
      ${fact && !removes
        ? html`<p class="bidi">${this.t("suggestions.instead_of", { sentence: fact.sentence })}</p>`
        : nothing}
      ${quote ? html`<p class="quiet bidi">${this.t("quoted", { quote })}</p>` : nothing}
      <div class="row">
        <button class="primary" ?disabled=${waits} @click=${() => this.#decide("accept", [suggestion])}>
          ${icon("check")} ${this.t(`suggestions.accept${removes ? "_forget" : ""}`)}
        </button>
        <button ?disabled=${waits} @click=${() => this.#decide("reject", [suggestion])}>
          ${icon("close")} ${this.t("suggestions.reject")}
        </button>
        ${exchange_id === null
          ? nothing
          : html`<button
              class="plain"
              @click=${() => context.go({ tab: "conversations", id: exchange_id })}
            >
              ${icon("quote")} ${this.t("facts.source")}
            </button>`}
      </div>
    </article>`;
  }

  async #decide(
    decision: "accept" | "reject",
    suggestions: readonly Suggestion[],
  ): Promise<void> {
    const { api, notify } = this.context;
    const suggestion_ids = suggestions.map(({ id }) => id);
    this.busy = new Set([...this.busy, ...suggestion_ids]);
    const asked = { suggestion_ids };
    const result = await this.attempt(api.act(`caesar/suggestions/${decision}`, asked));
    this.busy = new Set([...this.busy].filter((id) => !suggestion_ids.includes(id)));
    if (!result) return;
    const [failed] = result.failed;
    if (failed) {
      notify({ text: problem(this.context, { ...failed, message: failed.code }), isError: true });
    } else {
      notify({ text: this.t(`suggestions.${decision}ed`, { count: result.done.length }) });
    }
  }
}

define("caesar-suggestions-tab", SuggestionsTab);
