import { expect, test } from "vitest";
import { type Hand, handOf, oneIn, ROLLS } from "./hand";

test("the rolls of each hand are counted right", () => {
  const counted: Partial<Record<Hand, number>> = {};
  for (let roll = 0; roll < 6 ** 5; roll++) {
    const dice = [0, 1, 2, 3, 4].map((place) => 1 + (Math.floor(roll / 6 ** place) % 6));
    const hand = handOf(dice);
    counted[hand] = (counted[hand] ?? 0) + 1;
  }
  expect(counted).toEqual(ROLLS);
});

test("hands are told apart as people do", () => {
  expect(handOf([2, 3, 4, 5, 1])).toBe("largeStraight");
  expect(handOf([3, 4, 5, 6, 6])).toBe("smallStraight");
  expect(handOf([3, 5, 6, 6, 1])).toBe("pair");
  expect(handOf([1, 2, 4, 5, 6])).toBe("mixed");
  expect([oneIn("five"), oneIn("fullHouse")]).toEqual([1296, 26]);
});
