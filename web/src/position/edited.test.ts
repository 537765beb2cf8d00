import { expect, test } from "vitest";
import type { PositionView } from "../lib/api";
import { edited } from "./edited";

const card = { points: { ones: 3 }, extras: 1, saved: 2, announced: "sixes", elsewhere: true };
const found = { seat: 0, cards: [card], dice: [4, 5, 5], rolls_left: 1 } as unknown as PositionView;

test("a card keeps all of its entries", () => {
  expect(edited(found, undefined).card).toEqual(card);
});

test("dice stay in their places while they are the same", () => {
  const before = { card, dice: [5, 4, 5], rollsLeft: 2 };
  expect(edited(found, before).dice).toEqual([5, 4, 5]);
  expect(edited(found, { ...before, dice: [5, 4, 4] }).dice).toEqual([4, 5, 5]);
});

test("before the first roll there are no rolls to count", () => {
  expect(edited(found, undefined).rollsLeft).toBe(1);
  expect(edited({ ...found, dice: [], rolls_left: 3 }, undefined).rollsLeft).toBeUndefined();
});
