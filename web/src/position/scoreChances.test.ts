import { expect, test } from "vitest";
import { atLeast, bars, between, type Pairs, steps } from "./scoreChances";

const pairs: Pairs = [[10, 0.25], [11, 0], [12, 0.5], [13, 0.25]];

test("a target's chance is the sum of the scores that reach it", () => {
  expect([9, 10, 11, 12, 13, 14].map((score) => atLeast(pairs, score))).toEqual([1, 1, 0.75, 0.75, 0.25, 0]);
});

test("the middle share of games lies between two scores", () => {
  expect(between(pairs, 0.4)).toEqual([12, 12]);
  expect(between(pairs, 0.9)).toEqual([10, 13]);
});

test("bars join equally many scores and keep their sum", () => {
  expect(bars(pairs, 10)).toEqual([
    { from: 10, to: 11, chance: 0.25 }, { from: 11, to: 12, chance: 0 }, { from: 12, to: 13, chance: 0.5 }, { from: 13, to: 14, chance: 0.25 },
  ]);
  const many: Pairs = Array.from({ length: 500 }, (_, score) => [score, 1 / 500]);
  const found = bars(many, 60);
  expect(found.length).toBeLessThanOrEqual(60);
  expect(found.reduce((sum, bar) => sum + bar.chance, 0)).toBeCloseTo(1);
});

test("steps are round numbers", () => {
  expect(steps(12, 61, 6)).toEqual([20, 30, 40, 50, 60]);
});
