/** `Setup`: the choices for a new table, which the browser remembers from the last one. */

import type { Help } from "../lib/api";
import { DAY } from "../lib/clock";
import type { CardLanguage } from "../lib/i18n.svelte";
import { load, store } from "../lib/storage";
import type { SeatForm, TableForm } from "./form";

export interface Setup extends TableForm {
  options: Record<string, string>;
  seats: SeatForm[];
  /** The help between people; `help` is that of a game alone against the computer. */
  helpAmong: Help;
  /** The name of the rules, to show before the list of rulesets is loaded. */
  rulesName: string;
}

const KEY = "fivedice.setup";

/** The game that people know, by language, with its name. */
const FAMILIAR: Readonly<Record<CardLanguage, readonly [ref: string, name: string]>> = {
  en: ["yahtzee", "Yahtzee"],
  de: ["kniffel", "Kniffel"],
  sv: ["yatzy", "Yatzy"],
  da: ["yatzy", "Yatzy"],
  nb: ["yatzy", "Yatzy"],
  es: ["yahtzee", "Yahtzee"],
  fr: ["yahtzee", "Yahtzee"],
};

/** The choices of a first game: the rules that people know, with a tutor against the computer. */
export function firstSetup(language: CardLanguage): Setup {
  const [ref, rulesName] = FAMILIAR[language];
  return {
    ref,
    options: {},
    toml: "",
    rulesName,
    seats: [
      { who: "you", name: "" },
      { who: "friend", name: "" },
    ],
    first: "0",
    help: "tutor",
    helpAmong: "none",
    pace: DAY,
    casual: false,
  };
}

/** The choices for the last table; undefined if there are none, or if they are not from this version of the page. */
export function lastSetup(): Setup | undefined {
  const text = load("local", KEY);
  if (!text) return undefined;
  try {
    const found = JSON.parse(text) as unknown;
    return isSetup(found) ? found : undefined;
  } catch {
    return undefined; // not written by this page
  }
}

export function keepSetup(setup: Setup): void {
  store("local", KEY, JSON.stringify(setup));
}

function isSetup(found: unknown): found is Setup {
  if (typeof found !== "object" || found === null) return false;
  const expected: Record<string, unknown> = { ...firstSetup("en") };
  const given = found as Record<string, unknown>;
  if (!Object.entries(expected).every(([key, value]) => typeof given[key] === typeof value)) return false;
  const { seats } = given;
  return Array.isArray(seats) && seats.length > 0 && seats.every((seat: Partial<SeatForm>) => typeof seat?.who === "string" && typeof seat.name === "string");
}
