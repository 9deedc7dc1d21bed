/** The look that all parts share, on Home Assistant's own variables. */

import { css } from "./css";

export const shared = css`
  :host {
    --radius: var(--ha-card-border-radius, 12px);
    --line: var(--divider-color);
    --text: var(--primary-text-color);
    --quiet: var(--secondary-text-color);
    --card: var(--card-background-color);
    --accent: var(--primary-color);
    --tint: var(--ha-color-fill-primary-quiet-resting);
    --tint-strong: var(--ha-color-fill-primary-normal-resting);
    --shade: var(--ha-color-fill-neutral-quiet-resting);
    --target: 40px;
    color: var(--text);
    font-family: var(--ha-font-family-body);
    font-size: 14px;
    line-height: 1.43;
  }
  @media (pointer: coarse) {
    :host {
      --target: 48px;
    }
  }
  :host([narrow]) {
    --target: 48px;
  }
  * {
    box-sizing: border-box;
  }
  .icon {
    width: 22px;
    height: 22px;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.8;
    stroke-linecap: round;
    stroke-linejoin: round;
    flex: none;
    pointer-events: none;
  }
  .icon.filled {
    fill: currentColor;
  }
  h2,
  h3,
  p {
    margin: 0;
  }
  h2 {
    font-size: 18px;
    font-weight: 500;
  }
  h3 {
    font-size: 15px;
    font-weight: 500;
  }
  button,
  input,
  select,
  textarea {
    font: inherit;
    color: inherit;
  }
  button {
    min-height: var(--target);
    padding: 0 16px;
    border: 0;
    border-radius: 20px;
    background: var(--shade);
    cursor: pointer;
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 8px;
    white-space: nowrap;
    font-weight: 500;
  }
  button:hover {
    background: var(--ha-color-fill-neutral-quiet-hover);
  }
  button.primary {
    background: var(--tint-strong);
  }
  button.primary:hover {
    background: var(--ha-color-fill-primary-normal-hover);
  }
  button.danger {
    color: var(--ha-color-on-danger-normal);
  }
  button.plain {
    background: none;
  }
  button.plain:hover {
    background: var(--shade);
  }
  button.square {
    width: var(--target);
    padding: 0;
    background: none;
    color: var(--quiet);
    flex: none;
  }
  button.square:hover {
    background: var(--shade);
    color: var(--text);
  }
  button.on {
    color: var(--text);
  }
  button.link {
    min-height: 0;
    padding: 0;
    background: none;
    border-radius: 4px;
    text-align: start;
    white-space: normal;
    text-decoration: underline;
    text-decoration-color: var(--accent);
    text-underline-offset: 3px;
  }
  :host([narrow]) button.link {
    min-height: 44px;
  }
  button:disabled {
    opacity: 0.5;
    cursor: default;
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  input:not([type="checkbox"]),
  select,
  textarea {
    min-height: var(--target);
    padding: 0 12px;
    border: 1px solid var(--line);
    border-radius: 10px;
    background: var(--card);
    min-width: 0;
  }
  :host([narrow]) input:not([type="checkbox"]),
  :host([narrow]) select,
  :host([narrow]) textarea {
    font-size: 16px;
  }
  input[type="checkbox"] {
    width: 18px;
    height: 18px;
    margin: 0;
    accent-color: var(--accent);
    cursor: inherit;
  }
  textarea {
    padding: 10px 12px;
    resize: vertical;
  }
  .field {
    display: flex;
    flex-direction: column;
    gap: 4px;
    color: var(--quiet);
    font-size: 13px;
  }
  .field > * {
    color: var(--text);
    font-size: 14px;
  }
  .page {
    height: 100%;
    overflow: auto;
    padding: 24px 16px 88px;
  }
  .page > * {
    max-width: 920px;
    margin-inline: auto;
  }
  :host([narrow]) .page {
    padding: 12px 12px 96px;
  }
  .card {
    background: var(--card);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    padding: 20px;
    margin-bottom: 16px;
  }
  :host([narrow]) .card {
    padding: 16px;
  }
  .card > h2 {
    margin-bottom: 4px;
  }
  .row {
    display: flex;
    align-items: center;
    gap: 8px;
    flex-wrap: wrap;
  }
  .grow {
    flex: 1;
    min-width: 0;
  }
  .quiet {
    color: var(--quiet);
  }
  .small {
    font-size: 12px;
  }
  .mono {
    font-family: var(--ha-font-family-code);
    font-size: 13px;
  }
  .chip {
    display: inline-flex;
    align-items: center;
    gap: 4px;
    padding: 2px 10px;
    border-radius: 12px;
    background: var(--shade);
    font-size: 12px;
  }
  .chip .icon {
    width: 16px;
    height: 16px;
  }
  .bidi {
    unicode-bidi: isolate;
    overflow-wrap: anywhere;
  }
  mark {
    background: var(--tint-strong);
    color: inherit;
    border-radius: 4px;
    padding: 1px 2px;
  }
  .problem {
    padding: 10px 14px;
    border-radius: 10px;
    background: var(--ha-color-fill-danger-quiet-resting);
  }
  .chip.warn,
  .warn {
    background: var(--ha-color-fill-warning-quiet-resting);
  }
  .filters {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    margin-bottom: 16px;
  }
  .filters input[type="search"] {
    flex: 1 1 220px;
  }
  .hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .empty {
    text-align: center;
    padding: 56px 24px;
    max-width: 520px;
  }
  .empty > .icon {
    width: 48px;
    height: 48px;
    color: var(--accent);
    margin-bottom: 12px;
  }
  .empty p {
    color: var(--quiet);
    margin-top: 8px;
  }
  .bar {
    height: 6px;
    border-radius: 3px;
    background: var(--line);
    overflow: hidden;
  }
  .bar > div {
    height: 100%;
    background: var(--accent);
    border-radius: 3px;
  }
  .skeleton {
    height: 72px;
    border-radius: var(--radius);
    background: var(--card);
    border: 1px solid var(--line);
    margin-bottom: 12px;
  }
  @media (prefers-reduced-motion: no-preference) {
    .skeleton {
      animation: breathe 1.6s infinite;
    }
  }
  @keyframes breathe {
    50% {
      opacity: 0.45;
    }
  }
`;
