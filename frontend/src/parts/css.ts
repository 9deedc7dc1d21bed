/** Lit's tag for styles, without its checks of what is put into them. */

import { unsafeCSS, type CSSResult } from "lit";

/** The values are our own numbers alone. */
export function css(strings: TemplateStringsArray, ...values: number[]): CSSResult {
  return unsafeCSS(String.raw({ raw: strings }, ...values));
}
