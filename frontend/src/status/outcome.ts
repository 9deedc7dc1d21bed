/** What a job did, in a sentence. */

import type { Context } from "../context";
import type { Report } from "../protocol";

export function outcome(
  context: Context,
  last: { outcome: Report | number | null; error: string | null },
): string {
  const { text } = context;
  if (last.error) return text("outcome.error", { error: last.error });
  if (last.outcome === null) return text("outcome.nothing");
  if (typeof last.outcome === "number") return text("outcome.swept", { count: last.outcome });
  const { read, changed, set_aside, problem } = last.outcome;
  const words = [
    read ? text("outcome.read", { count: read }) : text("outcome.nothing"),
    changed ? text("outcome.changed", { count: changed }) : "",
    set_aside ? text("outcome.set_aside", { count: set_aside }) : "",
    problem ? text(`outcome.${problem}`) : "",
  ];
  return words.filter(Boolean).join(", ");
}
