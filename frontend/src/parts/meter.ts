/** How sure a fact is, as a bar with its number. */

import { html, type TemplateResult } from "lit";
import type { Context } from "../context";
import { css } from "./css";

export const meterStyle = css`
  .meter {
    display: flex;
    align-items: center;
    gap: 8px;
    font-variant-numeric: tabular-nums;
  }
  .meter .bar {
    flex: 0 0 36px;
  }
`;

export function meter(context: Context, share: number): TemplateResult {
  const percent = context.format.percent(share);
  return html`<span
    class="meter"
    role="meter"
    aria-label=${context.text("facts.column.confidence")}
    aria-valuemin="0"
    aria-valuemax="100"
    aria-valuenow=${Math.round(share * 100)}
    aria-valuetext=${percent}
    ><span class="bar" aria-hidden="true"><div style="width:${share * 100}%"></div></span
    >${percent}</span
  >`;
}
