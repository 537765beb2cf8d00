/** The message catalogue: `t` says a message in the language of the browser or the one chosen. */

import { BOX_NAMES } from "../messages/boxes";
import { de } from "../messages/de";
import { en } from "../messages/en";
import { sv } from "../messages/sv";
import type { Catalogue, Key, Plural } from "../messages/types";
import { settings } from "./settings.svelte";

export type Values = Readonly<Record<string, string | number>>;

export const LANGUAGES = { en: "English", de: "Deutsch", sv: "Svenska" } as const;
export type Language = keyof typeof LANGUAGES;

const CATALOGUES: Record<Language, Catalogue> = { en, de, sv };

/** The language in force: the chosen one, or the first of the browser's that the catalogue has. */
export function language(): Language {
  const wanted = [settings.language, ...navigator.languages].map((tag) => tag.toLowerCase().split("-")[0] ?? "");
  return (wanted.find((tag) => tag in CATALOGUES) ?? "en") as Language;
}

/** The same with its region, as the browser has it: dates and numbers are written otherwise in other places. */
function locale(): string {
  const spoken = language();
  return navigator.languages.find((tag) => tag.toLowerCase().split("-")[0] === spoken) ?? spoken;
}

export function t(key: Key, values: Values = {}): string {
  return say(language(), key, values);
}

export function say(spoken: Language, key: Key, values: Values = {}): string {
  const message: string | Plural = CATALOGUES[spoken][key];
  const text =
    typeof message === "string"
      ? message
      : message[new Intl.PluralRules(spoken).select(Number(values.n)) === "one" ? "one" : "other"];
  return text.replace(/\{(\w+)\}/g, (hole, name: string) => String(values[name] ?? hole));
}

/** A box by the term of the language's own game; the ruleset's name where the language has none. */
export function boxName(category: string, name: string): string {
  const spoken = language();
  return spoken === "en" ? name : (BOX_NAMES[spoken][category] ?? name);
}

const KINDS: Readonly<Record<string, Key>> = { greedy: "kindGreedy", optimal: "kindOptimal", random: "kindRandom" };

/** A kind of computer player, as people say it. */
export function kindName(kind: string): string {
  const key = KINDS[kind];
  return key ? t(key) : kind;
}

/** A player's name; a computer player that is only called by its kind (and a number) is called as people say it. */
export function playerName(player: { readonly name: string; readonly kind: string }): string {
  const { name, kind } = player;
  return kind !== "person" && /^\d*$/.test(name.replace(kind, "")) ? name.replace(kind, kindName(kind)) : name;
}

export function list(names: readonly string[]): string {
  return new Intl.ListFormat(locale()).format(names);
}

/** A value: one decimal or as many as are asked for, with a true minus sign. */
export function decimal(value: number, digits = 1): string {
  return new Intl.NumberFormat(locale(), { minimumFractionDigits: digits, maximumFractionDigits: digits })
    .format(Math.abs(value) < 10 ** -digits / 2 ? 0 : value)
    .replace("-", "−");
}

/** A value with its sign, as luck has one. */
export function signed(value: number): string {
  return value >= 0.05 ? `+${decimal(value)}` : decimal(value);
}

/** A whole number with its thousands apart. */
export function count(value: number): string {
  return new Intl.NumberFormat(locale()).format(value);
}

/** A share as a percentage with one decimal, as alphas without, and the smallest with as many as say anything. */
export function percent(share: number): string {
  const digits = Number.isInteger(share * 100) ? 0 : 1;
  const shape = share < 0.01 ? { maximumSignificantDigits: 1 } : { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(locale(), { style: "percent", ...shape }).format(share);
}

/** A day of the calendar, from its ISO form; one of another year says which. */
export function calendarDay(day: string): string {
  const isThisYear = day.startsWith(`${new Date().getUTCFullYear()}-`);
  return new Intl.DateTimeFormat(locale(), {
    day: "numeric",
    month: "short",
    ...(isThisYear ? {} : { year: "numeric" }),
    timeZone: "UTC",
  }).format(new Date(`${day}T12:00:00Z`));
}

export function moment(seconds: number): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" }).format(seconds * 1_000);
}
