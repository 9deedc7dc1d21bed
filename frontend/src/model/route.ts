/** The address of what is shown: a tab, and what is open in it. */

export const TABS = [
  "facts",
  "suggestions",
  "conversations",
  "history",
  "section",
  "people",
  "status",
] as const;
export type Tab = (typeof TABS)[number];

export interface Place {
  tab: Tab;
  /** The fact or exchange that is open. */
  id: number | null;
}

export function placeOf(path: string): Place {
  const [tab, id] = path.split("/").filter(Boolean);
  const known = TABS.find((name) => name === tab) ?? "facts";
  return { tab: known, id: id && /^\d+$/.test(id) ? Number(id) : null };
}

export function pathOf(prefix: string, { tab, id }: Place): string {
  return `${prefix}/${tab}${id === null ? "" : `/${id}`}`;
}
