import { expect, test } from "vitest";
import { EVEN, GAMES, opponent } from "./opponent";

test("an easy game is two levels below an even one, and a hard one two above", () => {
  expect(GAMES.map((game) => opponent(game, EVEN))).toEqual(["level_2", "level_4", "level_6"]);
});

test("there is no level below the first and none above the ninth", () => {
  expect(opponent("easy", 1)).toBe("level_1");
  expect(opponent("hard", 9)).toBe("level_9");
});

test("another choice is the kind itself", () => {
  expect(opponent("greedy", EVEN)).toBe("greedy");
});
