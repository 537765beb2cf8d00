/** The levels of computer players, and the next one for a person who wins. */

import type { GameView } from "../lib/api";

export const STRONGEST = 9;

/** The kind of a level, of which there are nine. */
export function levelKind(level: number): string {
  return `level_${Math.min(STRONGEST, Math.max(1, level))}`;
}

/**
 * The level to offer next to a person who has won the last two games against a level: the one above it. Undefined if
 * there is none, or if it is not above the chosen one. `games` are theirs, the newest first.
 */
export function nextLevel(games: readonly GameView[], chosen: number): number | undefined {
  const last = games.filter((game) => game.state === "over" && game.yours.length && strongest(game)).slice(0, 2);
  const [level, before] = last.map(strongest);
  if (level === undefined || level !== before || !last.every(isWon)) return undefined;
  return level < STRONGEST && level >= chosen ? level + 1 : undefined;
}

/** The number of a level, or 0 for another kind. */
export function numberOf(kind: string): number {
  return Number(/^level_(\d)$/.exec(kind)?.[1] ?? 0);
}

/** The highest level at a table, or 0. */
function strongest(game: GameView): number {
  return Math.max(0, ...game.seats.map(({ kind }) => numberOf(kind)));
}

/** Whether the person has won alone. */
function isWon(game: GameView): boolean {
  return game.seats.every((seat, index) => (seat.rank === 1) === game.yours.includes(index));
}
