/** Points of a small plot. */

/** A line through all values in a box of the given size, as the points of an SVG polyline. */
export function line(values: readonly number[], width: number, height: number): string {
  const top = Math.max(...values, 1);
  const step = width / Math.max(values.length - 1, 1);
  return values
    .map((value, index) => `${round(index * step)},${round(height - (value / top) * height)}`)
    .join(" ");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
