/** Translation: messages, numbers and dates in the user's language. */

import { BOX_NAMES } from "../messages/boxes";
import en from "../messages/en.json";
import type { Catalogue, Key, Plural } from "../messages/types";
import { settings } from "./settings.svelte";

export type Values = Readonly<Record<string, string | number>>;

export const LANGUAGES = { en: "English", de: "Deutsch", sv: "Svenska" } as const;
export type Language = keyof typeof LANGUAGES;

/** Languages of the card only: where a ruleset has its names in them, boxes have these names; sentences are in English. */
export const CARD_LANGUAGES = { da: "Dansk", nb: "Norsk", es: "Español", fr: "Français" } as const;
export type CardLanguage = Language | keyof typeof CARD_LANGUAGES;

/** The words of other languages are in files of their own, which the page loads when it shows them. */
const OTHERS: Record<Exclude<Language, "en">, () => Promise<Catalogue>> = {
  de: () => import("../messages/de").then(({ words }) => words),
  sv: () => import("../messages/sv").then(({ words }) => words),
};

/** The words that are loaded. */
let words = $state.raw<Partial<Record<Language, Catalogue>> & { readonly en: Catalogue }>({ en });

/** The language whose words could not be loaded when they were last asked for. */
let missing = $state<Language>();

export function missingLanguage(): Language | undefined {
  return missing;
}

/** Loads the words of a language, that of the user unless another is given. Returns whether the page can change to it. */
export async function loadWords(of: Language = wanted): Promise<boolean> {
  missing = undefined;
  if (of === "en" || words[of]) return true;
  try {
    const found = await OTHERS[of]();
    // A server of another version has sent a script without words, which loads the page again.
    if (found) words = { ...words, [of]: found };
    return true;
  } catch (error) {
    console.warn(`fivedice: cannot load ${LANGUAGES[of]}:`, error);
    missing = of;
    return false;
  }
}

/** The languages that the user prefers: the chosen one, then those of the browser. Both kinds of Norwegian are one. */
const preferred = $derived([settings.language, ...navigator.languages].map((tag) => (tag.toLowerCase().split("-")[0] ?? "").replace(/^n[no]$/, "nb")));

/** The chosen language, or else the first of the browser's that the page has. */
const wanted = $derived((settings.language in CARD_LANGUAGES ? "en" : (preferred.find((tag) => tag in LANGUAGES) ?? "en")) as Language);
const current = $derived<Language>(words[wanted] ? wanted : "en");
const plurals = $derived(new Intl.PluralRules(current));

/** The user's language: the one that they want, or English as long as its words are not loaded. */
export function language(): Language {
  return current;
}

/** The language of names of boxes and of the server's texts: the user's, or one of the card only, beside English. */
export function cardLanguage(): CardLanguage {
  const first = preferred.find((tag) => tag in LANGUAGES || tag in CARD_LANGUAGES) ?? "en";
  return wanted === "en" && first in CARD_LANGUAGES ? (first as CardLanguage) : language();
}

/** The user's language with the region that the browser gives, for dates and numbers. */
function locale(): string {
  return navigator.languages.find((tag) => tag.toLowerCase().split("-")[0] === current) ?? current;
}

export function t(key: Key, values: Values = {}): string {
  const message: string | Plural = (words[current] ?? words.en)[key];
  const text = typeof message === "string" ? message : message[plurals.select(Number(values.n)) === "one" ? "one" : "other"];
  if (!text.includes("{")) return text;
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}

/**
 * The name of a box in the user's language: that of its ruleset's file, or the usual one if it has its usual name in any
 * language, or else its name in the ruleset.
 */
export function boxName(category: string, name: string, names: Readonly<Record<string, string>> = {}): string {
  const own = names[cardLanguage()];
  if (own) return own;
  const plain = withoutColumn(name);
  const usual = BOX_NAMES[category];
  return current !== "en" && usual && Object.values(usual).includes(plain) ? usual[current] : name;
}

/** The name of a box without that of its column, as in "Fours (1)" or "Fours ×2". */
export function withoutColumn(name: string): string {
  return name.replace(/ (×\d+|\([^()]*\))$/, "");
}

/** Points of a value or a loss, with ≈ if it is approximate. */
export function points(value: number, isApproximate: boolean): string {
  return (isApproximate ? "≈\u00a0" : "") + decimal(value);
}

