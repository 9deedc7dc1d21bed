/** Status: what works in the background, and how it is doing. */

import { html, nothing, type TemplateResult } from "lit";
import { css } from "../parts/css";
import { state } from "../parts/decorators";
import { define, PanelElement } from "../parts/element";
import { icon } from "../parts/icons";
import { shared } from "../parts/styles";
import { Latest } from "../parts/subscription";
import type { JobStatus, StatusEvent } from "../protocol";
import "../status/growth";
import "../status/self_test";
import "../status/set_aside";
import { outcome } from "../status/outcome";

type Status = Extract<StatusEvent, { type: "status" }>;

const look = css`
  .page {
    display: block;
  }
  .grid {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(380px, 100%), 1fr));
    gap: 16px;
    align-items: start;
  }
  .grid > * {
    margin: 0;
    min-width: 0;
  }
  .wide {
    grid-column: 1 / -1;
  }
  dl {
    display: grid;
    grid-template-columns: 1fr auto;
    gap: 8px 16px;
    margin: 12px 0 0;
  }
  dt {
    color: var(--quiet);
  }
  dd {
    margin: 0;
    text-align: end;
    font-variant-numeric: tabular-nums;
  }
  .job {
    padding: 10px 0;
  }
  .bar {
    margin-top: 8px;
  }
  .problem {
    margin-top: 12px;
  }
  .card > .row {
    margin-top: 12px;
  }
`;

export class StatusTab extends PanelElement {
  static override styles = [shared, look];

  @state() private learning = false;
  readonly #status = new Latest<StatusEvent>(this, (listener) =>
    this.context.api.subscribe("caesar/status/subscribe", {}, listener),
  );

  protected override render(): TemplateResult {
    const { event, failed } = this.#status;
    return html`<div class="page">
      ${failed ? html`<p class="problem" role="alert">${failed}</p>` : nothing}
      ${event
        ? html`<div class="grid">
            ${this.#renderLearning(event)} ${this.#renderDatabase(event)}
            <caesar-growth class="wide" .context=${this.context}
              .facts=${event.database.facts}></caesar-growth>
            ${this.#renderSetAside(event)} ${this.#renderProviders(event)}
            <caesar-self-test .context=${this.context}></caesar-self-test>
          </div>`
        : html`<div class="skeleton"></div>
            <div class="skeleton"></div>`}
    </div>`;
  }

  #renderLearning({ learning, jobs, facts_enabled }: Status): TemplateResult {
    const { format } = this.context;
    const { failing_since, next_try_at, budget_exhausted } = learning;
    return html`<section class="card">
      <h2>${this.t("status.learning")}</h2>
      <p class="quiet">
        ${facts_enabled
          ? this.t("status.waiting", { count: learning.waiting })
          : this.t("status.off")}
      </p>
      ${failing_since
        ? html`<p class="problem">
            ${this.t("status.failing", { since: format.full(failing_since) })}
            ${next_try_at
              ? this.t("status.next_try", { when: format.distance(next_try_at) })
              : nothing}
          </p>`
        : nothing}
      ${budget_exhausted ? html`<p class="problem">${this.t("status.budget")}</p>` : nothing}
      ${jobs.map((job) => this.#renderJob(job))}
      <div class="row">
        <button class="primary" ?disabled=${this.learning} @click=${this.#learnNow}>
          ${icon("play")} ${this.t(this.learning ? "status.learning_now" : "status.learn_now")}
        </button>
      </div>
    </section>`;
  }

  #renderJob(job: JobStatus): TemplateResult {
    const { name, running, progress, last, interval } = job;
    const { format } = this.context;
    return html`<div class="job">
      <h3>${this.t(`status.job.${name}`) || name}</h3>
      <div class="quiet">
        ${running
          ? this.t("status.running")
          : last
            ? `${format.distance(last.at)} · ${outcome(this.context, last)}`
            : this.t("status.never")}
      </div>
      <div class="quiet small">${this.t("status.every", { time: format.duration(interval) })}</div>
      ${running ? this.#renderProgress(progress) : nothing}
    </div>`;
  }

  #renderProgress(progress: JobStatus["progress"]): TemplateResult {
    const { done, total } = progress ?? { done: 0, total: 0 };
    return html`<div
      class="bar"
      role="progressbar"
      aria-label=${this.t("status.progress")}
      aria-valuemin="0"
      aria-valuemax=${total || 1}
      aria-valuenow=${done}
    >
      <div style="width:${total ? (100 * done) / total : 8}%"></div>
    </div>`;
  }

  #renderDatabase({ database, version, templates_problem }: Status): TemplateResult {
    const { format } = this.context;
    const numbers = ["facts", "owners", "exchanges", "events"] as const;
    return html`<section class="card">
      <h2>${this.t("status.database")}</h2>
      <dl>
        ${numbers.map(
          (name) => html`<dt>${this.t(`status.${name}`)}</dt>
            <dd>${format.number(database[name])}</dd>`,
        )}
        <dt>${this.t("status.size")}</dt>
        <dd>${format.bytes(database.bytes)}</dd>
        <dt>${this.t("status.schema")}</dt>
        <dd class="mono">${database.schema_revision}</dd>
        <dt>${this.t("status.version")}</dt>
        <dd>${version}</dd>
      </dl>
      ${database.unwritten
        ? html`<p class="problem">${this.t("status.unwritten", { count: database.unwritten })}</p>`
        : nothing}
      ${templates_problem
        ? html`<p class="problem bidi">${this.t("status.templates", { problem: templates_problem })}</p>`
        : nothing}
    </section>`;
  }

  #renderSetAside({ learning }: Status): TemplateResult {
    return html`<caesar-set-aside
      class=${learning.set_aside ? "wide" : ""}
      .context=${this.context}
      .count=${learning.set_aside}
    ></caesar-set-aside>`;
  }

  #renderProviders({ providers }: Status): TemplateResult {
    return html`<section class="card">
      <h2>${this.t("status.providers")}</h2>
      <dl>
        ${providers.map(
          ({ name, loaded, agents }) => html`<dt class="bidi">
              ${name} <span class="small">${agents.join(", ")}</span>
            </dt>
            <dd>
              <span class="chip ${loaded ? "" : "warn"}"
                >${this.t(loaded ? "status.loaded" : "status.not_loaded")}</span
              >
            </dd>`,
        )}
      </dl>
    </section>`;
  }

  async #learnNow(): Promise<void> {
    this.learning = true;
    const { api, notify } = this.context;
    const report = await this.attempt(api.call("caesar/status/learn_now", {}));
    this.learning = false;
    if (report) notify({ text: outcome(this.context, { outcome: report, error: null }) });
  }
}

define("caesar-status-tab", StatusTab);
