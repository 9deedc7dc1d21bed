/** What stands below a list of pages: nothing yet, nothing at all, more, or an error. */

import { html, nothing, type TemplateResult } from "lit";
import { icon } from "./icons";
import type { Context } from "../context";
import type { Pages } from "./pages";

export function pageEnd<Item>(
  context: Context,
  pages: Pages<Item>,
  none: string,
): TemplateResult | typeof nothing {
  if (pages.failed) {
    return html`<p class="problem" role="alert">${pages.failed}</p>`;
  }
  if (!pages.items) {
    return html`<div aria-busy="true">
      <span class="hidden" role="status">${context.text("state.loading")}</span>
      ${[1, 2, 3].map(() => html`<div class="skeleton"></div>`)}
    </div>`;
  }
  if (!pages.items.length) {
    return html`<div class="empty">
      ${icon("history")}
      <h2>${context.text(none)}</h2>
      <p>${context.text(`${none}_help`)}</p>
    </div>`;
  }
  if (pages.next === null) return nothing;
  return html`<div class="row" style="justify-content:center">
    <button @click=${() => pages.more()}>${context.text("more")}</button>
  </div>`;
}
