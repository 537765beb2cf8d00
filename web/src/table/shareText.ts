/** `shareText`: what a player did in a game, as a few short lines: points, best dice, the result, and a mark for every turn. */

import type { BestTurn, RulesView } from "../lib/api";
import { faceName } from "../lib/actions";
import { signed, t } from "../lib/i18n.svelte";
import { SYMBOLS } from "../lib/marks";
import type { Seat } from "../review/review";

interface Result {
  readonly game: string;
  readonly total: number;
  readonly rules: Pick<RulesView, "face_names">;
  /** The result from this player's side; empty in a game of one. */
  readonly outcome: string;
  readonly best?: BestTurn | null | undefined;
  /** The review of the seat. Without it there are no marks. */
  readonly reviewed?: Seat | undefined;
}

export function shareText({ game, total, rules, outcome, best, reviewed }: Result): string {
  const lines = [`${game} ${total}${best ? ` ${symbols(best.dice, rules)}` : ""}`];
  if (outcome) lines.push(outcome);
  if (reviewed) {
    lines.push(reviewed.turns.map((turn) => SYMBOLS[turn.mark ?? "good"]).join(" "));
    if (reviewed.luck !== null) lines.push(t("shareLost", { n: Math.round(reviewed.loss), luck: wholePoints(reviewed.luck) }));
  }
  return lines.join("\n");
}

/** Dice as symbols, of which Unicode has none above 6, or by the names of their faces. */
export function symbols(dice: readonly number[], rules: Pick<RulesView, "face_names">): string {
  if (rules.face_names.length || dice.some((face) => face > 6)) return dice.map((face) => faceName(rules, face)).join("-");
  return dice.map((face) => "⚀⚁⚂⚃⚄⚅"[face - 1]).join("");
}

function wholePoints(value: number): string {
  return signed(Math.round(value)).replace(/[.,]0$/, "");
}
