/** One event of memory, in words. */

import { html, nothing, type TemplateResult } from "lit";
import type { Context } from "../context";
import type { MemoryEvent } from "../protocol";
import { css } from "./css";
import { icon, type Icon } from "./icons";

const ICONS: [RegExp, Icon][] = [
  [/added|restored|accepted/, "add"],
  [/confirmed|settled/, "check"],
  [/deleted|removed|rejected|dismissed/, "delete"],
  [/updated|edited/, "edit"],
  [/moved|move_undone|handed_over/, "move"],
  [/suggested|asked/, "bulb"],
  [/set_aside/, "alert"],
  [/retried/, "undo"],
  [/opened/, "eye"],
  [/mapped/, "person"],
];

export const eventStyle = css`
  .event {
    display: flex;
    gap: 12px;
    padding: 12px 0;
    border-top: 1px solid var(--line);
  }
  .event:first-child {
    border-top: 0;
  }
  .event > .icon {
    color: var(--quiet);
    margin-top: 1px;
  }
  .change del {
    color: var(--quiet);
  }
  .change ins {
    text-decoration: none;
    font-weight: 500;
  }
`;

/** `more` stands below the words, as a button to go back to this value. */
export function eventRow(
  context: Context,
  event: MemoryEvent,
  more: TemplateResult | typeof nothing = nothing,
): TemplateResult {
  return html`<li class="event" data-id=${event.id}>
    ${icon(ICONS.find(([kinds]) => kinds.test(event.kind))?.[1] ?? "history")}
    <div class="grow">
      <div>${title(context, event)}</div>
      ${change(context, event)}
      <div class="quiet small">${details(context, event)}</div>
      ${more}
    </div>
  </li>`;
}

export function title(context: Context, event: MemoryEvent): string {
  const { voice } = event;
  const key = event.kind.replace(/^memory\./, "").replace(/\./g, "_");
  return (
    context.text(`event.${key}${voice && !voice.mapped ? "_not" : ""}`, {
      name: event.moved?.source.name ?? voice?.name ?? "",
      count: event.moved?.facts ?? 0,
      owner: event.owner.name,
    }) || event.kind
  );
}

/** Whether an event left a value that a fact can be given again. */
export function leftAValue(event: MemoryEvent): boolean {
  return event.after !== null && !/suggested|rejected/.test(event.kind);
}

function change(
  context: Context,
  { before, after }: MemoryEvent,
): TemplateResult | typeof nothing {
  const shown = after ?? before;
  if (!shown) return nothing;
  const text = (state: typeof shown) => (state.secret ? "••••••" : state.value);
  const replaced = before && after && text(before) !== text(after) ? before : null;
  const renamed = before && after && before.key !== after.key ? before.key : null;
  return html`<div class="change bidi">
    <span class="mono quiet"
      >${renamed ? html`<del>${renamed}</del> → ` : nothing}${shown.key}</span
    >
    ${replaced ? html`<del class="bidi">${text(replaced)}</del> → ` : nothing}
    ${after
      ? html`<ins class="bidi">${text(after)}</ins>`
      : html`<del class="bidi">${text(shown)}</del>`}
    ${after?.quote && !after.secret
      ? html`<div class="quiet bidi">${context.text("quoted", { quote: after.quote })}</div>`
      : nothing}
  </div>`;
}

function details(context: Context, event: MemoryEvent): string {
  const { actor, correction, reason, usage, at } = event;
  const words = [
    context.format.full(at),
    actor && context.text("event.by", { name: actor.name }),
    correction && context.text("event.correction"),
    reason && reasonText(context, reason),
    usage &&
      context.text("event.usage", {
        model: usage.model,
        tokens: context.format.number(usage.input_tokens + usage.output_tokens),
      }),
  ];
  return words.filter(Boolean).join(" · ");
}

/** A word of the code as a person would say it. */
export function reasonText(context: Context, reason: string): string {
  return context.text(`reason.${reason}`) || reason.replace(/_/g, " ");
}
