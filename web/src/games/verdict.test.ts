import { beforeAll, expect, test, vi } from "vitest";
import type { RecordCheckView } from "../lib/api";
import { type Problem, UncheckableError, type Verification } from "../lib/verify";
import { isRight, numDifferences, problemWords, rows, uncheckableWords } from "./verdict";

beforeAll(() => {
  vi.stubGlobal("navigator", { languages: ["en-GB"] });
});

const GOOD: Verification = {
  ok: true,
  table: "t",
  commitment: "00",
  nonces: [],
  offline: false,
  began: "rolled",
  first: 1,
  dice: 31,
  problems: [],
};
const RIGHT: RecordCheckView = {
  ok: true,
  ruleset: "yahtzee",
  name: "Yahtzee",
  digest: "423d",
  result: "9 0, unfinished",
  undone: [],
  help: null,
  part: "",
  line: null,
  problem: "",
};

function problem(rest: Partial<Problem>): Problem {
  return { kind: "dice", lines: [11], shown: "13456", made: "13356", turn: 1, roll: 1, ...rest };
}

function states(found: Verification, points: Parameters<typeof rows>[1]): Record<string, boolean | undefined> {
  return Object.fromEntries(rows(found, points).map(({ about, state }) => [about, state]));
}

test("a row for each thing says what is proved, and what is not", () => {
  expect(states(GOOD, RIGHT)).toEqual({
    dice: true,
    checkPoints: true,
    rules: true,
    checkBegan: true,
    checkUndone: undefined,
    help: undefined,
    checkNames: undefined,
    checkDate: undefined,
  });
  expect(isRight(RIGHT)).toBe(true);
});

test("points that nobody replayed are not proved", () => {
  expect(isRight(undefined)).toBe(undefined);
  const offline = { why: { text: "The server cannot be reached." } };
  expect(isRight(offline)).toBe(undefined);
  expect(rows(GOOD, offline)[1]).toEqual({
    about: "checkPoints",
    state: undefined,
    text: "not checked: The server cannot be reached.",
  });
});

test("forged points, results and rules are wrong", () => {
  const forged = { ...RIGHT, ok: false, part: "result", line: 8, problem: "result '260'" };
  expect(states(GOOD, forged).checkPoints).toBe(false);
  expect(rows(GOOD, forged)[1]).toMatchObject({ text: "line 8 does not follow from the rules", detail: "result '260'" });
  const otherRules = { ...RIGHT, ok: false, part: "digest", line: 4, problem: "digest" };
  expect(states(GOOD, otherRules)).toMatchObject({ checkPoints: undefined, rules: false });
});

test("points of a line with another die than that of the secret are not judged", () => {
  const bad = { ...GOOD, ok: false, problems: [problem({})] };
  const points = { ...RIGHT, ok: false, part: "turn", line: 11, problem: "the roll lacks 3" };
  expect(states(bad, points)).toMatchObject({ dice: false, checkPoints: undefined, checkBegan: true });
  expect(numDifferences(bad, points)).toBe(1);
  expect(numDifferences(GOOD, points)).toBe(1);
  expect(numDifferences(GOOD, RIGHT)).toBe(0);
});

test("who began is proved only if dice decided it", () => {
  expect(states({ ...GOOD, began: "chosen" }, RIGHT).checkBegan).toBe(undefined);
  expect(states({ ...GOOD, began: "unknown" }, RIGHT).checkBegan).toBe(undefined);
  const opening = problem({ kind: "opening", lines: [6], shown: "0", made: "1", turn: null, roll: null });
  expect(states({ ...GOOD, problems: [opening] }, RIGHT)).toMatchObject({ checkBegan: false, dice: true });
});

test("undone turns are counted, with those after which dice were known", () => {
  const undone = [
    { turn: 0, action: "score ones", rolled: [], foreseen: false },
    { turn: 2, action: "score twos", rolled: [1], foreseen: false },
    { turn: 3, action: "score sixes", rolled: [0, 1], foreseen: true },
  ];
  expect(rows(GOOD, { ...RIGHT, undone })[4]?.text).toBe(
    "3, says the record; the dice do not show it. " +
      "After one of them, computer players had rolled. Their dice came up again, so they were known. " +
      "After one of them, a person had rolled. These dice came up again, so they were foreseen.",
  );
});

test("the help that was used is not proved, and told if the record says it", () => {
  const text = (help: NonNullable<RecordCheckView["help"]> | null) => rows(GOOD, { ...RIGHT, help }).find(({ about }) => about === "help")?.text;
  expect(text(null)).toBe("not proved");
  expect(text({ kind: "always", questions: [] })).toBe("not proved, but the record says: All advice");
  expect(text({ kind: "tutor", questions: [{ seat: 1, asked: 3, changed: 2 }] })).toBe(
    "not proved, but the record says: A tutor · Seat 2: the tutor asked 3 times, 2 changed",
  );
});

test("problems are in words that count turns and rolls from 1", () => {
  expect(problemWords(problem({}))).toBe("Turn 2, second roll: the record says 13456, the secret gives 13356");
  expect(problemWords(problem({ roll: 3 }))).toBe("Turn 2, roll 4: the record says 13456, the secret gives 13356");
  expect(problemWords(problem({ kind: "keep", shown: "35 / 3_65_", made: "33651" }))).toBe(
    "Turn 2, second roll: the two lines keep 35 / 3_65_ of 33651, which do not agree",
  );
  expect(problemWords(problem({ kind: "rolls", roll: null, shown: "3", made: "2" }))).toBe(
    "Turn 2: one line has 3 rolls, the other 2",
  );
});

test("a line that cannot be read is named with what it should look like", () => {
  expect(uncheckableWords(new UncheckableError("form", 12, "turn 0: 31435"))).toEqual({
    text: "Line 12 does not have the form of a record. It should look like this:",
    want: "turn 0: 31435",
  });
  expect(uncheckableWords(new UncheckableError("no_proof")).text).toBe(
    "This record carries no proof, so its dice cannot be checked.",
  );
});
