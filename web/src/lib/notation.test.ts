import { expect, test } from "vitest";
import type { ActionView } from "./api";
import { adviceOnKeep, digits, keepNotation, placesOf } from "./notation";

test("kept dice are written in ascending order", () => {
  expect(digits([5, 3, 6, 3, 1])).toBe("13356");
  expect(digits([5, 3, 6, 3, 1], [true, false, false, true, false])).toBe("35");
  expect(keepNotation([5, 3], [false, false])).toBe("keep -");
});

test("a keep has the first places with its dice", () => {
  expect(placesOf("335", [3, 5, 3, 3, 1])).toEqual([true, true, true, false, false]);
  expect(placesOf("-", [3, 5])).toEqual([false, false]);
});

test("the advice on a keep does not depend on which of equal dice are kept", () => {
  const actions = [{ action: "keep 33", value: 20, loss: 0 }] as unknown as readonly ActionView[];
  expect(adviceOnKeep(actions, [3, 1, 3, 3], [false, false, true, true])?.value).toBe(20);
  expect(adviceOnKeep(actions, [3, 1, 3, 3], [true, true, false, false])).toBeUndefined();
});
