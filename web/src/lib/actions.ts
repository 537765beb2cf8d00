/** Dice, boxes and actions in the user's language. */

import type { ActionParts, ActionView, RulesView } from "./api";
import { boxName, list, t, withoutColumn } from "./i18n.svelte";

/** What a face shows: its name under the rules, or its number. */
export function faceName(rules: Pick<RulesView, "face_names">, face: number): string {
  return rules.face_names[face - 1] ?? String(face);
}

/** The faces of dice in words: their digits or names, and the names of their colours if they have any. */
export function diceWords(rules: Pick<RulesView, "face_names" | "colours">, dice: readonly number[]): string {
  const groups = new Map<string, number[]>();
  for (const face of dice) {
    const colour = colourOf(rules.colours, face) ?? "";
    groups.set(colour, [...(groups.get(colour) ?? []), face]);
  }
  const isSpaced = rules.face_names.length > 0 || dice.some((face) => face > 9);
  const words = (faces: readonly number[]): string => faces.map((face) => faceName(rules, face)).join(isSpaced ? " " : "");
  return list(
    [...groups].map(([colour, faces]) =>
      colour ? `${words(faces)} (${colourName(colour)})` : words(faces),
    ),
  );
}

/** The colour of a face under the rules; undefined if it has none. */
export function colourOf(colours: Readonly<Record<string, readonly number[]>>, face: number | undefined): string | undefined {
  return Object.keys(colours).find((name) => face !== undefined && colours[name]?.includes(face));
}

function colourName(colour: string): string {
  const names: Readonly<Record<string, string>> = { black: t("black"), red: t("red"), green: t("green") };
  return names[colour] ?? colour;
}

/** The dice that are kept, in ascending order. */
export function keptDice(dice: readonly number[], kept: readonly boolean[]): number[] {
  return dice.filter((_, place) => kept[place]).sort((a, b) => a - b);
}

/** The dice that are kept, for an announcement. */
export function keptWords(rules: Pick<RulesView, "face_names">, dice: readonly number[], kept: readonly boolean[]): string {
  const faces = keptDice(dice, kept);
  return faces.length ? t("announceKept", { dice: faces.map((face) => faceName(rules, face)).join(" ") }) : t("announceKeptNone");
}

/** The first places with these dice. */
export function placesOf(wanted: readonly number[], dice: readonly number[]): boolean[] {
  const faces = [...wanted];
  return dice.map((face) => {
    const at = faces.indexOf(face);
    if (at >= 0) faces.splice(at, 1);
    return at >= 0;
  });
}

/** Describes an action: "Score Chance" in English. */
export function describeAction({ verb, dice = [], box }: ActionParts, rules: RulesView): string {
  if (verb === "keep") return dice.length ? t("keepDice", { dice: diceWords(rules, dice) }) : t("keepNone");
  const name = boxNameById(rules, box ?? "");
  if (verb === "announce") return t("announceBox", { box: name });
  return t(verb === "scratch" ? "scratchBox" : "scoreBox", { box: name });
}

/** Points with a bonus, as the score card shows both: 25 + 100. */
export function withBonus(points: number, bonus: number): string | number {
  return bonus ? `${points} + ${bonus}` : points;
}

/** The name of a box. */
export function boxNameById(rules: RulesView, id: string): string {
  const found = rules.boxes.find((box) => box.id === id);
  if (!found) return id;
  const name = boxName(found.category, found.name, found.names);
  if (rules.columns.length === 1) return name;
  const column = rules.column_names[found.column] ?? "";
  if (!/[\p{L}\p{N}]/u.test(column)) return `${withoutColumn(name)} (${columnInWords(rules, found.column)})`;
  return name !== found.name ? `${name} ${column}` : name;
}

/** What a column is called in a sentence if its name is a symbol: how its boxes are filled. */
function columnInWords(rules: RulesView, column: number): string {
  if (rules.announced[column]) return t("columnAnnounced");
  return t(ORDERS[rules.orders[column] ?? "free"]);
}

const ORDERS = { free: "columnFree", down: "columnDown", up: "columnUp" } as const;

/** The name of the box for equal dice, such as Kniffel; empty if the rules have no extra bonus and no joker. */
export function jokerName(rules: RulesView): string {
  const found = rules.boxes.find((box) => box.category === rules.joker_category);
  return found ? boxName(found.category, found.name.replace(/ (×\d+|\([^()]*\))$/, ""), found.names) : "";
}

/** The advice on keeping these dice. It does not depend on which of several equal dice are kept. */
export function adviceOnKeep(
  actions: readonly ActionView[],
  dice: readonly number[],
  kept: readonly boolean[],
): ActionView | undefined {
  return adviceOnAction(actions, { verb: "keep", dice: keptDice(dice, kept) });
}

/** The advice on an action; the dice of a keep are in ascending order. */
export function adviceOnAction(actions: readonly ActionView[], { verb, box, dice = [] }: ActionParts): ActionView | undefined {
  return actions.find(({ parts }) => parts.verb === verb && (verb === "keep" ? (parts.dice ?? []).join() === dice.join() : parts.box === box));
}

export function adviceOnBox(actions: readonly ActionView[], box: string, scratch: boolean): ActionView | undefined {
  return actions.find((action) => action.box === box && action.scratch === scratch);
}
