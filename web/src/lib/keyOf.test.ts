import { expect, test } from "vitest";
import { keyOf } from "./keyOf";

test.each([
  ["r", "KeyR", false, "r"],
  ["R", "KeyR", false, "r"], // caps lock
  ["R", "KeyR", true, "r"],
  ["z", "KeyY", false, "z"], // a German keyboard
  ["к", "KeyR", false, "r"],
  ["К", "KeyR", false, "r"],
  ["ρ", "KeyR", false, "r"],
  ["&", "Digit1", false, "1"], // a French keyboard
  ["ě", "Digit2", false, "2"], // a Czech one
  ["Dead", "Digit9", false, "9"],
  ["?", "Digit7", true, "?"],
  [" ", "Space", false, " "],
  ["!", "Digit1", true, "!"],
  ["ArrowUp", "ArrowUp", false, "ArrowUp"],
  [";", "Semicolon", false, ";"],
])("the key %s at %s means the same on every keyboard", (key, code, shiftKey, meant) => {
  expect(keyOf({ key, code, shiftKey })).toBe(meant);
});
