/** Notation of dice and actions: reads it, writes it, and describes it in the user's language. */

import type { ActionView, RulesView } from "./api";
import { boxName, list, t, withoutColumn } from "./i18n.svelte";

/** The character of each face in notation, from 1 up. */
const FACES = "123456789abcdefghijk";

/** The character of a face in notation. */
export function faceText(face: number): string {
  return FACES[face - 1] ?? String(face);
}

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
  const words = (faces: readonly number[]): string =>
    rules.face_names.length ? faces.map((face) => faceName(rules, face)).join(" ") : faces.map(faceText).join("");
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

/** The faces of dice in notation. */
export function facesOf(dice: string): number[] {
  return dice === "-" ? [] : [...dice].map((character) => FACES.indexOf(character) + 1);
}

/** Dice in notation: digits in ascending order, and letters from 10 on. */
export function digits(dice: readonly number[], kept?: readonly boolean[]): string {
  return dice
    .filter((_, place) => kept?.[place] ?? kept === undefined)
    .sort((a, b) => a - b)
    .map(faceText)
    .join("");
}

export function keepNotation(dice: readonly number[], kept: readonly boolean[]): string {
  return `keep ${digits(dice, kept) || "-"}`;
}

/** The first places with the dice of a keep in notation. */
export function placesOf(keep: string, dice: readonly number[]): boolean[] {
  const faces = facesOf(keep);
  return dice.map((face) => {
    const at = faces.indexOf(face);
    if (at >= 0) faces.splice(at, 1);
    return at >= 0;
  });
}

/** Describes an action in notation: "score chance" is "Score Chance" in English. */
export function describeAction(action: string, rules: RulesView): string {
  const [verb, what = ""] = action.split(" ");
  if (verb === "keep") return what === "-" ? t("keepNone") : t("keepDice", { dice: diceWords(rules, facesOf(what)) });
  const box = boxNameById(rules, what);
  if (verb === "announce") return t(rules.boxes_per_turn === 2 ? "firstBox" : "announceBox", { box });
  return t(verb === "scratch" ? "scratchBox" : "scoreBox", { box });
}

/** The name of a box, or of both boxes that a turn filled, as in "ones+full_house". */
export function boxNameById(rules: RulesView, id: string): string {
  if (id.includes("+")) return list(id.split("+").map((one) => boxNameById(rules, one)));
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
  const keep = keepNotation(dice, kept);
  return actions.find((action) => action.action === keep);
}

export function adviceOnBox(actions: readonly ActionView[], box: string, scratch: boolean): ActionView | undefined {
  return actions.find((action) => action.box === box && action.scratch === scratch);
}
