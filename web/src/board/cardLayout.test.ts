import { expect, test } from "vitest";
import type { RulesView } from "../lib/api";
import { columnWidths, pointsWidth, ROOMY_NAMES, rows, seatsShown, seatsThatFit } from "./cardLayout";

function box(category: string, column: number, section = "upper") {
  return { id: `${category}_x${column + 1}`, category, name: category, section, column, face: 1, about: "", highest: 5 };
}

test("a row holds the boxes of its category, column by column", () => {
  const rules = { columns: [1, 2], boxes: [box("ones", 0), box("twos", 0), box("chance", 0, "lower"), box("ones", 1), box("twos", 1)] };
  expect(rows(rules as unknown as RulesView, "upper").map((row) => row.ids)).toEqual([
    ["ones_x1", "ones_x2"],
    ["twos_x1", "twos_x2"],
  ]);
});

test("a row is called by its category, without the name of the first column", () => {
  const boxes = [{ ...box("fours", 0), name: "Fours (1)" }, { ...box("fours", 1), name: "Fours (2)" }];
  const names = (columns: number[]) => rows({ columns, boxes: boxes.slice(0, columns.length) } as unknown as RulesView, "upper").map((row) => row.name);
  expect(names([1, 1])).toEqual(["Fours"]);
  expect(names([1])).toEqual(["Fours (1)"]);
});

test("all seats are shown if they fit", () => {
  expect(seatsThatFit(720, 1, false, 5)).toBeGreaterThan(4);
  expect(seatsShown(4, 4, [2])).toEqual([0, 1, 2, 3]);
});

test("three seats fit on a narrow phone, or one with three columns", () => {
  for (const isPaired of [false, true]) {
    expect(seatsThatFit(342, 1, isPaired, 3)).toBe(3);
    expect(seatsThatFit(342, 3, isPaired, 3)).toBe(1);
    expect(seatsThatFit(200, 3, isPaired, 3)).toBe(1);
  }
});

test("where not all seats fit beside each other, those that are shown have room for long names", () => {
  expect(seatsThatFit(458, 1, false, 6)).toBe(3);
  expect(seatsThatFit(458, 1, false, 5)).toBe(5);
});

test("where not all fit, the preferred seats and those that follow are shown, in order", () => {
  expect(seatsShown(3, 6, [4, 1])).toEqual([1, 4, 5]);
  expect(seatsShown(3, 6, [5])).toEqual([0, 1, 5]);
  expect(seatsShown(1, 6, [2])).toEqual([2]);
});

test("the own column is the widest, and several own columns are equal", () => {
  expect(columnWidths([true, false, false], 22)).toEqual([2.75, 1.625, 1.625]);
  expect(columnWidths([true, true], 22)).toEqual([2.75, 2.75]);
  expect([22, 19].map((card) => columnWidths([false, false, false, false], card)[0])).toEqual([1.875, 1.5625]);
});

test("the more columns of points and the larger the text, the narrower a column, but names keep room", () => {
  expect([1, 2, 4, 6].map((columns) => pointsWidth(44, columns))).toEqual([8, 8, 6.6, 4.4].map((width) => expect.closeTo(width)));
  expect(44 - 2 * pointsWidth(44, 2)).toBeGreaterThan(ROOMY_NAMES);
  expect(12.2 - pointsWidth(12.2, 1)).toBeCloseTo(8.5);
});
