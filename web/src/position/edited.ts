/** `Edited`: what the controls of a position show, which the server writes as a line of notation. */

import type { CardEntriesView, PositionView } from "../lib/api";

export interface Edited {
  readonly card: CardEntriesView;
  /** Faces in any order; empty before the first roll. */
  readonly dice: readonly number[];
  /** Undefined before the first roll. */
  readonly rollsLeft: number | undefined;
}

/** The parts of a position, with its dice in the places that they had before, if they are the same. */
export function edited(found: PositionView, before: Edited | undefined): Edited {
  const card = found.cards[found.seat];
  const isSame = before && [...before.dice].sort((a, b) => a - b).join() === found.dice.join();
  return {
    card: {
      points: card?.points ?? {}, extras: card?.extras ?? 0, saved: card?.saved ?? 0,
      announced: card?.announced ?? null, elsewhere: card?.elsewhere ?? false,
    },
    dice: isSame ? before.dice : found.dice,
    rollsLeft: found.dice.length ? found.rolls_left : undefined,
  };
}

export function randomDice(num: number, faces: number): number[] {
  return Array.from({ length: num }, () => 1 + Math.floor(Math.random() * faces));
}
