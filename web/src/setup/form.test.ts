import { expect, test } from "vitest";
import { chosenOptions, isAlone, newTable, type SeatForm } from "./form";

const NAMES = { you: "Ann", player: (number: number) => `Player ${number}` };

test("only options that differ from their defaults are sent", () => {
  expect(chosenOptions({ joker: "", bonus: "35" })).toEqual({ bonus: "35" });
});

test("people on this device get their seats and names at once, and friends' seats stay open", () => {
  const request = newTable(
    {
      ref: "yatzy",
      options: { joker: "free" },
      toml: "",
      seats: [
        { who: "you", name: "left over" },
        { who: "friend", name: "left over" },
        { who: "here", name: " Ben " },
        { who: "here", name: " " },
        { who: "greedy", name: "left over" },
      ],
      first: "0",
      help: "tutor",
      pace: 60,
      casual: true,
    },
    NAMES,
  );
  expect(request.seats).toEqual([
    { kind: "person", name: "Ann", here: true },
    { kind: "person", name: "", here: false },
    { kind: "person", name: "Ben", here: true },
    { kind: "person", name: "Player 4", here: true },
    { kind: "greedy", name: "", here: false },
  ]);
  expect(request).toMatchObject({ rules: "yatzy", options: { joker: "free" }, help: "tutor", casual: true, pace: 60 });
});

test("a game is alone without another person, whatever computers play", () => {
  const [you, computer, friend, here] = ["you", "greedy", "friend", "here"].map((who) => ({ who, name: "" })) as [SeatForm, SeatForm, SeatForm, SeatForm];
  expect([[you], [you, computer], [you, friend], [you, computer, here]].map(isAlone)).toEqual([true, true, false, false]);
});
