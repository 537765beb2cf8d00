import { expect, test } from "vitest";
import { newTable, rulesetRef } from "./form";

test("a ruleset reference has only the chosen options", () => {
  expect(rulesetRef("yahtzee", { joker: "", bonus: "35" })).toBe("yahtzee[bonus=35]");
  expect(rulesetRef("yatzy", {})).toBe("yatzy");
});

test("people on this device get their seats at once, and friends' seats stay open", () => {
  const request = newTable({
    ref: "yatzy",
    options: {},
    toml: "",
    seats: [
      { who: "you", name: " Ann " },
      { who: "friend", name: "left over" },
      { who: "greedy", name: "left over" },
    ],
    first: "0",
    advice: "never",
    tutor: 2,
    silence: 60,
  });
  expect(request.seats).toEqual([
    { kind: "person", name: "Ann", here: true },
    { kind: "person", name: "", here: false },
    { kind: "greedy", name: "", here: false },
  ]);
  expect(request.tutor).toBe(0);
});
