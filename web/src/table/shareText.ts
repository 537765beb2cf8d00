/** `shareText`: the result of a game as a few short lines, with the dice of the best turn and a mark for every turn. */

import type { ReviewView } from "../lib/api";
import { signed, t } from "../lib/i18n.svelte";
import { facesOf } from "../lib/notation";

type ReviewedSeat = ReviewView["seats"][number];

/** The marks of a turn, from no loss to a blunder. */
const MARKS = { inaccuracy: "?!", mistake: "?", blunder: "??" } as const;

interface Result {
  readonly game: string;
  readonly total: number;
  /** The record of the game. Without it there are no dice. */
  readonly record?: string | undefined;
  readonly seat: number;
  /** What the faces show, if that is not their number. */
  readonly names?: readonly string[] | undefined;
  /** The review of the seat. Without it there are no marks. */
  readonly reviewed?: ReviewedSeat | undefined;
}

export function shareText(result: Result): string {
  const { game, total, record = "", seat, names, reviewed } = result;
  const lines = [[game, total, symbols(bestDice(record, seat), names)].filter((part) => part !== "").join(" ")];
  if (reviewed) {
    lines.push(reviewed.turns.map((turn) => (turn.mark ? MARKS[turn.mark] : "✓")).join(" "));
    lines.push(t("shareLost", { n: Math.round(reviewed.loss), luck: wholePoints(reviewed.luck) }));
  }
  return lines.join("\n");
}

/** The dice, as digits, of the turn of a seat that scored most; empty if there is none. */
export function bestDice(record: string, seat: number): string {
  let best = -1;
  let dice = "";
  for (const [, steps = "", points, bonus = "0"] of record.matchAll(new RegExp(`^${seat}: (.+) = (\\d+)(?: \\+(\\d+))?$`, "gm"))) {
    const rolls = steps.split(", ").filter((step) => /^[1-9a-k]+$/.test(step));
    if (Number(points) + Number(bonus) > best) [best, dice] = [Number(points) + Number(bonus), rolls.at(-1) ?? ""];
  }
  return dice;
}

/** Dice as symbols, of which Unicode has none above 6, or by the names of their faces. */
export function symbols(dice: string, names: readonly string[] = []): string {
  if (names.length) return facesOf(dice).map((face) => names[face - 1]).join("-");
  return [...dice].map((face) => "⚀⚁⚂⚃⚄⚅"[Number(face) - 1] ?? face).join("");
}

function wholePoints(value: number): string {
  return signed(Math.round(value)).replace(/[.,]0$/, "");
}
