/** A review grouped by turns, and the scale of its chart. All values come from the server. */

import type { ReviewView } from "../lib/api";

type SeatReview = ReviewView["seats"][number];

export interface ReviewTurn {
  number: number;
  turn: number;
  luck: number;
  loss: number;
  value: number;
}

/** The turns of a seat, numbered from 1: total luck, total loss, and the value at the end. */
export function reviewTurns(seat: SeatReview): ReviewTurn[] {
  const turns = new Map<number, ReviewTurn>();
  for (const roll of seat.rolls) {
    let turn = turns.get(roll.turn);
    if (!turn) turns.set(roll.turn, (turn = { number: turns.size + 1, turn: roll.turn, luck: 0, loss: 0, value: roll.before }));
    turn.luck += roll.luck;
    turn.value = roll.after;
  }
  for (const decision of seat.decisions) {
    const turn = turns.get(decision.turn);
    if (!turn) continue;
    turn.loss += decision.loss;
    turn.value = decision.value;
  }
  return [...turns.values()];
}

/** Four to eight round numbers that enclose the values: the grid of a chart. */
export function ticks(low: number, high: number): number[] {
  const span = Math.max(high - low, 1);
  const rough = span / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((one) => one >= rough) ?? 10 * power;
  const from = Math.floor(low / step);
  const to = Math.max(Math.ceil(high / step), from + 1);
  return Array.from({ length: to - from + 1 }, (_, index) => (from + index) * step);
}
