/** What all elements of the panel have in common. */

import { LitElement, type PropertyValues } from "lit";
import { property } from "./decorators";
import { problem, type Context } from "../context";
import { shared } from "./styles";

export class PanelElement extends LitElement {
  static override styles = [shared];

  @property() context!: Context;

  get narrow(): boolean {
    return this.context.narrow;
  }

  protected override update(changed: PropertyValues): void {
    this.toggleAttribute("narrow", this.narrow);
    super.update(changed);
  }

  protected t(key: string, values?: Record<string, unknown>): string {
    return this.context.text(key, values);
  }

  /** Do something that can fail, and tell the person if it did. */
  protected async attempt<Result>(doing: Promise<Result>): Promise<Result | null> {
    try {
      return await doing;
    } catch (error) {
      this.context.notify({ text: problem(this.context, error), isError: true });
      return null;
    }
  }
}

/**
 * Elements are defined once; a second bundle in the same tab leaves the first ones be.
 *
 * The build takes the plain decorators away and names their properties here instead.
 */
export function define(tag: string, element: typeof LitElement, properties = ""): void {
  if (customElements.get(tag)) return;
  for (const name of properties.split(" ").filter(Boolean)) {
    element.createProperty(name, { attribute: false });
  }
  customElements.define(tag, element);
}

/** The text of the input, select or textarea that an event comes from. */
export function inputText(event: Event): string {
  return (event.target as HTMLInputElement).value;
}
