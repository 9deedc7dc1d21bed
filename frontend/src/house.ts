/** What the panel hears from the house for as long as it is open. */

import type { Api } from "./api";
import type { Unsubscribe } from "./hass";
import { FactStore } from "./model/store";
import type { ChangesEvent, FactsEvent, Me, OwnerId, Suggestion } from "./protocol";

/** `refused`: this Home Assistant has no CAESAR that answers, or not to this person. */
export type HouseState = "loading" | "ready" | "unavailable" | "refused";

export class House {
  store = new FactStore();
  me: Me | null = null;
  suggestions: readonly Suggestion[] = [];
  opened: OwnerId | null = null;
  state: HouseState = "loading";
  /** Counts up when pages and lists are out of date. */
  changes = 0;

  #language = "";
  #facts: Promise<Unsubscribe> | null = null;
  #news: Promise<Unsubscribe> | null = null;
  /** Counts up with every new subscription; what an older one tells is not heard. */
  #turn = 0;

  constructor(
    private readonly api: Api,
    private readonly changed: () => void,
    private readonly refused: (error: unknown) => void,
  ) {}

  /** Begin, or begin anew in another language; nothing where that was done already. */
  listen(language: string): void {
    if (language === this.#language && this.#facts) return;
    this.#language = language;
    this.#subscribeFacts();
    this.#news ??= this.#watch(
      this.api.subscribe("caesar/changes/subscribe", {}, (event) => this.#onChange(event)),
    );
  }

  leave(): void {
    for (const subscription of [this.#facts, this.#news]) end(subscription);
    this.#facts = this.#news = null;
  }

  again(): void {
    this.leave();
    this.state = "loading";
    this.changed();
  }

  /** Show the facts of another person, or one's own again. */
  open(owner: OwnerId | null): void {
    if (owner === this.opened) return;
    this.opened = owner;
    this.store = new FactStore();
    this.#subscribeFacts();
    this.changed();
  }

  /** Somebody's facts may not be seen any more; back to one's own. */
  #close(reason: unknown): void {
    this.open(null);
    this.refused(reason);
  }

  #subscribeFacts(): void {
    end(this.#facts);
    const turn = ++this.#turn;
    const owner = this.opened ? { owner: this.opened } : {};
    this.#facts = this.#watch(
      this.api.subscribe(
        "caesar/facts/subscribe",
        owner,
        (event) => turn === this.#turn && this.#onFacts(event),
      ),
    );
  }

  #watch(subscription: Promise<Unsubscribe>): Promise<Unsubscribe> {
    subscription.catch((error: unknown) => {
      if (this.opened) return this.#close(error);
      this.state = "refused";
      this.changed();
    });
    return subscription;
  }

  #onFacts(event: FactsEvent): void {
    if (event.type === "unavailable") {
      if (this.opened && event.translation_key) return this.#close(event);
      this.state = "unavailable";
    } else if (this.store.apply(event)) {
      this.state = "ready";
      if (event.type === "snapshot") this.#onSnapshot(event.me);
    } else {
      this.#subscribeFacts();
    }
    this.changed();
  }

  #onSnapshot(me: Me): void {
    this.me = me;
    void this.#loadSuggestions();
  }

  #onChange(event: ChangesEvent): void {
    if (event.type === "unavailable") return;
    this.changes += 1;
    this.changed();
    void this.#loadSuggestions();
  }

  async #loadSuggestions(): Promise<void> {
    const found = await this.api.call("caesar/suggestions/list", {}).catch(() => null);
    if (!found) return;
    this.suggestions = found.suggestions;
    this.changed();
  }
}

function end(subscription: Promise<Unsubscribe> | null): void {
  void subscription?.then(
    (unsubscribe) => unsubscribe(),
    () => undefined,
  );
}
