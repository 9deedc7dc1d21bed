/** Icons as lines, drawn on a grid of 24. */

import { html, type TemplateResult } from "lit";

const LINES = {
  menu: "M4 6h16M4 12h16M4 18h16",
  search: "M10 4a6 6 0 1 0 .1 0M15 15l5 5",
  add: "M12 5v14M5 12h14",
  edit: "M4 20v-4L16 4l4 4L8 20z",
  delete: "M4 6h16M9 6V4h6v2M6 6v14h12V6M10 10v6M14 10v6",
  pin: "M9 4h6M10 4v7l-3 4h10l-3-4V4M12 15v6",
  quote: "M4 5h16v11h-8l-4 4v-4H4zM8 9h8M8 12h5",
  typed: "M3 6h18v12H3zM7 10h.1M12 10h.1M17 10h.1M8 14h8",
  home: "M3 12l9-8 9 8M6 10v10h12V10",
  person: "M12 4a4 4 0 1 0 .1 0M4 20c0-8 16-8 16 0z",
  eye: "M2 12c5-8 15-8 20 0-5 8-15 8-20 0zM12 9a3 3 0 1 0 .1 0",
  close: "M6 6l12 12M18 6L6 18",
  check: "M5 12l5 5L19 8",
  alert: "M12 4L3 20h18zM12 10v4M12 17v.1",
  undo: "M4 5v6h6M5 11a8 8 0 1 1 1 6",
  history: "M12 4a8 8 0 1 0 .1 0M12 8v4l3 2",
  up: "M6 15l6-6 6 6",
  down: "M6 9l6 6 6-6",
  move: "M4 12h16M14 6l6 6-6 6",
  play: "M8 5v14l11-7z",
  bulb: "M10 20h4M9 17h6M9 17c0-3-3-3-3-8a6 6 0 0 1 12 0c0 5-3 5-3 8",
} as const;

export type Icon = keyof typeof LINES;

export function icon(name: Icon, isFilled = false): TemplateResult {
  return html`<svg class="icon ${isFilled ? "filled" : ""}" viewBox="0 0 24 24" aria-hidden="true">
    <path d=${LINES[name]}></path>
  </svg>`;
}
