import { expect, test } from "vitest";
import { FactStore } from "../src/model/store";
import type { Me } from "../src/protocol";
import { fact } from "./facts";

const me = {} as Me;

function filled(): FactStore {
  const store = new FactStore();
  store.apply({ type: "snapshot", rev: 5, me, facts: [fact(), fact({ id: 2 })] });
  return store;
}

test("a change puts and takes away", () => {
  const store = filled();
  const rex = fact({ value: "Rex", revision: 2 });
  expect(store.apply({ type: "changed", rev: 6, put: [rex], del: [2] })).toBe(true);
  expect(store.all).toEqual([rex]);
});

test("whoever missed a change is told so, and keeps what was there", () => {
  const store = filled();
  expect(store.apply({ type: "changed", rev: 7, put: [], del: [1, 2] })).toBe(false);
  expect(store.all.map(({ id }) => id)).toEqual([1, 2]);
});

test("a new snapshot replaces everything", () => {
  const store = filled();
  store.apply({ type: "snapshot", rev: 1, me, facts: [fact({ id: 9 })] });
  expect(store.get(1)).toBeUndefined();
  expect(store.apply({ type: "changed", rev: 2, put: [], del: [9] })).toBe(true);
  expect(store.all).toEqual([]);
});
