/** The frame around the tabs: header, banners, notice. */

import { css } from "./parts/css";

export const panelStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    box-sizing: border-box;
    position: relative;
    height: 100vh;
    height: 100dvh;
    overflow: hidden;
    background: var(--primary-background-color);
    padding: var(--safe-area-inset-top, 0px)
      var(--safe-area-content-inset-right, var(--safe-area-inset-right, 0px))
      var(--safe-area-inset-bottom, 0px)
      var(--safe-area-content-inset-left, var(--safe-area-inset-left, 0px));
  }
  header,
  nav {
    background: var(--app-header-background-color, var(--card));
    color: var(--app-header-text-color, var(--text));
    flex: none;
  }
  header {
    display: flex;
    align-items: center;
    gap: 4px;
    height: var(--header-height, 56px);
    padding-inline: 12px;
  }
  header button.square {
    color: inherit;
  }
  h1 {
    margin: 0 8px;
    font-size: 20px;
    font-weight: 400;
  }
  nav {
    border-bottom: var(--app-header-border-bottom, 1px solid var(--line));
    overflow-x: auto;
    scrollbar-width: none;
  }
  .tabs {
    display: flex;
    width: max-content;
    padding-inline: 8px;
  }
  .tabs button {
    background: none;
    color: inherit;
    border-radius: 0;
    min-height: 48px;
    padding-inline: 14px;
    border-block: 3px solid transparent;
    font-weight: 400;
  }
  .tabs button[aria-selected="true"] {
    border-bottom-color: var(--accent);
    font-weight: 500;
  }
  .tabs button:focus-visible {
    outline-offset: -4px;
  }
  .tabs .badge {
    min-width: 20px;
    padding-inline: 6px;
    border-radius: 10px;
    font-size: 12px;
    background: var(--tint-strong);
    color: var(--text);
  }
  .banner {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 12px;
    padding: 10px 20px;
    background: var(--tint);
    flex: none;
  }
  .banner.warn {
    background: var(--ha-color-fill-warning-quiet-resting);
  }
  main {
    flex: 1;
    min-height: 0;
    position: relative;
  }
  .content {
    height: 100%;
  }
  .waiting {
    padding: 24px;
  }
  main .empty {
    margin: 10vh auto 0;
  }
  .empty button {
    margin-top: 20px;
  }
  .notice {
    position: absolute;
    z-index: 5;
    inset-inline: 16px;
    bottom: calc(20px + var(--safe-area-inset-bottom, 0px));
    margin-inline: auto;
    width: fit-content;
    max-width: 640px;
    display: flex;
    align-items: center;
    gap: 8px;
    border-radius: 14px;
    background: var(--text);
    color: var(--primary-background-color);
  }
  .notice.shown {
    padding: 6px 6px 6px 20px;
    box-shadow: 0 6px 24px rgb(0 0 0 / 30%);
  }
  .notice button,
  .notice button:hover {
    background: none;
    color: inherit;
  }
`;
