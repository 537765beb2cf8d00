import { expect, test } from "vitest";
import { rulesPath, sourceOf } from "./rulesPage";

test("custom rules are those of the table in the address, all others have a reference", () => {
  const shipped = { ref: "yahtzee[joker=free]", is_custom: false };
  const custom = { ref: "house.toml", is_custom: true };
  expect(sourceOf(shipped, "/t/abc", "")).toEqual({ ref: "yahtzee[joker=free]" });
  expect(sourceOf(custom, "/t/abc", "")).toEqual({ table: "abc" });
  expect(sourceOf(custom, "/position/house.toml", "?table=abc")).toEqual({ table: "abc" });
  expect(rulesPath({ ref: "yahtzee[joker=free]" })).toBe("/rules/yahtzee%5Bjoker%3Dfree%5D");
  expect(rulesPath({ table: "abc" })).toBe("/rules?table=abc");
});
