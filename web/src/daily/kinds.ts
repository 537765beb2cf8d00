/** The kinds of tries: their names, what they are, and their pages; and the rules of the day. */

import type { TodayView, TryKind } from "../lib/api";
import { t } from "../lib/i18n.svelte";
import { settings } from "../lib/settings.svelte";
import type { Key } from "../messages/types";

interface KindOfTry {
  readonly name: Key;
  readonly lead: Key;
  /** What invites to play it. */
  readonly play: Key;
  readonly path: string;
  /** Whether there is one try a day, which counts. */
  readonly isOnce: boolean;
}

export const KINDS: Readonly<Record<TryKind, KindOfTry>> = {
  ten: { name: "tryTen", lead: "leadTen", play: "playTen", path: "/daily", isOnce: true },
  game: { name: "tryGame", lead: "leadGame", play: "playDailyGame", path: "/daily/game", isOnce: true },
  storm: { name: "tryStorm", lead: "leadStorm", play: "playStorm", path: "/daily/storm", isOnce: false },
  streak: { name: "tryStreak", lead: "leadStreak", play: "playStreak", path: "/daily/streak", isOnce: false },
};

/** The rules that the user has chosen for the day, or else those of the language. */
export function dailyRules({ games, rules }: TodayView): string {
  return games.some((game) => game.rules === settings.dailyRules) ? settings.dailyRules : rules;
}

/** When the next day comes, as a sentence. */
export function untilNext(minutes: number): string {
  return minutes >= 60 ? t("nextHours", { h: Math.floor(minutes / 60), n: minutes % 60 }) : t("nextMinutes", { n: Math.max(0, minutes) });
}

export function isKind(text: string): text is TryKind {
  return text in KINDS;
}
