/** The kinds of tries: their names, what they are, and their pages. */

import type { TryKind } from "../lib/api";
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

export function isKind(text: string): text is TryKind {
  return text in KINDS;
}
