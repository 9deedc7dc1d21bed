/** What a job did, in a sentence. */

import type { Context } from "../context";

export function outcome(
  { text }: Context,
  last: { outcome: object; error: string | null },
): string {
  if (last.error) return text("outcome.error", { error: last.error });
  const { problem, ...done } = last.outcome as { problem?: string };
  // What has no words, as how many still wait, is no part of it.
  const words = Object.entries(done).map(([name, count]) => count && text(`outcome.${name}`, { count }));
  if (problem) words.push(text(`outcome.${problem}`));
  return words.filter(Boolean).join(", ") || text("outcome.nothing");
}
