import { expect, test } from "vitest";
import { attentionOf, isOver } from "../src/model/attention";
import { bars, line } from "../src/model/plot";
import { pieces, rangesOf } from "../src/model/quotes";
import { pathOf, placeOf } from "../src/model/route";
import { visibleRows } from "../src/model/rows";
import { fact } from "./facts";

const NOW = Date.parse("2026-11-30T12:00:00+00:00");

test("a fact needs a look where it is suggested otherwise, doubtful, or old", () => {
  const none = new Set<number>();
  expect(attentionOf(fact(), none, NOW)).toBeNull();
  expect(attentionOf(fact(), new Set([1]), NOW)).toBe("suggestion");
  expect(attentionOf(fact({ confidence: 0.5 }), none, NOW)).toBe("unsure");
  expect(attentionOf(fact({ confidence: 0.5, origin: "edited" }), none, NOW)).toBeNull();
  const old = fact({ last_confirmed_at: "2025-11-29T12:00:00+00:00" });
  expect(attentionOf(old, none, NOW)).toBe("old");
});

test("a plan is over once its moment has come", () => {
  expect(isOver(fact(), NOW)).toBe(false);
  expect(isOver(fact({ expires_at: "2026-11-30T13:30:00+02:00" }), NOW)).toBe(true);
  expect(isOver(fact({ expires_at: "2026-12-01T00:00:00+00:00" }), NOW)).toBe(false);
});

test("of ten thousand rows only those in sight are in the page", () => {
  expect(visibleRows(10_000, 60, 0, 600)).toEqual({ first: 0, end: 22 });
  const last = visibleRows(10_000, 60, 10_000 * 60 - 600, 600);
  expect(last.end).toBe(10_000);
  expect(last.end - last.first).toBeLessThan(60);
  expect(visibleRows(3, 60, 0, 600)).toEqual({ first: 0, end: 3 });
});

test("rows are in sight too where the list has become shorter than it was scrolled", () => {
  const { first, end } = visibleRows(20, 60, 50_000, 600);
  expect(end).toBe(20);
  expect(end - first).toBeGreaterThan(9);
});

test("quoted words are cut out of a text, even where quotes overlap", () => {
  const text = "By the way, my dog is Beans.";
  expect(pieces(text, rangesOf(text, "my dog is Beans"))).toEqual([
    { text: "By the way, ", quoted: false },
    { text: "my dog is Beans", quoted: true },
    { text: ".", quoted: false },
  ]);
  const overlapping = pieces("abcdef", [[3, 9], [1, 4]]);
  expect(overlapping.map((piece) => piece.text).join("")).toBe("abcdef");
  expect(overlapping[0]).toEqual({ text: "a", quoted: false });
  expect(rangesOf(text, "a cat")).toEqual([]);
});

test("an address says which tab is shown and what is open in it", () => {
  expect(placeOf("/conversations/12")).toEqual({ tab: "conversations", id: 12 });
  expect(placeOf("")).toEqual({ tab: "facts", id: null });
  expect(placeOf("/nothing/x")).toEqual({ tab: "facts", id: null });
  expect(pathOf("/caesar", { tab: "facts", id: 3 })).toBe("/caesar/facts/3");
});

test("a plot reaches from edge to edge and from the ground to the top", () => {
  expect(line([0, 5, 10], 100, 50)).toBe("M0,50L50,25L100,0");
  expect(line([0], 100, 50)).toBe("M0,50");
  expect(bars([0, 10], 100, 50)).toBe("M25,50v0M75,50v-50");
});
