/** The content of each tab. */

import type { Context } from "./context";
import type { Place } from "./model/route";
import "./tabs/conversations_tab";
import "./tabs/facts_tab";
import "./tabs/history_tab";
import "./tabs/people_tab";
import "./tabs/section_tab";
import "./tabs/status_tab";
import "./tabs/suggestions_tab";

/** What each tab is given; those in which nothing opens leave `openId` alone. */
type TabElement = HTMLElement & { context: Context; openId: number | null };

/** Give a place its element: the one that is shown, where that is of the same tab. */
export function tabElement(
  shown: HTMLElement | null,
  { tab, id }: Place,
  context: Context,
): HTMLElement {
  const name = `caesar-${tab}-tab`;
  const element = shown?.localName === name ? shown : document.createElement(name);
  return Object.assign(element as TabElement, { context, openId: id });
}
