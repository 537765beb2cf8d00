/** Times in words: the clocks of a table, how much of one is left, and how long a game on the same dice is open. */

import type { TableView } from "./api";
import { t } from "./i18n.svelte";

export type Pace = NonNullable<TableView["pace"]>;

const DAY = 86_400;
const HOUR = 3_600;

/** The clocks to choose from: seconds for each turn, or for the whole game. The server knows every other number, too. */
export const CLOCKS = ["none", "turn:30", "turn:60", "turn:86400", "game:600", "game:1200"] as const;

/** The computer player that finishes a turn whose time is up: it needs no solution of the rules. */
const STAND_IN = "greedy";

/** The clock of a choice; null for none. */
export function paceOf(clock: string): Pace | null {
  const [per, seconds] = clock.split(":");
  return per === "turn" || per === "game" ? { per, seconds: Number(seconds), player: STAND_IN } : null;
}

/** The time that a player has for each turn, or for the game. */
export function clockName(pace: Pace | null | undefined): string {
  if (!pace) return t("clockNone");
  const { per, seconds } = pace;
  if (per === "game") return t("clockGame", { n: Math.round(seconds / 60) });
  if (seconds % DAY === 0) return t("clockTurnDays", { n: seconds / DAY });
  return seconds % HOUR === 0 ? t("clockTurnHours", { n: seconds / HOUR }) : t("clockTurn", { n: seconds });
}

/** The time that is left, in seconds rounded up: minutes and seconds, or hours and minutes. */
export function timeLeft(seconds: number): string {
  const left = Math.max(0, Math.ceil(seconds));
  if (left >= HOUR) return t("hoursMinutes", { h: Math.floor(left / HOUR), n: Math.floor((left % HOUR) / 60) });
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}

/**
 * Calls `look` now, every `step` milliseconds, and when the page is seen again: no timer runs while a device sleeps.
 * Returns a function that stops it.
 */
export function keepLooking(look: () => void, step: number): () => void {
  const timer = setInterval(look, step);
  document.addEventListener("visibilitychange", look);
  look();
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", look);
  };
}

/** How long people may have for a game on the same dice, in hours. The server knows every other number, too. */
export const SPANS = [1, 24, 3 * 24, 7 * 24] as const;

/** A number of hours in words. */
export function span(hours: number): string {
  return hours < 24 ? t("hoursLong", { n: hours }) : t("daysLong", { n: hours / 24 });
}
