/** A review as the page shows it: turns, and a chart's points; the figures are the server's. */

import type { ReviewView } from "../lib/api";

type SeatReview = ReviewView["seats"][number];

export interface ReviewTurn {
  number: number;
  turn: number;
  luck: number;
  loss: number;
  value: number;
}

/** A seat's turns from 1, with the sums of luck and loss and the value at the end of each. */
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

/** Round numbers around the values: the lines of a chart, four to eight of them. */
export function ticks(low: number, high: number): number[] {
  const span = Math.max(high - low, 1);
  const rough = span / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((one) => one >= rough) ?? 10 * power;
  const from = Math.floor(low / step);
  const to = Math.max(Math.ceil(high / step), from + 1);
  return Array.from({ length: to - from + 1 }, (_, index) => (from + index) * step);
}
