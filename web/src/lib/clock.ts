/** Times in words: the clocks of a table, how much of one is left, and how long a game on the same dice is open. */

import { t } from "./i18n.svelte";

export const DAY = 86_400;
export const HOUR = 3_600;
const MINUTE = 60;

/** The clocks to choose from: seconds for each turn. The server knows every other number, too. */
export const CLOCKS = [30, 60, 300, DAY, 3 * DAY] as const;

/** The time that a player has for each turn. */
export function clockName(seconds: number): string {
  if (seconds % DAY === 0) return t("clockTurnDays", { n: seconds / DAY });
  if (seconds % HOUR === 0) return t("clockTurnHours", { n: seconds / HOUR });
  return seconds % MINUTE === 0 && seconds > MINUTE ? t("clockTurnMinutes", { n: seconds / MINUTE }) : t("clockTurn", { n: seconds });
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
