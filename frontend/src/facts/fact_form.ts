/** The fields of a fact that is added or edited, and what stands against saving it. */

import { html, nothing, type TemplateResult } from "lit";
import { css } from "../parts/css";
import { property, state } from "../parts/decorators";
import type { Saved } from "../fact_actions";
import { familyOf } from "../model/selection";
import { define, inputText, PanelElement } from "../parts/element";
import { menuFilter, type Choice } from "../parts/filters";
import { shared } from "../parts/styles";
import { session, type Draft } from "../session";

const look = css`
  form {
    display: flex;
    flex-direction: column;
    gap: 16px;
  }
  .end {
    justify-content: flex-end;
  }
`;

/** Edits `session.draft`; fires `done` when it was saved or given up. */
export class FactForm extends PanelElement {
  static override styles = [shared, look];

  @property() draft!: Draft;
  @state() private saving = false;

  protected override firstUpdated(): void {
    this.renderRoot.querySelector("textarea")!.focus();
  }

  protected override render(): TemplateResult {
    const { key, value, factId, problem } = this.draft;
    return html`<form @submit=${this.#submit}>
      ${problem ? this.#renderProblem(problem.code, problem.text) : nothing}
      <label class="field"
        >${this.t("facts.form.value")}
        <textarea
          name="value"
          dir="auto"
          rows="2"
          maxlength="500"
          required
          .value=${value}
          @input=${(event: Event) => this.#change({ value: inputText(event) })}
          @keydown=${this.#onKey}
        ></textarea>
      </label>
      <label class="field"
        >${this.t("facts.form.key")}
        <input
          name="key"
          class="mono"
          list="keys"
          required
          autocapitalize="off"
          autocomplete="off"
          spellcheck="false"
          .value=${key}
          @input=${(event: Event) => this.#change({ key: inputText(event) })}
        />
        <span class="quiet small">${this.t("facts.form.key_help")}</span>
      </label>
      <datalist id="keys">
        ${this.#knownKeys().map((known) => html`<option value=${known}></option>`)}
      </datalist>
      ${factId === null ? this.#renderOwner() : nothing}
      <div class="row end">
        <button type="button" class="plain" @click=${this.#finish}>${this.t("cancel")}</button>
        <button class="primary" ?disabled=${this.saving}>
          ${this.t(problem?.code === "secret" ? "facts.form.keep_secret" : "save")}
        </button>
      </div>
    </form>`;
  }

  #renderProblem(code: string, text: string): TemplateResult {
    const explained: Record<string, string | undefined> = {
      secret: this.t("facts.form.secret"),
      conflict: this.t("facts.form.conflict", {
        value: this.draft.problem?.present?.value ?? "",
      }),
    };
    return html`<p class="problem bidi" role="alert">${explained[code] ?? text}</p>`;
  }

  #renderOwner(): TemplateResult {
    const { me } = this.context;
    const label = this.t("facts.form.owner");
    const choices: Choice[] = [["me", this.t("owner.me")]];
    if (me.may_change_household && me.owner !== "household")
      choices.push(["household", this.t("owner.household")]);
    return html`<div class="field">
      ${label}
      ${menuFilter(label, choices, this.draft.owner, (chosen) =>
        this.#change({ owner: chosen as Draft["owner"] }),
      )}
    </div>`;
  }

  #knownKeys(): string[] {
    const family = familyOf(this.draft.key);
    const keys = new Set(this.context.store.all.map((fact) => fact.key));
    return [...keys].filter((key) => key.startsWith(family)).sort().slice(0, 30);
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    (event.target as HTMLTextAreaElement).form?.requestSubmit();
  }

  #change(changed: Partial<Draft>): void {
    this.draft = session.draft = { ...this.draft, ...changed };
  }

  #finish(): void {
    session.draft = null;
    this.dispatchEvent(new CustomEvent("done"));
  }

  async #submit(event: Event): Promise<void> {
    event.preventDefault();
    const { factId, key, value } = this.draft;
    const present = this.context.store.get(factId ?? 0);
    if (present?.key === key.trim() && present.value === value.trim()) return this.#finish();
    this.saving = true;
    const saved = await this.#save();
    this.saving = false;
    if ("fact" in saved) return this.#finish();
    // Saving once more replaces what somebody else wrote.
    const revision = saved.present?.revision ?? this.draft.revision;
    this.#change({ problem: saved, revision });
  }

  #save(): Promise<Saved> {
    const { factId, owner, problem, revision } = this.draft;
    const key = this.draft.key.trim();
    const value = this.draft.value.trim();
    const keep_secret = problem?.code === "secret";
    const { actions, store } = this.context;
    if (factId === null) return actions.add({ owner, key, value, keep_secret });
    const present = store.get(factId);
    return actions.edit({
      fact_id: factId,
      revision,
      keep_secret,
      ...(key === present?.key ? {} : { key }),
      ...(value === present?.value ? {} : { value }),
    });
  }
}

define("caesar-fact-form", FactForm);
