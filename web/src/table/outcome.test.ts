import { beforeAll, expect, test, vi } from "vitest";
import type { SeatView, StandingView } from "../lib/api";
import { t } from "../lib/i18n.svelte";
import { isBest, meaning, outcome, sharedOutcome } from "./outcome";

beforeAll(() => {
  vi.stubGlobal("navigator", { languages: ["en-GB"] });
});

function seats(...ends: [name: string, rank: number, total: number, margin: number | null][]): { seats: SeatView[] } {
  const card = { points: {}, columns: [], extras: 0, extra_bonus: 0, saved: 0, announced: null, elsewhere: false, awards: [], sum: 0 };
  return {
    seats: ends.map(([name, rank, total, margin], seat) => ({
      seat, name, kind: "person", is_open: false, stand_in: null, resigned: false, has_nonce: true, preparing: null, rank, margin, asked: 0, changed: 0, is_late: false, card: { ...card, total },
    })),
  };
}

function standing(changes: Partial<StandingView>): StandingView {
  return { seat: 0, total: 200, games: 5, best_before: 210, average: 187.6, wins: 3, streak: 0, is_cut_short: false, ...changes };
}

test("the only user of a page is told the margin, and others the winner's", () => {
  const view = seats(["You", 1, 211, 21], ["Ben", 2, 190, 21], ["Cai", 3, 9, 202]);
  expect(outcome(view, [0])).toBe("You won by 21");
  expect(outcome(view, [1])).toBe("You lost by 21");
  expect(outcome(view, [2])).toBe("You lost by 202");
  expect(outcome(view, [0, 1])).toBe("You won by 21");
  expect(outcome(seats(["Ann", 2, 190, 21], ["Ben", 1, 211, 21]), [])).toBe("Ben won by 21");
});

test("a game that is not won by points has no margin", () => {
  const view = seats(["Ann", 1, 190, null], ["Ben", 2, 50, null]);
  expect(outcome(view, [0])).toBe("You won");
  expect(outcome(view, [1])).toBe("You lost");
  expect(outcome(view, [])).toBe("Ann won");
});

test("a tie has all names, and a solo game its score", () => {
  const view = seats(["Ann", 1, 200, null], ["Ben", 1, 200, null], ["Cai", 3, 9, 191]);
  expect(outcome(view, [0])).toBe("You share the victory with Ben");
  expect(outcome(view, [2])).toBe("Ann and Ben share the victory");
  expect(outcome(seats(["Ann", 1, 200, null]), [0])).toBe("You scored 200 points");
  expect(outcome(seats(["Ann", 1, 1, null]), [])).toBe("Ann scored 1 point");
});

test("a shared result is told from the side of its player", () => {
  const view = seats(["Ann", 1, 211, 21], ["Ben", 2, 190, 21]);
  expect([0, 1].map((seat) => sharedOutcome(view, seat))).toEqual(["Won by 21 points", "Lost by 21 points"]);
  expect(sharedOutcome(seats(["Ann", 1, 211, null]), 0)).toBe("");
  expect(sharedOutcome(seats(["Ann", 1, 9, null], ["Ben", 1, 9, null]), 1)).toBe("Shared the win with Ann");
  expect([0, 1].map((seat) => sharedOutcome(seats(["Ann", 1, 9, null], ["Ben", 2, 90, null]), seat))).toEqual(["Won", "Lost"]);
});

test("a result means more beside the earlier games", () => {
  expect(meaning(standing({ best_before: null, games: 1 }))).toEqual(["your first game with these rules"]);
  expect(meaning(standing({}))).toEqual(["your best: 210", "average 188"]);
  expect(meaning(standing({ streak: 3 }))).toEqual(["your best: 210", "average 188", "3 wins in a row"]);
  expect(meaning(standing({ total: 210 }))).toEqual(["as good as your best", "average 188"]);
  expect(meaning(standing({ total: 211, streak: 1 }))).toEqual(["average 188"]);
  expect([standing({ total: 211 }), standing({}), standing({ best_before: null }), undefined].map(isBest)).toEqual([true, false, false, false]);
});

test("points are singular and plural", () => {
  expect([0, 1, 2].map((n) => t("scoreIn", { box: "Ones", n }))).toEqual(["Ones: 0 points", "Ones: 1 point", "Ones: 2 points"]);
  expect([1, 5].map((n) => t("announceScored", { name: "Ann", box: "Ones", n, total: 8 }))).toEqual([
    "Ann: Ones, 1 point. Total 8.",
    "Ann: Ones, 5 points. Total 8.",
  ]);
});

test("a game that was given up says who resigned", () => {
  const gone = (view: ReturnType<typeof seats>, ...resigned: number[]): ReturnType<typeof seats> => ({
    seats: view.seats.map((seat) => ({ ...seat, resigned: resigned.includes(seat.seat) })),
  });
  const two = gone(seats(["Ann", 1, 9, null], ["Ben", 2, 90, null]), 1);
  expect([[0], [1], []].map((yours) => outcome(two, yours))).toEqual([
    "Ben resigned. You won",
    "You resigned. Ann won",
    "Ben resigned. Ann won",
  ]);
  expect([0, 1].map((seat) => sharedOutcome(two, seat))).toEqual(["Won: Ben resigned", "Resigned"]);
  const three = gone(seats(["Ann", 1, 90, 10], ["Ben", 3, 9, null], ["Cai", 2, 80, 10]), 1);
  expect([[0], [1], [2]].map((yours) => outcome(three, yours))).toEqual(["You won by 10", "You resigned. Ann won", "You lost by 10"]);
  const alone = { seats: gone(seats(["Ann", 1, 9, null]), 0).seats.map((seat) => ({ ...seat, rank: null })) };
  expect([[0], []].map((yours) => outcome(alone, yours))).toEqual(["You resigned", "Ann resigned"]);
  expect(sharedOutcome(alone, 0)).toBe("Resigned");
  expect(meaning(standing({ is_cut_short: true, total: 900, streak: 2 }))).toEqual(["2 wins in a row"]);
  expect(isBest(standing({ is_cut_short: true, total: 900 }))).toBe(false);
});
