/** The table of facts; on a phone each row is a card. */

import { css } from "../parts/css";

export const ROW_HEIGHT = 60;
export const CARD_HEIGHT = 156;

export const tableStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-height: 0;
    flex: 1;
    container-type: inline-size;
  }
  .frame {
    display: flex;
    flex-direction: column;
    min-height: 0;
    flex: 1;
    background: var(--card);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    overflow: hidden;
  }
  .scroller {
    flex: 1;
    overflow: auto;
    overflow-anchor: none;
    scrollbar-gutter: stable;
  }
  .scroller:focus-visible {
    outline-offset: -3px;
  }
  .space {
    position: relative;
  }
  .window {
    position: absolute;
    inset-inline: 0;
    top: 0;
    will-change: transform;
  }
  .head {
    overflow: hidden;
    scrollbar-gutter: stable;
    border-bottom: 1px solid var(--line);
    flex: none;
  }
  .tr {
    display: grid;
    grid-template-columns:
      44px minmax(0, 2.4fr) minmax(0, 1.2fr) minmax(0, 1.5fr)
      88px 104px 104px 172px;
    align-items: center;
    column-gap: 12px;
    height: ${ROW_HEIGHT}px;
    padding-inline: 8px;
    border-bottom: 1px solid var(--line);
  }
  .head .tr {
    height: 48px;
    border: 0;
  }
  .space .tr {
    cursor: pointer;
  }
  .space .tr:hover {
    background: var(--shade);
  }
  .space .tr.selected {
    background: var(--tint);
  }
  .tr.over .sentence,
  .tr.over .value {
    color: var(--quiet);
  }
  .head button {
    padding: 0;
    background: none;
    min-height: 40px;
    color: var(--quiet);
    font-size: 13px;
    gap: 2px;
    justify-content: flex-start;
    border-radius: 4px;
    max-width: 100%;
    overflow: hidden;
  }
  .head button.on {
    color: var(--text);
  }
  .head .icon {
    width: 18px;
    height: 18px;
  }
  .target {
    width: 44px;
    height: 44px;
    display: grid;
    place-items: center;
    cursor: pointer;
  }
  .sentence {
    display: flex;
    align-items: center;
    gap: 6px;
    min-width: 0;
  }
  .open {
    background: none;
    padding: 0;
    min-height: 40px;
    border-radius: 4px;
    text-align: start;
    white-space: normal;
    font-weight: 400;
    min-width: 0;
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
    align-content: center;
    overflow: hidden;
  }
  .open:hover {
    background: none;
  }
  .badge {
    display: inline-grid;
    flex: none;
    color: var(--quiet);
  }
  .badge .icon {
    width: 18px;
    height: 18px;
  }
  .amber {
    color: var(--warning-color);
  }
  .key,
  .value,
  .first,
  .last {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .value.editing {
    grid-column: span 5;
    display: flex;
    gap: 4px;
    overflow: visible;
  }
  .editing ~ div {
    display: none;
  }
  .editor {
    flex: 1;
  }
  .actions {
    display: flex;
    justify-content: flex-end;
  }
  .actions .icon {
    width: 20px;
    height: 20px;
  }
  @container (max-width: 1080px) {
    .tr {
      grid-template-columns:
        44px minmax(0, 2.4fr) minmax(0, 1.2fr) minmax(0, 1.4fr)
        88px 104px 164px;
    }
    .first {
      display: none;
    }
    .value.editing {
      grid-column: span 4;
    }
  }
  :host([narrow]) .frame {
    background: none;
    border: 0;
    border-radius: 0;
  }
  :host([narrow]) .head {
    display: none;
  }
  :host([narrow]) .scroller {
    scrollbar-gutter: auto;
    padding-bottom: 80px;
  }
  :host([narrow]) .tr {
    grid-template:
      "check sentence sentence" 48px
      ". key confidence" 26px
      ". actions actions" 52px
      / 44px minmax(0, 1fr) auto;
    column-gap: 4px;
    align-content: center;
    height: ${CARD_HEIGHT - 10}px;
    margin-bottom: 10px;
    padding-inline: 4px 12px;
    background: var(--card);
    border: 1px solid var(--line);
    border-radius: var(--radius);
  }
  :host([narrow]) .check {
    grid-area: check;
  }
  :host([narrow]) .sentence {
    grid-area: sentence;
    font-size: 16px;
    line-height: 22px;
  }
  :host([narrow]) .open {
    min-height: 44px;
    flex: 1;
  }
  :host([narrow]) .key {
    grid-area: key;
    color: var(--quiet);
  }
  :host([narrow]) .confidence {
    grid-area: confidence;
  }
  :host([narrow]) .actions {
    grid-area: actions;
    justify-content: space-between;
    margin-inline-start: -13px;
  }
  :host([narrow]) .value,
  :host([narrow]) .last {
    display: none;
  }
  :host([narrow]) .value.editing {
    display: flex;
    grid-area: 2 / 2 / 4 / 4;
  }
`;
