import { expect, test, vi } from "vitest";
import { costliestFirst, lostWords, mainStep, nearest, type Seat, seatNames, steps, turningWords, turnWords } from "./review";

vi.stubGlobal("navigator", { languages: ["en"] });

/** A seat whose decisions lose these points, by turn. */
function seat(losses: readonly (readonly number[])[], others: Partial<Seat> = {}): Seat {
  return {
    player: "Ann", kind: "human", score: 100, has_won: false, start_value: 100, value: 100, luck: 0, luck_percentile: null, loss: 0, outright: 0,
    whole: { start: 100, luck: 0, loss: 0, value: 100 }, dice_neutral: 100, unforced_decisions: 0, error_rate: 0,
    level: null, marks: { inaccuracy: 0, mistake: 0, blunder: 0 }, hard_found: 0, summary: { result: [], done_well: [], marks: [], sums: "", exact_sums: "" }, rolls: [], best_turn: null,
    costliest: [], has_lessons: false,
    decisions: losses.flatMap((own, turn) =>
      own.map((loss, roll) => ({
        turn: 2 * turn, position: `yahtzee - 33456 r${2 - roll}`, dice: [3, 3, 4, 5, 6], rolls_left: 2 - roll, action: "keep 33",
        action_parts: { verb: "keep", dice: [3, 3] }, points: null, value: 100, best: "keep 3456",
        best_parts: { verb: "keep", dice: [3, 4, 5, 6] }, best_points: null, best_value: 100 + loss, loss, mark: null,
      })),
    ),
    turns: losses.map((own, turn) => ({
      number: turn + 1, turn: 2 * turn, box_id: "ones", box: "Ones", points: 1, luck: 0, loss: own.reduce((a, b) => a + b, 0), value: 100,
      mark: null, card: null,
    })),
    ...others,
  };
}

test("decisions are numbered by turn and roll, and sorted by what they cost", () => {
  const all = steps(seat([[0, 2, 0.01], [5, 0.3]]), 4); // of real dice, whose first rolls were not entered
  expect(all.map((step) => [step.turn.number, step.roll])).toEqual([[1, 2], [1, 3], [1, 4], [2, 2], [2, 3]]);
  expect(costliestFirst(all, 0.05).map((step) => step.decision.loss)).toEqual([5, 2, 0.3]);
});

test("a turn opens at its costliest decision, or at its last one if nothing was lost", () => {
  const all = steps(seat([[0, 2, 0.01], [0, 0.01, 0]]), 3);
  expect(mainStep(all, 1, 0.05)?.roll).toBe(2);
  expect(mainStep(all, 2, 0.05)?.roll).toBe(3);
  expect(mainStep(all, 3, 0.05)).toBeUndefined();
});

test("losses are said in whole points", () => {
  expect([0.01, 0.3, 1.2, 27.4].map((loss) => lostWords(loss, { shown_loss: 0.05, is_approximate: false }))).toEqual(["nothing was better", "cost less than a point", "cost 1 point", "cost 27 points"]);
  expect([0.01, 27.4].map((loss) => lostWords(loss, { shown_loss: 0.05, is_approximate: true }))).toEqual(["nothing was better", "≈\u00a0cost 27 points"]);
  const [turn] = seat([[8.4]]).turns;
  expect(turn && turnWords({ ...turn, mark: "blunder" })).toBe("Turn 1: blunder, 8 points lost");
  expect(turn && turnWords({ ...turn, loss: 0.2 })).toBe("Turn 1: good");
});

test("the only person is You in every name and sentence", () => {
  const names = seatNames([seat([]), seat([], { player: "greedy", kind: "greedy" })], 0);
  expect(names).toEqual(["You", "Greedy"]);
  expect(seatNames([seat([])], undefined)).toEqual(["Ann"]);
  const point = { turn: 4, by: 0, number: 3, box: "yahtzee", points: 50, before: 0.4, after: 0.7 };
  const said = (by: number, of: number, own?: number) => turningWords({ ...point, by }, "Yahtzee", names, of, own);
  expect(said(0, 0, 0)).toBe("Turn 3: your Yahtzee for 50 points took you from 40% to 70%.");
  expect(said(1, 0, 0)).toBe("Turn 3: Yahtzee by Greedy for 50 points took you from 40% to 70%.");
  expect(said(0, 1, 0)).toBe("Turn 3: your Yahtzee for 50 points took Greedy from 40% to 70%.");
  expect(said(1, 1, 0)).toBe("Turn 3: Yahtzee by Greedy for 50 points took Greedy from 40% to 70%.");
});

test("a click on the chart chooses the nearest turn, then the nearest seat, and never the start", () => {
  const points = [[[0, 50], [100, 50], [200, 50]], [[0, 50], [100, 10], [200, 90]]] as const;
  expect(nearest(points, 120, 20)).toEqual({ seat: 1, turn: 1 });
  expect(nearest(points, 190, 55)).toEqual({ seat: 0, turn: 2 });
  expect(nearest(points, 0, 50)).toEqual({ seat: 0, turn: 1 });
  expect(nearest([], 0, 0)).toBeUndefined();
});
