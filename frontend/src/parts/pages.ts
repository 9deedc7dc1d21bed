/** A list that is loaded page by page, the newest first. */

import type { ReactiveControllerHost } from "lit";
import { problem, type Context } from "../context";

export interface Loaded<Item> {
  items: readonly Item[];
  next: number | null;
}

type Load<Item> = (page: { before?: number; limit: number }) => Promise<Loaded<Item>>;

const PAGE = 50;
const MOST = 1000;

export class Pages<Item> {
  items: readonly Item[] | null = null;
  /** Where the next page begins; null at the end. */
  next: number | null = null;
  failed = "";
  isLoading = false;
  #filters = "";
  #changes = -1;
  /** Counts up with every request; the answer to an older one is not taken. */
  #turn = 0;

  constructor(
    private readonly host: ReactiveControllerHost & { context: Context },
    private readonly load: Load<Item>,
  ) {}

  /** Load what is asked for, where that is something else than is there. */
  show(asked: object): void {
    const filters = JSON.stringify(asked);
    const { changes } = this.host.context;
    if (filters === this.#filters && changes === this.#changes) return;
    const shown = filters === this.#filters ? (this.items?.length ?? 0) : 0;
    this.#filters = filters;
    this.#changes = changes;
    void this.#fetch({ limit: Math.min(Math.max(shown, PAGE), MOST) }, []);
  }

  more(): void {
    if (this.next === null) return;
    void this.#fetch({ before: this.next, limit: PAGE }, this.items ?? []);
  }

  async #fetch(
    page: { before?: number; limit: number },
    before: readonly Item[],
  ): Promise<void> {
    const turn = ++this.#turn;
    this.isLoading = true;
    try {
      const { items, next } = await this.load(page);
      if (turn !== this.#turn) return;
      this.items = [...before, ...items];
      this.next = next;
      this.failed = "";
    } catch (error) {
      if (turn !== this.#turn) return;
      this.failed = problem(this.host.context, error);
    }
    this.isLoading = false;
    this.host.requestUpdate();
  }
}
