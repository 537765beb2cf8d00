/** Opponents by how strong they are for the person: an easy, an even and a hard game, around one level. */

/** The level of an even game before anything is known about a person: that of a family player. */
export const EVEN = 4;
const STRONGEST = 9;
const STEPS: Readonly<Record<string, number>> = { easy: -2, even: 0, hard: 2 };

/** The games that are offered first, the easiest first. */
export const GAMES = Object.keys(STEPS) as readonly ("easy" | "even" | "hard")[];

/** The kind of computer player for a choice: that of an easy, even or hard game for a person, or the choice itself. */
export function opponent(choice: string, even: number): string {
  const step = STEPS[choice];
  return step === undefined ? choice : levelKind(even + step);
}

/** The kind of a level, of which there are nine. */
export function levelKind(level: number): string {
  return `level_${Math.min(STRONGEST, Math.max(1, level))}`;
}
