/** Lit's two decorators, in the one form that the panel uses: a fifth of their size. */

import type { PropertyDeclaration, ReactiveElement } from "lit";

type Decorator = (element: ReactiveElement, name: PropertyKey) => void;

/** What an element is given from outside; without options, not by an attribute. */
export function property(options: PropertyDeclaration = { attribute: false }): Decorator {
  return (element, name) => {
    (element.constructor as typeof ReactiveElement).createProperty(name, options);
  };
}

/** What an element keeps for itself and is drawn anew for. */
export function state(): Decorator {
  return property();
}
