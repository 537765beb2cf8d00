/** Words of notation, put so that a person reads them. It reads and writes words; what they are worth the server says. */

import type { ActionView, RulesView } from "./api";
import { boxName, t } from "./i18n.svelte";

/** Dice as digits, ascending: the way notation writes them. */
export function digits(dice: readonly number[], kept?: readonly boolean[]): string {
  return dice
    .filter((_, place) => kept?.[place] ?? kept === undefined)
    .sort((a, b) => a - b)
    .join("");
}

export function keepNotation(dice: readonly number[], kept: readonly boolean[]): string {
  return `keep ${digits(dice, kept) || "-"}`;
}

/** The first places that hold the dice of a keep, as notation writes it. */
export function placesOf(keep: string, dice: readonly number[]): boolean[] {
  const wanted = keep === "-" ? [] : [...keep].map(Number);
  return dice.map((face) => {
    const at = wanted.indexOf(face);
    if (at >= 0) wanted.splice(at, 1);
    return at >= 0;
  });
}

/** An action in notation, in words: "keep 33" as "Keep 33", "score chance" as "Score Chance". */
export function describeAction(action: string, rules: RulesView): string {
  const [verb, what = ""] = action.split(" ");
  if (verb === "keep") return what === "-" ? t("keepNone") : t("keepDice", { dice: what });
  const box = boxNameById(rules, what);
  return t(verb === "scratch" ? "scratchBox" : "scoreBox", { box });
}

export function boxNameById(rules: RulesView, id: string): string {
  const found = rules.boxes.find((box) => box.id === id);
  if (!found) return id;
  const name = boxName(found.category, found.name);
  const times = rules.columns[found.column] ?? 1;
  return rules.columns.length > 1 && name !== found.name ? `${name} ×${times}` : name;
}

/** The advice on keeping these dice. Equal dice are the same keep wherever they lie, so places do not matter. */
export function adviceOnKeep(
  actions: readonly ActionView[],
  dice: readonly number[],
  kept: readonly boolean[],
): ActionView | undefined {
  const wanted = keepNotation(dice, kept);
  return actions.find((action) => action.action === wanted);
}

export function adviceOnBox(actions: readonly ActionView[], box: string, scratch: boolean): ActionView | undefined {
  return actions.find((action) => action.box === box && action.scratch === scratch);
}
