/** All facts that the caller sees, kept in step with the house. */

import type { Fact, FactsEvent } from "../protocol";

type Applied = Exclude<FactsEvent, { type: "unavailable" }>;

export class FactStore {
  readonly #byId = new Map<number, Fact>();
  #rev = 0;
  /** Counts up with every change. */
  version = 0;
  #inOrder: Fact[] | null = null;

  /** Take an event over; false where one before it was missed. */
  apply(event: Applied): boolean {
    if (event.type === "snapshot") {
      this.#byId.clear();
      this.#put(event.facts);
    } else {
      if (event.rev !== this.#rev + 1) return false;
      for (const id of event.del) this.#byId.delete(id);
      this.#put(event.put);
    }
    this.#rev = event.rev;
    this.version += 1;
    this.#inOrder = null;
    return true;
  }

  get(id: number): Fact | undefined {
    return this.#byId.get(id);
  }

  get all(): readonly Fact[] {
    return (this.#inOrder ??= [...this.#byId.values()]);
  }

  #put(facts: readonly Fact[]): void {
    for (const fact of facts) this.#byId.set(fact.id, fact);
  }
}
