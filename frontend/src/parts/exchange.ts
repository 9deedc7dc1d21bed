/** What was said and answered once. */

import { html, nothing, type TemplateResult } from "lit";
import type { Context } from "../context";
import { pieces } from "../model/quotes";
import type { Exchange } from "../protocol";
import { css } from "./css";

export const exchangeStyle = css`
  .bubbles {
    display: flex;
    flex-direction: column;
    gap: 8px;
    margin-block: 12px;
  }
  .bubble {
    max-width: 85%;
    padding: 10px 14px;
    border-radius: 18px;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    unicode-bidi: plaintext;
  }
  .said {
    align-self: flex-end;
    background: var(--tint);
    border-end-end-radius: 4px;
  }
  .answered {
    align-self: flex-start;
    background: var(--shade);
    border-end-start-radius: 4px;
  }
  .where {
    color: var(--quiet);
    font-size: 13px;
  }
`;

/** The words of both sides; what facts quote is marked. */
export function bubbles(
  context: Context,
  exchange: Exchange,
  quotes: readonly [number, number][] = exchange.quotes,
): TemplateResult {
  const { user_text, assistant_text, error } = exchange;
  return html`<div class="bubbles">
    ${user_text === null
      ? nothing
      : html`<div class="bubble said">${marked(user_text, quotes)}</div>`}
    ${assistant_text === null
      ? html`<div class="bubble answered quiet"
          >${error ? errorText(context, error) : context.text("conversations.no_answer")}</div
        >`
      : html`<div class="bubble answered">${assistant_text}</div>`}
  </div>`;
}

/** When, who, and by which device and model. */
export function circumstances(context: Context, exchange: Exchange): TemplateResult {
  const { at, owner, area, device, provider, model } = exchange;
  const words = [
    context.format.full(at),
    owner.name,
    area?.name,
    device?.name,
    [provider?.name, model].filter(Boolean).join(" "),
  ];
  return html`<p class="where bidi">${words.filter(Boolean).join(" · ")}</p>`;
}

function marked(text: string, quotes: readonly [number, number][]): TemplateResult[] {
  return pieces(text, quotes).map((piece) =>
    piece.quoted ? html`<mark>${piece.text}</mark>` : html`${piece.text}`,
  );
}

function errorText(context: Context, error: string): string {
  return (
    context.hass.localize(`component.caesar.exceptions.${error}.message`) ||
    context.text("conversations.failed", { error })
  );
}
