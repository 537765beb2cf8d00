/** The form of a new table, and the request that it sends. */

import type { NewTable } from "../lib/api";

export interface SeatForm {
  /** "you", "friend" (by link), "here" (a person on this device), or a kind of computer player. */
  who: string;
  name: string;
}

export interface TableForm {
  ref: string;
  options: Readonly<Record<string, string>>;
  toml: string;
  seats: readonly SeatForm[];
  first: string;
  advice: NewTable["advice"];
  tutor: number;
  silence: number;
}

/** A ruleset with the options that differ from its defaults, in notation. */
export function rulesetRef(ref: string, options: Readonly<Record<string, string>>): string {
  const chosen = Object.entries(options).filter(([, value]) => value);
  return chosen.length ? `${ref}[${chosen.map(([key, value]) => `${key}=${value}`).join(",")}]` : ref;
}

export function newTable(form: TableForm): NewTable {
  return {
    rules: rulesetRef(form.toml ? "own" : form.ref, form.toml ? {} : form.options),
    toml: form.toml,
    seats: form.seats.map(({ who, name }) => {
      const isHere = who === "you" || who === "here";
      return { kind: isHere || who === "friend" ? "person" : who, name: isHere ? name.trim() : "", here: isHere };
    }),
    first: form.first,
    advice: form.advice,
    tutor: form.advice === "never" ? 0 : form.tutor,
    silence: form.silence,
  };
}
