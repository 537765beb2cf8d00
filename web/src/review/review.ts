/** The review of a game: the decisions of a seat in order, what to say about them, and the scale of the chart. */

import type { ActionParts, OfferView, ReviewView, RulesView } from "../lib/api";
import { playerName, t, wholePercent } from "../lib/i18n.svelte";
import { MARKS } from "../lib/marks";

export type Seat = ReviewView["seats"][number];
export type Turn = Seat["turns"][number];
export type Decision = Seat["decisions"][number];

/** One decision of a turn, after its roll with this number, from 1. */
export interface Step {
  readonly decision: Decision;
  readonly turn: Turn;
  readonly roll: number;
}

/** All decisions of a seat, in the order of the game, whose turns have so many rolls beside saved ones. */
export function steps(seat: Seat, rolls: number): Step[] {
  return seat.turns.flatMap((turn) =>
    seat.decisions
      .filter((decision) => decision.turn === turn.turn)
      .map((decision) => ({ decision, turn, roll: rolls + (turn.card?.saved ?? 0) - decision.rolls_left })),
  );
}

/** The decisions that lost at least `shown` points, the costliest first. */
export function costliestFirst(all: readonly Step[], shown: number): Step[] {
  return all.filter((step) => step.decision.loss >= shown).sort((a, b) => b.decision.loss - a.decision.loss);
}

/** The decision to show of a turn: its costliest, or its score if none lost anything. */
export function mainStep(all: readonly Step[], number: number, shown: number): Step | undefined {
  const own = all.filter((step) => step.turn.number === number);
  return costliestFirst(own, shown)[0] ?? own.at(-1);
}

/** What a decision lost, in words for people. */
export function lostWords(loss: number, rules: Pick<RulesView, "shown_loss" | "is_approximate">): string {
  if (loss < rules.shown_loss) return t("lostNothing");
  const n = Math.round(loss);
  return n ? (rules.is_approximate ? "≈\u00a0" : "") + t("lostPoints", { n }) : t("lostLittle");
}

/** What a turn is called in the strip: its number, its mark in words, and what it lost. */
export function turnWords(turn: Turn): string {
  const n = Math.round(turn.loss);
  const mark = t(MARKS[turn.mark ?? "good"]);
  return n ? t("turnLost", { turn: turn.number, mark, n }) : t("turnKept", { turn: turn.number, mark });
}

export type TurningPoint = NonNullable<ReviewView["odds"]>["turning_points"][number][number];

/** The names of the seats; a person who has one seat only is called You. */
export function seatNames(seats: readonly Seat[], own: number | undefined): string[] {
  return seats.map((seat, number) => (number === own ? t("you") : playerName({ name: seat.player, kind: seat.kind })));
}

/** A turning point in a sentence, for the seat `number` whose chance it changed. `own` is the seat that is called You. */
export function turningWords(point: TurningPoint, box: string, names: readonly string[], number: number, own: number | undefined): string {
  const isOwn = point.by === own;
  const key = number === own ? (isOwn ? "turningYours" : "turningBy") : isOwn ? "turningByYou" : "turningOf";
  return t(key, {
    turn: point.number, box, n: point.points, by: names[point.by] ?? "", name: names[number] ?? "",
    before: wholePercent(point.before), after: wholePercent(point.after),
  });
}

/** An open box as the score card shows it, with the points that an action writes there. */
export function offerOf({ box }: ActionParts, points: number | null): OfferView[] {
  if (!box || points === null) return [];
  return [
    {
      box, points, bonus: 0, is_open: true, is_joker: false, is_forced: false, stands_out: false, is_expensive_zero: false,
      can_scratch: false, can_announce: false, closed_by: null, instead: null,
    },
  ];
}

/**
 * The turn, counted from 1, whose point is nearest to a click: first along the line of time, then among the seats.
 * `points` has those of each seat in order, from the start of the game.
 */
export function nearest(points: readonly (readonly (readonly [number, number])[])[], x: number, y: number): { seat: number; turn: number } | undefined {
  const turns = points.flatMap((own, seat) => own.slice(1).map(([left, top], index) => ({ seat, turn: index + 1, along: Math.abs(left - x), across: Math.abs(top - y) })));
  const [found] = turns.sort((a, b) => a.along - b.along || a.across - b.across);
  return found && { seat: found.seat, turn: found.turn };
}
