import { expect, test } from "vitest";
import { EVERYTHING, families, select, type FactQuery } from "../src/model/selection";
import { fact } from "./facts";

const beans = fact();
const coffee = fact({
  id: 2,
  owner: "household",
  key: "preference.coffee",
  value: "Café crème",
  sentence: "You prefer Café crème.",
  quote: null,
  confidence: 0.5,
  last_confirmed_at: "2026-11-25T10:00:00+00:00",
});
const street = fact({
  id: 3,
  key: "address.street",
  value: "Hauptstraße 9",
  sentence: "You live in Hauptstraße 9.",
  quote: "ich wohne da",
  first_seen_at: "2025-01-01T10:00:00+00:00",
  last_confirmed_at: "2026-11-22T10:00:00+00:00",
});
const ALL = [beans, coffee, street];

function found(asked: Partial<FactQuery>): number[] {
  const wanted = (one: typeof beans) => one.id === 3;
  return select(ALL, { ...EVERYTHING, ...asked }, wanted, "en").map(({ id }) => id);
}

test("without a wish the last confirmed stands first", () => {
  expect(found({})).toEqual([2, 3, 1]);
});

test("every word that is searched must stand somewhere, whatever its case and accents", () => {
  expect(found({ text: "BEANS dog" })).toEqual([1]);
  expect(found({ text: "cafe creme" })).toEqual([2]);
  expect(found({ text: "hauptstrasse" })).toEqual([3]);
  expect(found({ text: "beans coffee" })).toEqual([]);
});

test("the person's own words and the key are searched as well", () => {
  expect(found({ text: "wohne" })).toEqual([3]);
  expect(found({ text: "preference.coffee" })).toEqual([2]);
});

test("filters for owner, family and what needs a look work together", () => {
  expect(found({ owner: "household" })).toEqual([2]);
  expect(found({ family: "address" })).toEqual([3]);
  expect(found({ attention: true })).toEqual([3]);
  expect(found({ attention: true, owner: "household" })).toEqual([]);
});

test("each column sorts both ways, numbers in words by their size", () => {
  expect(found({ sort: "key", descending: false })).toEqual([3, 1, 2]);
  expect(found({ sort: "confidence", descending: true })).toEqual([3, 1, 2]);
  expect(found({ sort: "first_seen_at", descending: false })[0]).toBe(3);
  const dogs = [10, 9].map((id) => fact({ id, key: `dog.${id}.name` }));
  const sorted = select(dogs, { ...EVERYTHING, sort: "key", descending: false }, () => true, "en");
  expect(sorted.map(({ id }) => id)).toEqual([9, 10]);
});

test("families are counted by the first part of the key", () => {
  expect(families([...ALL, fact({ id: 4, key: "dog.age" })])).toEqual([
    ["address", 1],
    ["dog", 2],
    ["preference", 1],
  ]);
});
