import { beforeAll, expect, test, vi } from "vitest";
import type { ReviewView } from "../lib/api";
import { bestDice, shareText, symbols } from "./shareText";

const RECORD = `fivedice record 1
seats: Ann=human,greedy
result: 66 30, seat 0 wins

0: 13345, keep 33, 23356, keep 33, 13336, score threes = 9
1: 66666, score yahtzee = 50
0: 44444, score fours = 20 +100
0: 22233, score full_house = 25
1: 12345
`;

beforeAll(() => {
  vi.stubGlobal("navigator", { languages: ["en-GB"] });
});

function reviewed(loss: number, luck: number, ...marks: ("inaccuracy" | "mistake" | "blunder" | null)[]): ReviewView["seats"][number] {
  return { loss, luck, turns: marks.map((mark) => ({ mark })) } as unknown as ReviewView["seats"][number];
}

test("the best turn of a seat counts its bonus, and is none before the first score", () => {
  expect(bestDice(RECORD, 0)).toBe("44444");
  expect(bestDice(RECORD, 1)).toBe("66666");
  expect(bestDice(RECORD, 2)).toBe("");
});

test("faces with names are written by them", () => {
  expect(symbols("11346", ["9", "10", "J", "Q", "K", "A"])).toBe("9-9-J-Q-A");
});

test("dice are symbols, and digits above six", () => {
  expect(symbols("1234567")).toBe("⚀⚁⚂⚃⚄⚅7");
});

test("the text has the dice of the best turn, a mark for every turn, and whole points", () => {
  const seat = reviewed(27.4, 15.2, null, "inaccuracy", "mistake", null, "blunder");
  expect(shareText({ game: "Yahtzee", total: 243, record: RECORD, seat: 0, reviewed: seat })).toBe(
    "Yahtzee 243 ⚃⚃⚃⚃⚃\n✓ ?! ? ✓ ??\n27 points lost in decisions, luck +15",
  );
  expect(shareText({ game: "Yatzy", total: 9, seat: 0, reviewed: reviewed(1.2, -0.3, null) })).toBe(
    "Yatzy 9\n✓\n1 point lost in decisions, luck 0",
  );
});

test("without a record and a review, the text is the game and the total", () => {
  expect(shareText({ game: "Yahtzee", total: 243, seat: 0 })).toBe("Yahtzee 243");
});
