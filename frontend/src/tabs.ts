/** The content of each tab. */

import { html, type TemplateResult } from "lit";
import type { Context } from "./context";
import type { Place } from "./model/route";
import "./tabs/conversations_tab";
import "./tabs/facts_tab";
import "./tabs/history_tab";
import "./tabs/people_tab";
import "./tabs/section_tab";
import "./tabs/status_tab";
import "./tabs/suggestions_tab";

export function renderTab({ tab, id }: Place, context: Context): TemplateResult {
  switch (tab) {
    case "facts":
      return html`<caesar-facts-tab .context=${context} .factId=${id}>
      </caesar-facts-tab>`;
    case "suggestions":
      return html`<caesar-suggestions-tab .context=${context}>
      </caesar-suggestions-tab>`;
    case "conversations":
      return html`<caesar-conversations-tab
        .context=${context}
        .exchangeId=${id}
      ></caesar-conversations-tab>`;
    case "history":
      return html`<caesar-history-tab .context=${context}>
      </caesar-history-tab>`;
    case "section":
      return html`<caesar-section-tab .context=${context}>
      </caesar-section-tab>`;
    case "people":
      return html`<caesar-people-tab .context=${context}>
      </caesar-people-tab>`;
    case "status":
      return html`<caesar-status-tab .context=${context}>
      </caesar-status-tab>`;
  }
}
