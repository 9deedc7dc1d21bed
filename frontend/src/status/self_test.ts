/** The self-test: a fact is told, learned, asked for and forgotten. */

import { html, nothing, type TemplateResult } from "lit";
import { css } from "../parts/css";
import { state } from "../parts/decorators";
import { define, PanelElement } from "../parts/element";
import { icon } from "../parts/icons";
import { shared } from "../parts/styles";
import type { SelfTestResult } from "../protocol";

const look = css`
  .card {
    margin: 0;
  }
  .card > .row {
    margin-top: 12px;
  }
  ol {
    list-style: none;
    margin: 12px 0 0;
    padding: 0;
  }
  li {
    display: flex;
    gap: 8px;
    padding: 6px 0;
  }
  .good .icon {
    color: var(--success-color);
  }
  .bad .icon {
    color: var(--error-color);
  }
`;

export class SelfTest extends PanelElement {
  static override styles = [shared, look];

  @state() private running = false;
  @state() private result: SelfTestResult | null = null;

  protected override render(): TemplateResult {
    return html`<section class="card">
      <h2>${this.t("self_test.title")}</h2>
      <p class="quiet">${this.t("self_test.help")}</p>
      ${this.result ? this.#renderResult(this.result) : nothing}
      ${this.context.me.is_admin
        ? html`<div class="row">
            <button ?disabled=${this.running} @click=${this.#start}>
              ${icon("play")} ${this.t(this.running ? "self_test.running" : "self_test.start")}
            </button>
          </div>`
        : html`<p class="quiet">${this.t("self_test.admins_only")}</p>`}
    </section>`;
  }

  #renderResult({ passed, provider, model, steps }: SelfTestResult): TemplateResult {
    const { format } = this.context;
    return html`<div role="status">
      <p>
        ${this.t(passed ? "self_test.passed" : "self_test.failed")}
        <span class="quiet">${[provider, model].filter(Boolean).join(" ")}</span>
      </p>
      <ol>
        ${steps.map(
          (step) => html`<li class=${step.passed ? "good" : "bad"}>
            ${icon(step.passed ? "check" : "alert")}
            <span class="grow"
              >${this.t(`self_test.${step.step}`) || step.step}
              ${step.problem ? html`<span class="quiet">${step.problem}</span>` : nothing}</span
            >
            <span class="quiet">${format.duration(step.seconds)}</span>
          </li>`,
        )}
      </ol>
    </div>`;
  }

  async #start(): Promise<void> {
    this.running = true;
    this.result = await this.attempt(this.context.api.call("caesar/status/self_test", {}));
    this.running = false;
  }
}

define("caesar-self-test", SelfTest);
