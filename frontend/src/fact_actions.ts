/** What a person does with facts; all of it can be undone where the panel says so. */

import type { Asked } from "./api";
import { problem, type Context } from "./context";
import type { CaesarError, Fact, FactsResult, SeenFact } from "./protocol";

/** A saved fact, or why it was not saved. */
export type Saved =
  | { fact: Fact }
  | { code: string; text: string; present: Fact | null };

export class FactActions {
  constructor(private readonly context: () => Context) {}

  async add(asked: Asked<"caesar/facts/add">): Promise<Saved> {
    return this.#save(() => this.context().api.act("caesar/facts/add", asked));
  }

  /** Change key or value, and offer to take it back. */
  async edit(asked: Asked<"caesar/facts/edit">): Promise<Saved> {
    const saved = await this.#save(() => this.context().api.act("caesar/facts/edit", asked));
    if ("fact" in saved) this.#offerUndo("done.edited", [saved.fact], seen([saved.fact]));
    return saved;
  }

  async revert(fact: Fact, event_id: number): Promise<void> {
    const asked = { fact_id: fact.id, revision: fact.revision, event_id };
    const saved = await this.#save(() => this.context().api.act("caesar/facts/revert", asked));
    if ("fact" in saved) this.#offerUndo("done.reverted", [saved.fact], seen([saved.fact]));
    else this.context().notify({ text: saved.text, isError: true });
  }

  async delete(facts: readonly Fact[]): Promise<void> {
    const result = await this.#each("caesar/facts/delete", { facts: seen(facts) });
    if (!result?.done.length) return;
    const deleted = facts.filter((fact) => result.done.includes(fact.id));
    const gone = result.done.map((fact_id) => ({ fact_id, revision: null }));
    this.#offerUndo("done.deleted", deleted, gone);
  }

  async move(facts: readonly Fact[], owner: "me" | "household"): Promise<void> {
    const result = await this.#each("caesar/facts/move", { facts: seen(facts), owner });
    if (!result?.done.length) return;
    const moved = owner === "me" ? "done.moved_to_me" : "done.moved_to_household";
    this.#offerUndo(moved, result.facts, seen(result.facts));
  }

  async pin(facts: readonly Fact[], pinned: boolean): Promise<void> {
    await this.#each("caesar/facts/pin", { facts: seen(facts), pinned });
  }

  /** Bring a deleted fact back, or undo the last change of one. */
  async restore(facts: readonly SeenFact[]): Promise<void> {
    const result = await this.#each("caesar/facts/restore", { facts: [...facts] });
    if (!result?.done.length) return;
    const { notify, text } = this.context();
    notify({ text: text("done.restored", { count: result.done.length }) });
  }

  #offerUndo(
    key: string,
    facts: readonly Fact[],
    undone: readonly SeenFact[],
  ): void {
    const { notify, text } = this.context();
    notify({
      text: text(key, { count: facts.length, key: facts[0]?.key ?? "" }),
      undo: () => this.restore(undone),
    });
  }

  async #each<Name extends FactsCommand>(
    name: Name,
    asked: Asked<Name>,
  ): Promise<FactsResult | null> {
    const { notify, text } = this.context();
    try {
      const result: FactsResult = await this.context().api.act(name, asked);
      const [first] = result.failed;
      if (first) {
        const reason = problem(this.context(), { ...first, message: first.code });
        const count = result.failed.length;
        notify({ text: text("done.failed", { count, reason }), isError: true });
      }
      return result;
    } catch (error) {
      notify({ text: problem(this.context(), error), isError: true });
      return null;
    }
  }

  async #save(saving: () => Promise<{ fact: Fact }>): Promise<Saved> {
    try {
      return await saving();
    } catch (error) {
      const { code = "offline", data } = (error ?? {}) as Partial<CaesarError>;
      return { code, text: problem(this.context(), error), present: data?.fact ?? null };
    }
  }
}

type FactsCommand =
  | "caesar/facts/pin"
  | "caesar/facts/move"
  | "caesar/facts/delete"
  | "caesar/facts/restore";

function seen(facts: readonly Fact[]): SeenFact[] {
  return facts.map(({ id, revision }) => ({ fact_id: id, revision }));
}
