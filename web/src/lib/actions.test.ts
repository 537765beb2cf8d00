import { beforeAll, expect, test, vi } from "vitest";
import { adviceOnKeep, boxNameById, describeAction, diceWords, faceName, keptDice, keptWords, placesOf, withBonus } from "./actions";
import type { ActionView, RulesView } from "./api";

const PLAIN = { face_names: [], colours: {} } as unknown as RulesView;
const POKER = { face_names: ["9", "10", "J", "Q", "K", "A"], colours: {} } as unknown as RulesView;
const KISMET = { face_names: [], colours: { black: [1, 6], red: [2, 5], green: [3, 4] } } as unknown as RulesView;

beforeAll(() => {
  vi.stubGlobal("navigator", { languages: ["en-GB"] });
});

test("kept dice are in ascending order", () => {
  expect(keptDice([5, 3, 6, 3, 1], [true, false, false, true, false])).toEqual([3, 5]);
  expect(keptDice([5, 3], [false, false])).toEqual([]);
});

test("a keep has the first places with its dice", () => {
  expect(placesOf([3, 3, 5], [3, 5, 3, 3, 1])).toEqual([true, true, true, false, false]);
  expect(placesOf([], [3, 5])).toEqual([false, false]);
  expect(placesOf([10, 12], [12, 9, 10])).toEqual([true, false, true]);
});

test("the advice on a keep does not depend on which of equal dice are kept", () => {
  const actions = [{ parts: { verb: "keep", dice: [3, 3] }, value: 20, loss: 0 }] as unknown as readonly ActionView[];
  expect(adviceOnKeep(actions, [3, 1, 3, 3], [false, false, true, true])?.value).toBe(20);
  expect(adviceOnKeep(actions, [3, 1, 3, 3], [true, true, false, false])).toBeUndefined();
});

test("an action names faces and colours as the rules do", () => {
  expect(faceName(POKER, 2)).toBe("10");
  expect(describeAction({ verb: "keep", dice: [1, 1, 2, 6] }, POKER)).toBe("Keep 9 9 10 A");
  expect(describeAction({ verb: "keep", dice: [2, 2, 3, 5, 6] }, KISMET)).toBe("Keep 225 (red), 3 (green) and 6 (black)");
});

test.each(Array.from({ length: 20 }, (_, index) => index + 1))("a die of face %d is called by its number", (face) => {
  expect(diceWords(PLAIN, [face])).toBe(String(face));
  expect(describeAction({ verb: "keep", dice: [1, face] }, PLAIN)).toBe(face > 9 ? `Keep 1 ${face}` : `Keep 1${face}`);
  expect(keptWords(PLAIN, [face, 1], [true, true])).toContain(`1 ${face}`);
});

test("points and a bonus are said as the score card shows them", () => {
  expect([withBonus(25, 100), withBonus(25, 0)]).toEqual(["25 + 100", 25]);
});

test("a column whose name is a symbol is named in words", () => {
  const box = (id: string, name: string, column: number) => ({ id, category: "sixes", name, names: {}, column });
  const rules = {
    columns: [1, 1, 1], column_names: ["↓", "!", "Last"], announced: [false, true, false], orders: ["down", "free", "free"],
    boxes: [box("sixes_down", "Sixes (↓)", 0), box("sixes_called", "Sixes (!)", 1), box("sixes_last", "Sixes (Last)", 2)],
  } as unknown as RulesView;
  expect(rules.boxes.map(({ id }) => boxNameById(rules, id))).toEqual(["Sixes (down)", "Sixes (announced)", "Sixes (Last)"]);
});
