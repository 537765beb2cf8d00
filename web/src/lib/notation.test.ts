import { beforeAll, expect, test, vi } from "vitest";
import type { ActionView, RulesView } from "./api";
import { adviceOnKeep, boxNameById, describeAction, digits, faceName, keepNotation, placesOf } from "./notation";

beforeAll(() => {
  vi.stubGlobal("navigator", { languages: ["en-GB"] });
});

test("kept dice are written in ascending order", () => {
  expect(digits([5, 3, 6, 3, 1])).toBe("13356");
  expect(digits([5, 3, 6, 3, 1], [true, false, false, true, false])).toBe("35");
  expect(keepNotation([5, 3], [false, false])).toBe("keep -");
});

test("faces from 10 on are letters", () => {
  expect(digits([12, 9, 10])).toBe("9ac");
  expect(placesOf("ac", [12, 9, 10])).toEqual([true, false, true]);
});

test("a keep has the first places with its dice", () => {
  expect(placesOf("335", [3, 5, 3, 3, 1])).toEqual([true, true, true, false, false]);
  expect(placesOf("-", [3, 5])).toEqual([false, false]);
});

test("the advice on a keep does not depend on which of equal dice are kept", () => {
  const actions = [{ action: "keep 33", value: 20, loss: 0 }] as unknown as readonly ActionView[];
  expect(adviceOnKeep(actions, [3, 1, 3, 3], [false, false, true, true])?.value).toBe(20);
  expect(adviceOnKeep(actions, [3, 1, 3, 3], [true, true, false, false])).toBeUndefined();
});

test("an action names faces and colours as the rules do", () => {
  const poker = { face_names: ["9", "10", "J", "Q", "K", "A"], colours: {} } as unknown as RulesView;
  const kismet = { face_names: [], colours: { black: [1, 6], red: [2, 5], green: [3, 4] } } as unknown as RulesView;
  const plain = { face_names: [], colours: {} } as unknown as RulesView;
  expect(faceName(poker, 2)).toBe("10");
  expect(describeAction("keep 1126", poker)).toBe("Keep 9 9 10 A");
  expect(describeAction("keep 22356", kismet)).toBe("Keep 225 (red), 3 (green) and 6 (black)");
  expect(describeAction("keep 9a", plain)).toBe("Keep 9a");
});

test("a column whose name is a symbol is named in words, and two boxes of a turn are both named", () => {
  const box = (id: string, name: string, column: number) => ({ id, category: "sixes", name, names: {}, column });
  const rules = {
    columns: [1, 1, 1], column_names: ["↓", "!", "Last"], announced: [false, true, false], orders: ["down", "free", "free"],
    boxes: [box("sixes_down", "Sixes (↓)", 0), box("sixes_called", "Sixes (!)", 1), box("sixes_last", "Sixes (Last)", 2)],
  } as unknown as RulesView;
  expect(rules.boxes.map(({ id }) => boxNameById(rules, id))).toEqual(["Sixes (down)", "Sixes (announced)", "Sixes (Last)"]);
  expect(boxNameById(rules, "sixes_down+sixes_last")).toBe("Sixes (down) and Sixes (Last)");
});
