import { expect, test } from "vitest";
import type { RulesView } from "../lib/api";
import { rows, seatsShown } from "./cardLayout";

function box(category: string, column: number, section = "upper") {
  return { id: `${category}_x${column + 1}`, category, name: category, section, column, face: 1, about: "", highest: 5 };
}

test("a row holds the boxes of its category, column by column", () => {
  const rules = { boxes: [box("ones", 0), box("twos", 0), box("chance", 0, "lower"), box("ones", 1), box("twos", 1)] };
  expect(rows(rules as unknown as RulesView, "upper").map((row) => row.ids)).toEqual([
    ["ones_x1", "ones_x2"],
    ["twos_x1", "twos_x2"],
  ]);
});

test("all seats are shown if they fit", () => {
  expect(seatsShown(720, 4, 1, [2])).toEqual([0, 1, 2, 3]);
});

test("a narrow page shows the preferred seats and those that follow, in order", () => {
  expect(seatsShown(330, 6, 1, [4, 1])).toEqual([1, 4, 5]);
  expect(seatsShown(330, 6, 1, [5])).toEqual([0, 1, 5]);
});

test("one seat is shown even if its columns do not fit", () => {
  expect(seatsShown(200, 6, 3, [2])).toEqual([2]);
});
