/** Notation of dice and actions: reads it, writes it, and describes it in the user's language. */

import type { ActionView, RulesView } from "./api";
import { boxName, t } from "./i18n.svelte";

/** Dice in notation: digits in ascending order. */
export function digits(dice: readonly number[], kept?: readonly boolean[]): string {
  return dice
    .filter((_, place) => kept?.[place] ?? kept === undefined)
    .sort((a, b) => a - b)
    .join("");
}

export function keepNotation(dice: readonly number[], kept: readonly boolean[]): string {
  return `keep ${digits(dice, kept) || "-"}`;
}

/** The first places with the dice of a keep in notation. */
export function placesOf(keep: string, dice: readonly number[]): boolean[] {
  const faces = keep === "-" ? [] : [...keep].map(Number);
  return dice.map((face) => {
    const at = faces.indexOf(face);
    if (at >= 0) faces.splice(at, 1);
    return at >= 0;
  });
}

/** Describes an action in notation: "score chance" is "Score Chance" in English. */
export function describeAction(action: string, rules: RulesView): string {
  const [verb, what = ""] = action.split(" ");
  if (verb === "keep") return what === "-" ? t("keepNone") : t("keepDice", { dice: what });
  const box = boxNameById(rules, what);
  return t(verb === "scratch" ? "scratchBox" : "scoreBox", { box });
}

export function boxNameById(rules: RulesView, id: string): string {
  const found = rules.boxes.find((box) => box.id === id);
  if (!found) return id;
  const name = boxName(found.category, found.name, found.names);
  const times = rules.columns[found.column] ?? 1;
  return rules.columns.length > 1 && name !== found.name ? `${name} ×${times}` : name;
}

/** The advice on keeping these dice. It does not depend on which of several equal dice are kept. */
export function adviceOnKeep(
  actions: readonly ActionView[],
  dice: readonly number[],
  kept: readonly boolean[],
): ActionView | undefined {
  const keep = keepNotation(dice, kept);
  return actions.find((action) => action.action === keep);
}

export function adviceOnBox(actions: readonly ActionView[], box: string, scratch: boolean): ActionView | undefined {
  return actions.find((action) => action.box === box && action.scratch === scratch);
}