/** The name of a kind of computer player. */
export function kindName(kind: string): string {
  const target = /^target_(\d+)$/.exec(kind)?.[1];
  if (target) return t("kind_target", { n: Number(target) });
  return `kind_${kind}` in en ? t(`kind_${kind}` as Key) : kind;
}

/** The name of a kind in a list to choose from, where a level has its number. */
export function kindTitle(kind: string): string {
  const level = /^level_(\d)$/.exec(kind)?.[1];
  return level ? t("levelNumbered", { n: Number(level), name: kindName(kind) }) : kindName(kind);
}

/** The name of a player. A computer player named by its kind, with or without a number, has the translated name. */
export function playerName(player: { readonly name: string; readonly kind: string }): string {
  const { name, kind } = player;
  return kind !== "person" && /^ ?\d*$/.test(name.replace(kind, "")) ? name.replace(kind, kindName(kind)) : name;
}

/** The name of a seat's player. A user with one seat is addressed as "you". */
export function seatName(seat: { readonly seat: number; readonly name: string; readonly kind: string }, yours: readonly number[]): string {
  return yours.length === 1 && yours[0] === seat.seat ? t("you") : playerName(seat);
}

export function list(names: readonly string[]): string {
  return names.length > 1 ? new Intl.ListFormat(locale()).format(names) : (names[0] ?? "");
}

const formats = new Map<string, Intl.NumberFormat>();

/** A number in the user's language, by a format that is made once: that takes long. */
function formatted(value: number, shape: Intl.NumberFormatOptions = {}): string {
  const key = JSON.stringify([locale(), shape]);
  const format = formats.get(key) ?? new Intl.NumberFormat(locale(), shape);
  formats.set(key, format);
  return format.format(value);
}

/** A number with one decimal, or as many as given, and a proper minus sign. */
export function decimal(value: number, digits = 1): string {
  const shown = Math.abs(value) < 10 ** -digits / 2 ? 0 : value;
  return formatted(shown, { minimumFractionDigits: digits, maximumFractionDigits: digits }).replace("-", "−");
}

/** A number with its sign, plus or minus, and with one decimal, or as many as given. */
export function signed(value: number, digits = 1): string {
  return value >= 10 ** -digits / 2 ? `+${decimal(value, digits)}` : decimal(value, digits);
}

/** Points on a card. */
export function whole(value: number): string {
  return String(value).replace("-", "−");
}

/** A whole number with a thousands separator. */
export function count(value: number): string {
  return formatted(value);
}

/** A share as a percentage with one decimal; without one for whole percentages, and with more below 1 %. */
export function percent(share: number): string {
  const digits = Number.isInteger(Number((share * 100).toFixed(9))) ? 0 : 1; // 0.07 * 100 is a little more than 7
  const shape = share < 0.01 ? { maximumSignificantDigits: 1 } : { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return formatted(share, { style: "percent", ...shape });
}

/** A share in whole percents: 0 and 100 only where it is certain. */
export function wholePercent(share: number): string {
  const whole = share <= 0 || share >= 1 ? share : Math.min(0.99, Math.max(0.01, share));
  return formatted(whole, { style: "percent", maximumFractionDigits: 0 });
}

/** A date, from its ISO form; with the year if it is not this one. */
export function calendarDay(day: string): string {
  const isThisYear = day.startsWith(`${new Date().getUTCFullYear()}-`);
  return new Intl.DateTimeFormat(locale(), {
    day: "numeric",
    month: "short",
    ...(isThisYear ? {} : { year: "numeric" }),
    timeZone: "UTC",
  }).format(new Date(`${day}T12:00:00Z`));
}

/** A full hour of the day, from 0 to 23. */
export function hourOfDay(hour: number): string {
  return new Intl.DateTimeFormat(locale(), { hour: "numeric", minute: "2-digit" }).format(new Date(2027, 0, 1, hour));
}

/** A day and time, with the year if it is not this one. */
export function shortMoment(seconds: number): string {
  const at = new Date(seconds * 1_000);
  const isThisYear = at.getFullYear() === new Date().getFullYear();
  return new Intl.DateTimeFormat(locale(), {
    day: "numeric",
    month: "short",
    ...(isThisYear ? {} : { year: "numeric" }),
    hour: "numeric",
    minute: "2-digit",
  }).format(at);
}

export function moment(seconds: number): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" }).format(seconds * 1_000);
}
