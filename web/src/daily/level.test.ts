import { beforeAll, expect, test, vi } from "vitest";
import { levelWords } from "./level";

beforeAll(() => {
  vi.stubGlobal("navigator", { languages: ["en-GB"] });
});

function levels(...lost: number[]): { level: string; name: string; lost: number; score: null }[] {
  return lost.map((one, index) => ({ level: `level_${index + 1}`, name: "", lost: one, score: null }));
}

test("a result lies between the levels that lost more and less, or beside one of them", () => {
  const found = [12, 6, 5, 0, 30].map((lost) => levelWords({ lost, levels: levels(20, 10, 5, 0) }));
  expect(found).toEqual([
    "between Level 1: Newcomer and Level 2: Beginner",
    "between Level 2: Beginner and Level 3: Sunday player",
    "between Level 3: Sunday player and Level 4: Family player",
    "as good as Level 4: Family player",
    "below Level 1: Newcomer",
  ]);
  expect(levelWords({ lost: 3, levels: [] })).toBe("");
});

test("where a weaker level lost less than a stronger one, the levels are counted", () => {
  expect(levelWords({ lost: 12, levels: levels(10, 20, 5, 0) })).toBe("better than 1 of 4 computer levels");
});
