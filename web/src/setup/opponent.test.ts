import { expect, test } from "vitest";
import type { GameView } from "../lib/api";
import { GAMES, nextLevel, numberOf, opponent } from "./opponent";

/** A finished game of this browser, in its first seat, against a kind of player; with the ranks of both. */
function game(kind: string, ranks: readonly [number, number] = [1, 2], state: GameView["state"] = "over"): GameView {
  const seats = ["person", kind].map((kind, seat) => ({ name: kind, kind, total: 0, rank: ranks[seat] ?? null, resigned: false }));
  return { table: "t", rules: "yahtzee", name: "Yahtzee", state, seats, yours: [0], round: null, rounds: 13, to_move: null, at: 0, updated: 0, imported: null, offline: false, dice: "program" };
}

test("an easy game is two levels below an even one, and a hard one two above", () => {
  expect(GAMES.map((game) => opponent(game, 4))).toEqual(["level_2", "level_4", "level_6"]);
});

test("there is no level below the first and none above the ninth", () => {
  expect(opponent("easy", 1)).toBe("level_1");
  expect(opponent("hard", 9)).toBe("level_9");
});

test("only levels have a number", () => {
  expect(["level_1", "level_9", "greedy", "person"].map(numberOf)).toEqual([1, 9, 0, 0]);
});

test("another choice is the kind itself", () => {
  expect(opponent("greedy", 4)).toBe("greedy");
});

test("who has beaten a level twice in a row is offered the next one", () => {
  expect(nextLevel([game("level_4"), game("level_4")], 4)).toBe(5);
  expect(nextLevel([game("level_6"), game("level_6"), game("level_6", [2, 1])], 4)).toBe(7);
});

test("games without a level, and those that are not over, do not count between the two", () => {
  expect(nextLevel([game("level_4", [1, 2], "playing"), game("greedy", [2, 1]), game("level_4"), game("person"), game("level_4")], 4)).toBe(5);
});

test("one win, a tie, a defeat or another level is not twice in a row", () => {
  expect(nextLevel([game("level_4")], 4)).toBeUndefined();
  expect(nextLevel([game("level_4"), game("level_4", [1, 1])], 4)).toBeUndefined();
  expect(nextLevel([game("level_4", [2, 1]), game("level_4"), game("level_4")], 4)).toBeUndefined();
  expect(nextLevel([game("level_4"), game("level_3")], 4)).toBeUndefined();
});

test("nothing is offered above perfect play, nor what an even game is already", () => {
  expect(nextLevel([game("level_9"), game("level_9")], 4)).toBeUndefined();
  expect(nextLevel([game("level_4"), game("level_4")], 5)).toBeUndefined();
});
