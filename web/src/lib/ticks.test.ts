import { expect, test } from "vitest";
import { ticks } from "./ticks";

test("ticks are round and enclose all values", () => {
  expect(ticks(203, 291)).toEqual([200, 220, 240, 260, 280, 300]);
  for (const [low, high] of [[0, 1], [-3, 12], [254, 254], [0.2, 0.4]] as const) {
    const found = ticks(low, high);
    expect(found[0]).toBeLessThanOrEqual(low);
    expect(found.at(-1)).toBeGreaterThanOrEqual(high);
    expect(found.length).toBeGreaterThanOrEqual(2);
  }
});
