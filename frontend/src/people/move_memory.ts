/** Moving all of one person's memory to another, with a look at it before. */

import { html, nothing, type TemplateResult } from "lit";
import { css } from "../parts/css";
import { property, state } from "../parts/decorators";
import { define, inputText, PanelElement } from "../parts/element";
import { icon } from "../parts/icons";
import { shared } from "../parts/styles";
import type { OwnerId, Person, PreviewMoveResult, UndoableMove } from "../protocol";

const look = css`
  .row {
    margin-top: 16px;
    align-items: flex-end;
  }
  .field {
    flex: 1 1 180px;
  }
  .arrow {
    align-self: center;
    margin-top: 16px;
    color: var(--quiet);
  }
  ul {
    margin: 8px 0;
    padding-inline-start: 20px;
  }
`;

/** Fires `moved` when something was moved, or moved back. */
export class MoveMemory extends PanelElement {
  static override styles = [shared, look];

  @property() people: readonly Person[] = [];
  @property() moves: readonly UndoableMove[] = [];
  @state() private source: OwnerId = "";
  @state() private target: OwnerId = "";
  @state() private preview: PreviewMoveResult | null = null;

  protected override render(): TemplateResult {
    const { source, target, preview } = this;
    const ready = source && target && source !== target;
    // Nothing goes to somebody who is gone.
    const known = this.people.filter(({ kind }) => kind !== "unknown");
    return html`<section class="card">
      <h2>${this.t("move.title")}</h2>
      <p class="quiet">${this.t("move.help")}</p>
      <div class="row">
        ${this.#renderChoice("move.from", source, this.people, (owner) => (this.source = owner))}
        <span class="arrow">${icon("move")}</span>
        ${this.#renderChoice("move.to", target, known, (owner) => (this.target = owner))}
        <button ?disabled=${!ready} @click=${this.#look}>${this.t("move.preview")}</button>
      </div>
      ${preview ? this.#renderPreview(preview) : nothing}
      ${this.moves.map((move) => this.#renderMove(move))}
    </section>`;
  }

  #renderMove({ event_id, at, source, target, facts }: UndoableMove): TemplateResult {
    return html`<div class="row moved">
      <span class="grow bidi">
        ${source.name} → ${target.name}
        <span class="quiet"
          >${this.t("move.done", { count: facts })} · ${this.context.format.full(at)}</span
        >
      </span>
      <button @click=${() => this.#undo(event_id)}>${icon("undo")} ${this.t("undo")}</button>
    </div>`;
  }

  #renderChoice(
    label: string,
    chosen: OwnerId,
    people: readonly Person[],
    choose: (owner: OwnerId) => void,
  ): TemplateResult {
    const change = (event: Event) => {
      choose(inputText(event));
      this.preview = null;
    };
    return html`<label class="field"
      >${this.t(label)}
      <select @change=${change}>
        <option value="" ?selected=${!chosen}></option>
        ${people.map(
          ({ id, name }) =>
            html`<option value=${id} ?selected=${id === chosen}>${name}</option>`,
        )}
      </select>
    </label>`;
  }

  #renderPreview(preview: PreviewMoveResult): TemplateResult {
    const { facts, exchanges, merged, renamed } = preview;
    return html`<div role="status">
      <p>${this.t("move.what", { facts, exchanges })}</p>
      ${merged ? html`<p>${this.t("move.merged", { count: merged })}</p>` : nothing}
      <ul>
        ${preview.merged_facts.map((fact) => html`<li class="bidi">${fact.sentence}</li>`)}
      </ul>
      ${renamed ? html`<p>${this.t("move.renamed", { count: renamed })}</p>` : nothing}
      <ul>
        ${preview.renamed_facts.map(
          ({ fact, key }) =>
            html`<li class="bidi">
              ${fact.sentence} <span class="mono quiet">${fact.key} → ${key}</span>
            </li>`,
        )}
      </ul>
      <div class="row">
        <button class="primary" ?disabled=${!facts && !exchanges} @click=${this.#move}>
          ${this.t("move.do")}
        </button>
        <button class="plain" @click=${() => (this.preview = null)}>${this.t("cancel")}</button>
      </div>
    </div>`;
  }

  async #look(): Promise<void> {
    const { source, target } = this;
    const asked = { source, target };
    this.preview = await this.attempt(this.context.api.call("caesar/people/preview_move", asked));
  }

  async #move(): Promise<void> {
    const { source, target, context } = this;
    const moving = context.api.act("caesar/people/move", { source, target });
    const result = await this.attempt(moving);
    if (!result) return;
    this.preview = null;
    const { event_id, facts } = result;
    context.notify({
      text: this.t("move.done", { count: facts }),
      ...(event_id === null ? {} : { undo: () => this.#undo(event_id) }),
    });
    this.dispatchEvent(new CustomEvent("moved"));
  }

  async #undo(event_id: number): Promise<void> {
    const undoing = this.context.api.act("caesar/people/undo_move", { event_id });
    const result = await this.attempt(undoing);
    if (!result) return;
    this.context.notify({ text: this.t("move.undone", { count: result.facts }) });
    this.dispatchEvent(new CustomEvent("moved"));
  }
}

define("caesar-move-memory", MoveMemory);
