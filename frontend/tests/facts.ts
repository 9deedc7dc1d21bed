/** Facts for tests. */

import type { Fact } from "../src/protocol";

export function fact(changed: Partial<Fact> = {}): Fact {
  return {
    id: 1,
    owner: "user:ann",
    key: "dog.name",
    value: "Beans",
    sentence: "Your dog's name is Beans.",
    confidence: 0.9,
    first_seen_at: "2026-11-01T10:00:00+00:00",
    last_confirmed_at: "2026-11-20T10:00:00+00:00",
    source: 7,
    quote: "my dog's name is Beans",
    origin: "told",
    pinned: false,
    language: "en",
    expires_at: null,
    revision: 1,
    secret: false,
    ...changed,
  };
}
