/** The user's settings of the page, stored in the browser. */

import { load, store } from "./storage";

export const THEMES = ["auto", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

interface Settings {
  language: string;
  theme: Theme;
  sound: boolean;
  /** Whether computer players are shown without a pause. */
  hurry: boolean;
  /** Whether to notify the user of their turn while the page is hidden. */
  notify: boolean;
  name: string;
  /** Whether the tutor, at tables that have one, may not ask this user. */
  isTutorOff: boolean;
  /** Whether tables with advice do not show this user who is ahead. */
  isOddsOff: boolean;
  /** Whether this user is not shown what others say at tables. */
  isMuted: boolean;
  /** How many hints of a first game the user has had. */
  hints: number;
  /** The level of an even game against the computer, which changes only if the user agrees. */
  even: number;
  /** Tables with unfinished games that the first page does not show. They stay in the list of all games. */
  putAway: readonly string[];
  /** The rules of the daily ten and its like; empty for those of the language. */
  dailyRules: string;
  /** The hour, by this device's clock, of a reminder of the daily ten; null for none. */
  dailyHour: number | null;
}

const KEY = "fivedice";
const DEFAULTS: Settings = {
  language: "",
  theme: "auto",
  sound: false,
  hurry: false,
  notify: false,
  name: "",
  isTutorOff: false,
  isOddsOff: false,
  isMuted: false,
  hints: 0,
  even: 4, // a family player
  putAway: [],
  dailyRules: "",
  dailyHour: null,
};

export const settings = $state<Settings>({ ...DEFAULTS, ...stored() });

/**
 * Changes some settings, which may follow from what they are now. The others are stored as they are there, since another
 * tab may have changed them.
 */
export function change(wanted: Partial<Settings> | ((now: Settings) => Partial<Settings>)): void {
  const now = { ...settings, ...stored() };
  const changed = typeof wanted === "function" ? wanted(now) : wanted;
  Object.assign(settings, changed);
  store("local", KEY, JSON.stringify({ ...now, ...changed }));
}

function stored(): Partial<Settings> {
  const text = load("local", KEY);
  if (!text) return {};
  try {
    return JSON.parse(text) as Partial<Settings>;
  } catch {
    return {}; // not written by this page: use the defaults
  }
}
