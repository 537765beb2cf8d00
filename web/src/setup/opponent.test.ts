import { expect, test } from "vitest";
import type { GameView } from "../lib/api";
import { levelKind, nextLevel, numberOf } from "./opponent";

/** A finished game of this browser, in its first seat, against a kind of player; with the ranks of both. */
function game(kind: string, ranks: readonly [number, number] = [1, 2], state: GameView["state"] = "over"): GameView {
  const seats = ["person", kind].map((kind, seat) => ({ name: kind, kind, total: 0, rank: ranks[seat] ?? null, resigned: false }));
  return { table: "t", rules: "yahtzee", name: "Yahtzee", state, seats, yours: [0], round: null, rounds: 13, to_move: null, at: 0, updated: 0, imported: null, offline: false, dice: "program" };
}

test("there is no level below the first and none above the ninth", () => {
  expect([0, 4, 10].map(levelKind)).toEqual(["level_1", "level_4", "level_9"]);
});

test("only levels have a number", () => {
  expect(["level_1", "level_9", "greedy", "person"].map(numberOf)).toEqual([1, 9, 0, 0]);
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
