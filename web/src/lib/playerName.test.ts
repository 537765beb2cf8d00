import { expect, test } from "vitest";
import names from "./names.json";
import { nameFault } from "./playerName";

// tests/game/test_names.py checks the same names against the server's rule.
test.each([
  ["accepted", undefined],
  ["empty", "nameEmpty"],
  ["long", "nameLong"],
  ["forbidden", "nameForbidden"],
  ["marks", "nameMarks"],
] as const)("the page judges names as the server does: %s", (group, key) => {
  expect(names[group].map((name) => [name, nameFault(name)?.key])).toEqual(names[group].map((name) => [name, key]));
});

test("emoji count as one character each", () => {
  expect(nameFault("\u{1f468}\u200d\u{1f469}\u200d\u{1f467}".repeat(41))).toEqual({ key: "nameLong", n: 41 });
});
