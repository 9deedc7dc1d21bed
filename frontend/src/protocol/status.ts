/** Jobs, providers, the database, and that something has changed. */

import type { Moment, Named, Unavailable } from "./common";
import type { Exchange } from "./exchanges";

export interface Report {
  read: number;
  skipped: number;
  changed: number;
  set_aside: number;
  waiting: number;
  problem: "unavailable" | "unusable" | "budget" | null;
}
export interface JobStatus {
  name: "memory_extract" | "memory_sweep" | "semantic_index" | (string & {});
  /** Seconds. */
  interval: number;
  running: boolean;
  started_at: Moment | null;
  /** Exchanges done and to do in the present run; null where not known. */
  progress: { done: number; total: number } | null;
  last: {
    at: Moment;
    /** Names with numbers, as in a Report; a single number has the name of the job. */
    outcome: Record<string, number | string | null>;
    /** The kind of the error. */
    error: string | null;
  } | null;
}
/** How far the embedding of exchanges is, of the whole house. */
export interface MeaningStatus {
  /** The kind of the provider and its model: `ollama|bge-m3`. */
  model: string;
  indexed: number;
  waiting: number;
  /** They may not leave the house. */
  withheld: number;
  /** The model cannot embed them. */
  set_aside: number;
  failing_since: Moment | null;
  budget_exhausted: boolean;
}
export interface ProviderStatus {
  id: string;
  name: string;
  kind: "builtin" | "ollama" | "anthropic" | "ai_task" | "voyageai" | (string & {});
  loaded: boolean;
  agents: string[];
}
export interface SubscribeStatus {
  type: "caesar/status/subscribe";
}
export type StatusEvent =
  | {
      type: "status";
      version: string;
      facts_enabled: boolean;
      jobs: JobStatus[];
      learning: {
        /** Of the whole house. */
        waiting: number;
        /** Of the caller and the household. */
        set_aside: number;
        /** The model has not answered since. */
        failing_since: Moment | null;
        next_try_at: Moment | null;
        /** The daily budget of tokens is used up. */
        budget_exhausted: boolean;
      };
      /** Null where nobody embeds. */
      meaning: MeaningStatus | null;
      providers: ProviderStatus[];
      database: {
        bytes: number;
        schema_revision: string;
        facts: number;
        owners: number;
        events: number;
        exchanges: number;
        /** Turns in RAM because the disk takes none. */
        unwritten: number;
      };
      /** What is wrong with the house's templates; administrators only. */
      templates_problem: string | null;
    }
  | Unavailable;

export interface StatusHistory {
  type: "caesar/status/history";
  /** 1 to 365; 90 where missing. */
  days?: number;
}
export interface StatusHistoryResult {
  /** One per local day, the oldest first; own and household. */
  days: {
    date: string;
    /** At the end of the day. */
    facts: number;
    exchanges: number;
  }[];
}

export interface SetAsideExchange {
  exchange_id: number;
  owner: Named;
  /** When it was given up. */
  at: Moment;
  reason: "unusable_answer" | (string & {});
  exchange: Exchange | null;
}
export interface ListSetAside {
  type: "caesar/status/set_aside";
}
export interface ListSetAsideResult {
  exchanges: SetAsideExchange[];
  /** Others' exchanges that are set aside; administrators only, else 0. */
  hidden: number;
}
export interface RetrySetAside {
  type: "caesar/status/retry";
  exchange_ids: number[];
}
export interface DismissSetAside {
  type: "caesar/status/dismiss";
  exchange_ids: number[];
}
export interface DismissResult {
  dismissed: number;
}
/** Answers with a Report, as `retry` does. */
export interface LearnNow {
  type: "caesar/status/learn_now";
}
export interface SelfTest {
  type: "caesar/status/self_test";
}
export interface SelfTestResult {
  passed: boolean;
  provider: string;
  model: string;
  steps: {
    step: "say" | "learn" | "recall" | "forget" | (string & {});
    passed: boolean;
    seconds: number;
    /** In a sentence. */
    problem: string | null;
  }[];
}

/** Tells that pages and lists of the caller are out of date, and never what is new. */
export interface SubscribeChanges {
  type: "caesar/changes/subscribe";
}
export type ChangesEvent =
  /** Events, exchanges or suggestions of the caller or the household were added or deleted. */
  | { type: "changed"; last_event_id: number; rows: number }
  /** The memory or its options were loaded anew: people, status and all else may differ. */
  | { type: "loaded" }
  | Unavailable;
