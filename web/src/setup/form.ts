/** The form of a new table, and the request that it sends. */

import type { DiceSource, Help, NewTable } from "../lib/api";

export interface SeatForm {
  /** "you", "friend" (by link), "here" (a person on this device), or a kind of computer player. */
  who: string;
  /** The name of a person on this device. The user's own name is a setting. */
  name: string;
}

export interface TableForm {
  ref: string;
  options: Readonly<Record<string, string>>;
  toml: string;
  seats: readonly SeatForm[];
  first: string;
  help: Help;
  /** The seconds for each turn, which count if a friend plays by link. */
  pace: number;
  /** Whether the game counts for no rating. */
  casual: boolean;
  dice?: DiceSource;
}

/** Whether a game has no other person than the user. */
export function isAlone(seats: readonly SeatForm[]): boolean {
  return seats.every(({ who }) => who !== "friend" && who !== "here");
}

/** The names of players on this device who gave none. */
export interface Names {
  readonly you: string;
  player(number: number): string;
}

/** The options that differ from their defaults. */
export function chosenOptions(options: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value));
}

export function newTable(form: TableForm, names: Names): NewTable {
  return {
    rules: form.ref,
    options: chosenOptions(form.options),
    toml: form.toml,
    seats: form.seats.map(({ who, name }, index) => {
      if (who === "you") return { kind: "person", name: names.you, here: true };
      if (who === "here") return { kind: "person", name: name.trim() || names.player(index + 1), here: true };
      return { kind: who === "friend" ? "person" : who, name: "", here: false };
    }),
    first: form.first,
    help: form.help,
    pace: form.seats.some(({ who }) => who === "friend") ? form.pace : null,
    casual: form.casual,
    dice: form.dice ?? "program",
  };
}
