/** Paths of small plots, as an SVG has them. */

/** A line through all values in a box of the given size. */
export function line(values: readonly number[], width: number, height: number): string {
  const step = width / Math.max(values.length - 1, 1);
  const points = heights(values, height).map(
    (tall, index) => `${round(index * step)},${round(height - tall)}`,
  );
  return `M${points.join("L")}`;
}

/** A bar for each value, from the bottom of such a box. */
export function bars(values: readonly number[], width: number, height: number): string {
  const step = width / values.length;
  return heights(values, height)
    .map((tall, index) => `M${round((index + 0.5) * step)},${height}v${round(-tall)}`)
    .join("");
}

function heights(values: readonly number[], height: number): number[] {
  const top = Math.max(...values, 1);
  return values.map((value) => (value / top) * height);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
