/** A text cut into what was quoted and what was not. */

export interface Piece {
  text: string;
  quoted: boolean;
}

/** Cut a text at `[start, end)` ranges, which may overlap or lie outside of it. */
export function pieces(text: string, ranges: readonly [number, number][]): Piece[] {
  const cut: Piece[] = [];
  let at = 0;
  const add = (until: number, quoted: boolean) => {
    if (until > at) cut.push({ text: text.slice(at, until), quoted });
    at = Math.max(at, until);
  };
  for (const [start, end] of [...ranges].sort((a, b) => a[0] - b[0])) {
    add(Math.min(start, text.length), false);
    add(Math.min(end, text.length), true);
  }
  add(text.length, false);
  return cut;
}

/** Where a quote stands in a text; nowhere where it is not there word for word. */
export function rangesOf(text: string, quote: string | null): [number, number][] {
  const start = quote ? text.indexOf(quote) : -1;
  return start < 0 ? [] : [[start, start + quote!.length]];
}
