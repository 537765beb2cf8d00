/** A table as its creator wants it, put as the server takes it. */

import type { NewTable } from "../lib/api";

export interface WantedSeat {
  /** "you", "friend" (by link), "here" (a person on this device), or a kind of computer player. */
  who: string;
  name: string;
}

export interface Wanted {
  ref: string;
  options: Readonly<Record<string, string>>;
  toml: string;
  seats: readonly WantedSeat[];
  first: string;
  advice: NewTable["advice"];
  tutor: number;
  silence: number;
}

/** A ruleset with the options that differ from its file, as notation writes it. */
export function reference(ref: string, options: Readonly<Record<string, string>>): string {
  const chosen = Object.entries(options).filter(([, value]) => value);
  return chosen.length ? `${ref}[${chosen.map(([key, value]) => `${key}=${value}`).join(",")}]` : ref;
}

export function newTable(wanted: Wanted): NewTable {
  return {
    rules: reference(wanted.toml ? "own" : wanted.ref, wanted.toml ? {} : wanted.options),
    toml: wanted.toml,
    seats: wanted.seats.map(({ who, name }) => {
      const isHere = who === "you" || who === "here";
      return { kind: isHere || who === "friend" ? "person" : who, name: isHere ? name.trim() : "", here: isHere };
    }),
    first: wanted.first,
    advice: wanted.advice,
    tutor: wanted.advice === "never" ? 0 : wanted.tutor,
    silence: wanted.silence,
  };
}
