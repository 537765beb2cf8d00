import { expect, test } from "vitest";
import { newTable, rulesetRef } from "./form";

test("a rulesetRef has only the options that were chosen", () => {
  expect(rulesetRef("yahtzee", { joker: "", bonus: "35" })).toBe("yahtzee[bonus=35]");
  expect(rulesetRef("yatzy", {})).toBe("yatzy");
});

test("the creator's browser takes the seats of those who are here, and friends' stay open", () => {
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
