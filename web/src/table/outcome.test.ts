import { beforeAll, expect, test, vi } from "vitest";
import type { SeatView } from "../lib/api";
import { outcome } from "./outcome";

beforeAll(() => {
  vi.stubGlobal("navigator", { languages: ["en-GB"] });
});

function seats(...ends: [name: string, rank: number, total: number][]): { seats: SeatView[] } {
  const card = { points: {}, columns: [], extras: 0, extra_bonus: 0, saved: 0 };
  return {
    seats: ends.map(([name, rank, total], seat) => ({
      seat, name, kind: "person", is_open: false, stand_in: null, is_skip: false, rank, card: { ...card, total },
    })),
  };
}

test("the winner is named, or addressed if it is the only user of this page", () => {
  const view = seats(["You", 1, 211], ["Ben", 2, 190]);
  expect(outcome(view, [1])).toBe("You wins with 211");
  expect(outcome(view, [0])).toBe("You win with 211");
  expect(outcome(seats(["Ann", 1, 211], ["Ben", 2, 190]), [0, 1])).toBe("Ann wins with 211");
});

test("a tie has all names, and a solo game its score", () => {
  expect(outcome(seats(["Ann", 1, 200], ["Ben", 1, 200], ["Cai", 3, 9]), [0])).toBe("Ann and Ben share the win with 200");
  expect(outcome(seats(["Ann", 1, 200]), [0])).toBe("Final score: 200");
});
