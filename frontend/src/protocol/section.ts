/** What the agent sees. */

import type { Unavailable } from "./common";

export interface SubscribeSection {
  type: "caesar/section/subscribe";
  /** What the person would say; it decides where the caps do not let all in. */
  text?: string;
}
export type SectionEvent =
  | {
      type: "section";
      facts_enabled: boolean;
      /** Exactly what the next turn's prompt gets. */
      text: string;
      fact_ids: number[];
      facts_total: number;
      max_facts: number;
      /** Of `text`, counted as the cap counts. */
      characters: number;
      max_characters: number;
    }
  | Unavailable;
