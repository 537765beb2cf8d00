/** What five dice of six faces show, as people call it, and how rare that is in one roll. */

export type Hand = "five" | "four" | "fullHouse" | "largeStraight" | "smallStraight" | "three" | "twoPairs" | "pair" | "mixed";

/** In how many of the 7,776 rolls of five dice each hand comes up. */
export const ROLLS: Readonly<Record<Hand, number>> = {
  five: 6,
  four: 150,
  fullHouse: 300,
  largeStraight: 240,
  smallStraight: 960,
  three: 1200,
  twoPairs: 1800,
  pair: 2880,
  mixed: 240,
};

export function handOf(dice: readonly number[]): Hand {
  const counts = [1, 2, 3, 4, 5, 6].map((face) => dice.filter((die) => die === face).length);
  const [most = 0, next = 0] = [...counts].sort((a, b) => b - a);
  if (most === 5) return "five";
  if (most === 4) return "four";
  if (most === 3 && next === 2) return "fullHouse";
  const inRow = Math.max(...counts.map((_, from) => counts.slice(from).findIndex((count) => !count)).map((length, from) => (length < 0 ? 6 - from : length)));
  if (inRow === 5) return "largeStraight";
  if (inRow === 4) return "smallStraight";
  if (most === 3) return "three";
  if (most === 2) return next === 2 ? "twoPairs" : "pair";
  return "mixed";
}

/** A hand comes up once in this many rolls, rounded. */
export function oneIn(hand: Hand): number {
  return Math.round(6 ** 5 / ROLLS[hand]);
}
