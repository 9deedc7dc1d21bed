/** A dialog in the middle of everything, or a sheet at the side beside the rest. */

import { html, type TemplateResult } from "lit";
import { css } from "./css";
import { property } from "./decorators";
import { define, PanelElement } from "./element";
import { icon } from "./icons";
import { shared } from "./styles";

const look = css`
  dialog {
    border: 0;
    padding: 0;
    color: var(--text);
    background: var(--card);
    border-radius: 20px;
    width: min(520px, calc(100vw - 32px));
    max-height: calc(100dvh - 48px);
    box-shadow: 0 12px 48px rgb(0 0 0 / 30%);
    overflow: hidden;
  }
  dialog[open] {
    display: flex;
    flex-direction: column;
  }
  dialog::backdrop {
    background: rgb(0 0 0 / 45%);
  }
  dialog.side {
    position: absolute;
    inset: 0 0 0 auto;
    margin: 0;
    z-index: 3;
    height: 100%;
    max-height: none;
    width: min(480px, 100%);
    border-radius: 0;
    border-inline-start: 1px solid var(--line);
    box-shadow: -8px 0 32px rgb(0 0 0 / 12%);
  }
  :host([narrow]) dialog.side {
    width: 100%;
    max-width: none;
    border: 0;
  }
  header {
    display: flex;
    align-items: flex-start;
    gap: 8px;
    padding: 16px 12px 8px 24px;
    flex: none;
  }
  h2 {
    padding-top: 7px;
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 4;
    overflow: hidden;
  }
  .body {
    overflow: auto;
    padding: 8px 24px 88px;
  }
  dialog:not(.side) .body {
    padding-bottom: 24px;
  }
  :host([narrow]) header {
    padding-inline-start: 16px;
  }
  :host([narrow]) .body {
    padding-inline: 16px;
  }
`;

/** Fires `closed` when the person is done with it. */
export class PanelDialog extends PanelElement {
  static override styles = [shared, look];

  @property() heading = "";
  @property({ type: Boolean }) side = false;
  get #dialog(): HTMLDialogElement {
    return this.renderRoot.querySelector("dialog")!;
  }
  #focusedBefore: HTMLElement | null = null;

  protected override firstUpdated(): void {
    this.#focusedBefore = focused();
    if (this.side) this.#dialog.show();
    else this.#dialog.showModal();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#focusedBefore?.focus();
  }

  protected override render(): TemplateResult {
    return html`<dialog
      class=${this.side ? "side" : ""}
      aria-labelledby="heading"
      @close=${this.#close}
      @keydown=${this.#onKey}
      @click=${(event: Event) => event.target === this.#dialog && this.#close()}
    >
      <header>
        <h2 id="heading" class="grow bidi">${this.heading}</h2>
        <button class="square" aria-label=${this.t("close")} @click=${this.#close}>
          ${icon("close")}
        </button>
      </header>
      <div class="body" tabindex="0"><slot></slot></div>
    </dialog>`;
  }

  #onKey(event: KeyboardEvent): void {
    event.stopPropagation();
    if (event.key === "Escape" && this.side) this.#close();
  }

  #close(): void {
    this.dispatchEvent(new CustomEvent("closed", { bubbles: true, composed: true }));
  }
}

/** What has the focus, through all shadow roots. */
function focused(): HTMLElement | null {
  let found = document.activeElement;
  while (found?.shadowRoot?.activeElement) found = found.shadowRoot.activeElement;
  return found as HTMLElement | null;
}

define("caesar-dialog", PanelDialog);
