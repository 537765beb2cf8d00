import { expect, test } from "vitest";
import { rulesPath, sourceOf } from "./rulesPage";

test("custom rules are those of the table in the address, all others have a reference", () => {
  expect(sourceOf("yahtzee[joker=free]", "/t/abc", "")).toEqual({ ref: "yahtzee[joker=free]" });
  expect(sourceOf("house.toml", "/t/abc", "")).toEqual({ table: "abc" });
  expect(sourceOf("house.toml[rolls=2]", "/position/house.toml", "?table=abc")).toEqual({ table: "abc" });
  expect(rulesPath({ ref: "yahtzee[joker=free]" })).toBe("/rules/yahtzee%5Bjoker%3Dfree%5D");
  expect(rulesPath({ table: "abc" })).toBe("/rules?table=abc");
});
