import { expect, test } from "vitest";
import { reviewTurns, ticks } from "./review";

test("a turn has the luck of its rolls, the loss of its decisions, and the value after the last", () => {
  const seat = {
    rolls: [
      { turn: 0, before: 10, after: 12, luck: 2 },
      { turn: 0, before: 11, after: 14, luck: 3 },
      { turn: 2, before: 14, after: 13, luck: -1 },
    ],
    decisions: [
      { turn: 0, loss: 1, value: 11 },
      { turn: 0, loss: 0, value: 14 },
    ],
  };
  expect(reviewTurns(seat as unknown as Parameters<typeof reviewTurns>[0])).toEqual([
    { number: 1, turn: 0, luck: 5, loss: 1, value: 14 },
    { number: 2, turn: 2, luck: -1, loss: 0, value: 13 },
  ]);
});

test("ticks are round and enclose all values", () => {
  expect(ticks(203, 291)).toEqual([200, 220, 240, 260, 280, 300]);
  for (const [low, high] of [[0, 1], [-3, 12], [254, 254], [0.2, 0.4]] as const) {
    const found = ticks(low, high);
    expect(found[0]).toBeLessThanOrEqual(low);
    expect(found.at(-1)).toBeGreaterThanOrEqual(high);
    expect(found.length).toBeGreaterThanOrEqual(2);
  }
});
