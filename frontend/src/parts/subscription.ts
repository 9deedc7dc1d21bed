/** The latest event of a subscription, for as long as an element is in the page. */

import type { ReactiveController, ReactiveControllerHost } from "lit";
import { problem, type Context } from "../context";
import type { Unsubscribe } from "../hass";

type Heard<Event> = Exclude<Event, { type: "unavailable" }>;

export class Latest<Event extends { type: string }> implements ReactiveController {
  event: Heard<Event> | null = null;
  failed = "";
  #subscribed: Promise<Unsubscribe> | null = null;
  #turn = 0;

  constructor(
    private readonly host: ReactiveControllerHost & { context: Context },
    private readonly subscribe: (listener: (event: Event) => void) => Promise<Unsubscribe>,
  ) {
    host.addController(this);
  }

  hostUpdate(): void {
    if (!this.#subscribed) this.again();
  }

  hostDisconnected(): void {
    this.#end();
  }

  /** Subscribe anew, as with another question. */
  again(): void {
    this.#end();
    const turn = ++this.#turn;
    this.#subscribed = this.subscribe((event) => {
      if (turn !== this.#turn || event.type === "unavailable") return;
      this.event = event as Heard<Event>;
      this.failed = "";
      this.host.requestUpdate();
    });
    this.#subscribed.catch((error: unknown) => {
      this.failed = problem(this.host.context, error);
      this.host.requestUpdate();
    });
  }

  #end(): void {
    void this.#subscribed?.then(
      (unsubscribe) => unsubscribe(),
      () => undefined,
    );
    this.#subscribed = null;
  }
}
