import { expect, test } from "vitest";
import { newTable, reference } from "./wanted";

test("a reference has only the options that were chosen", () => {
  expect(reference("yahtzee", { joker: "", bonus: "35" })).toBe("yahtzee[bonus=35]");
  expect(reference("yatzy", {})).toBe("yatzy");
});

test("the creator's browser takes the seats of those who are here, and friends' stay open", () => {
  const wanted = newTable({
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
  expect(wanted.seats).toEqual([
    { kind: "person", name: "Ann", here: true },
    { kind: "person", name: "", here: false },
    { kind: "greedy", name: "", here: false },
  ]);
  expect(wanted.tutor).toBe(0);
});
