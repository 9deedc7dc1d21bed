/** Which rows of a long list have to be in the page. */

export interface Rows {
  first: number;
  /** One after the last. */
  end: number;
}

const SPARE = 6;

/** The rows of a list that a viewport shows, and a few more on both sides. */
export function visibleRows(
  count: number,
  rowHeight: number,
  scrollTop: number,
  viewportHeight: number,
): Rows {
  const first = Math.max(0, Math.floor(scrollTop / rowHeight) - SPARE);
  const shown = Math.ceil(viewportHeight / rowHeight) + 2 * SPARE;
  const end = Math.min(count, first + shown);
  return { first: Math.max(0, Math.min(first, end - shown)), end };
}
