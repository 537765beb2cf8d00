/**
 * `Tree`: what was played on from a position, with branches and sentences, and its text in the address of the board.
 *
 * The text has an item for the first position and one for each step, separated by semicolons. An item is the step, the
 * dice rolled with it and the sentence, separated by colons; what is empty at its end is left out. A step begins with
 * the number of the position that it is after, unless that is the one just before. A last item that is only a number
 * names the position that is shown, if it is not the last one: `;k66:135;k666:15;ssixes;1k6:2225::oh;2`.
 */

import type { ActionParts } from "../lib/api";

export interface Step {
  /** The number of the position that it is after: 0 is the first one, and step n leads to number n. */
  readonly after: number;
  /** Undefined for the first roll of a turn. */
  readonly action: ActionParts | undefined;
  readonly rolled: readonly number[];
}

export interface Tree {
  readonly steps: readonly Step[];
  /** The sentence on each position; empty for none. */
  readonly notes: readonly string[];
  /** The number of the position that is shown. */
  readonly at: number;
}

export const EMPTY: Tree = { steps: [], notes: [""], at: 0 };

const LETTERS = { keep: "k", score: "s", scratch: "x", announce: "a" } as const;
const VERBS = Object.keys(LETTERS) as (keyof typeof LETTERS)[];
const FIRST_ROLL = "r";
const ITEM = /^(\d{0,3})([ksxar])([^:]*)(?::([1-9a-z]*)(?::([^:]*))?)?$/;

export function formatTree({ steps, notes, at }: Tree): string {
  const items = [["", "", encoded(notes[0] ?? "")]];
  steps.forEach(({ after, action, rolled }, index) => {
    const what = action ? LETTERS[action.verb] + (action.box ? encoded(action.box) : digits(action.dice)) : FIRST_ROLL;
    items.push([(after === index ? "" : String(after)) + what, digits(rolled), encoded(notes[index + 1] ?? "")]);
  });
  const text = items.map((item) => item.join(":").replace(/:+$/, "")).join(";");
  return at === steps.length ? text : `${text};${at}`;
}

/** The tree that a text describes; undefined if it describes none. */
export function parseTree(text: string): Tree | undefined {
  const [first = "", ...items] = text.split(";");
  const last = /^\d{1,3}$/.test(items.at(-1) ?? "") ? Number(items.pop()) : items.length;
  const start = /^(?:::([^:]+))?$/.exec(first);
  if (!start || last > items.length) return undefined;
  const steps: Step[] = [];
  const notes = [decoded(start[1] ?? "")];
  for (const [index, item] of items.entries()) {
    const [, after, letter, what = "", rolled = "", note = ""] = ITEM.exec(item) ?? [];
    const verb = VERBS.find((one) => LETTERS[one] === letter);
    if (letter === undefined || Number(after) > index) return undefined;
    const action = verb && (verb === "keep" ? { verb, dice: faces(what) } : { verb, box: decoded(what) });
    if (action?.box === undefined && !/^[1-9a-z]*$/.test(what)) return undefined;
    steps.push({ after: after ? Number(after) : index, action: action as ActionParts | undefined, rolled: faces(rolled) });
    notes.push(decoded(note));
  }
  return notes.some((note) => note === undefined) ? undefined : { steps, notes: notes as string[], at: last };
}

/** The tree with a step after the position shown, which then shows where it leads. A step that is there already is taken. */
export function withStep(tree: Tree, action: ActionParts | undefined, rolled: readonly number[]): Tree {
  const step: Step = { after: tree.at, action, rolled: [...rolled].sort((a, b) => a - b) };
  const known = tree.steps.findIndex((one) => JSON.stringify(key(one)) === JSON.stringify(key(step)));
  if (known >= 0) return { ...tree, at: known + 1 };
  return { steps: [...tree.steps, step], notes: [...tree.notes, ""], at: tree.steps.length + 1 };
}

function key({ after, action, rolled }: Step): unknown {
  return [after, action?.verb, action?.box, action?.box ? [] : action?.dice, rolled];
}

/** The tree with another sentence on the position shown. */
export function withNote(tree: Tree, note: string): Tree {
  return { ...tree, notes: tree.notes.map((one, number) => (number === tree.at ? note : one)) };
}

/** The tree without the position shown and everything after it; it then shows the position before. */
export function withoutShown(tree: Tree): Tree {
  const numbers = new Map([[0, 0]]);
  const steps: Step[] = [];
  tree.steps.forEach((step, index) => {
    const after = numbers.get(step.after);
    if (index + 1 === tree.at || after === undefined) return;
    steps.push({ ...step, after });
    numbers.set(index + 1, steps.length);
  });
  const notes = tree.notes.filter((_, number) => numbers.has(number));
  return { steps, notes, at: numbers.get(before(tree)) ?? 0 };
}

/** The number of the position before the one shown. */
export function before({ steps, at }: Tree): number {
  return steps[at - 1]?.after ?? 0;
}

/** The numbers of the positions that directly follow one. */
export function following({ steps }: Tree, number: number): number[] {
  return steps.flatMap((step, index) => (step.after === number ? [index + 1] : []));
}

function digits(dice: readonly number[] = []): string {
  return dice.map((face) => face.toString(36)).join("");
}

function faces(text: string): number[] {
  return [...text].map((digit) => parseInt(digit, 36));
}

/** Characters that end a link in some programs are encoded, too. Halves of characters, which no address can have, are left out. */
function encoded(text: string): string {
  const whole = encodeURIComponent(text.replace(/\p{Surrogate}/gu, "")).replaceAll("%20", "+");
  return whole.replace(/[!'()*.~]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}
