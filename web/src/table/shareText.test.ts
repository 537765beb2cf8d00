import { beforeAll, expect, test, vi } from "vitest";
import type { ReviewView } from "../lib/api";
import { shareText, symbols } from "./shareText";

const PLAIN = { face_names: [] };

beforeAll(() => {
  vi.stubGlobal("navigator", { languages: ["en-GB"] });
});

function reviewed(loss: number, luck: number, ...marks: ("inaccuracy" | "mistake" | "blunder" | null)[]): ReviewView["seats"][number] {
  return { loss, luck, turns: marks.map((mark) => ({ mark })) } as unknown as ReviewView["seats"][number];
}

test("dice are symbols, and names or numbers where there is no symbol", () => {
  expect(symbols([1, 2, 3, 4, 5, 6], PLAIN)).toBe("⚀⚁⚂⚃⚄⚅");
  expect(symbols([1, 7, 12], PLAIN)).toBe("1-7-12");
  expect(symbols([1, 1, 3, 4, 6], { face_names: ["9", "10", "J", "Q", "K", "A"] })).toBe("9-9-J-Q-A");
});

test("the text has the best dice, the result, a mark for every turn, and whole points", () => {
  const seat = reviewed(27.4, 15.2, null, "inaccuracy", "mistake", null, "blunder");
  const best = { dice: [4, 4, 4, 4, 4], points: 120 };
  expect(shareText({ game: "Yahtzee", total: 243, rules: PLAIN, outcome: "Lost by 12", best, reviewed: seat })).toBe(
    "Yahtzee 243 ⚃⚃⚃⚃⚃\nLost by 12\n✓ ?! ? ✓ ??\n27 points lost in decisions, luck +15",
  );
  expect(shareText({ game: "Yatzy", total: 9, rules: PLAIN, outcome: "", reviewed: reviewed(1.2, -0.3, null) })).toBe(
    "Yatzy 9\n✓\n1 point lost in decisions, luck 0",
  );
});

test("without a best turn and a review, the text is the game, the total, also of 0, and the result", () => {
  expect(shareText({ game: "Yahtzee", total: 243, rules: PLAIN, outcome: "Won by 3" })).toBe("Yahtzee 243\nWon by 3");
  expect(shareText({ game: "Yahtzee", total: 0, rules: PLAIN, outcome: "Gave up" })).toBe("Yahtzee 0\nGave up");
});
