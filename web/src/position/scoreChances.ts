/** Sums of the chances of final scores, for the chart and the table. `pairs` are scores without gaps, with their chances. */

export type Pairs = readonly (readonly [number, number])[];

/** Scores at the ends that are left out of the chart have together less than this chance on each side. */
const TAIL = 0.001;

/** The chance of a score or more. */
export function atLeast(pairs: Pairs, score: number): number {
  return Math.min(1, pairs.reduce((sum, [one, chance]) => (one >= score ? sum + chance : sum), 0));
}

/** The scores between which the middle `share` of games ends. */
export function between(pairs: Pairs, share: number): [number, number] {
  return [percentile(pairs, (1 - share) / 2), percentile(pairs, (1 + share) / 2)];
}

function percentile(pairs: Pairs, share: number): number {
  let sum = 0;
  return pairs.find(([, chance]) => (sum += chance) >= share)?.[0] ?? pairs.at(-1)?.[0] ?? 0;
}

/** Bars of equally many scores, at most `most`, without the rare scores at both ends; `to` is exclusive. */
export function bars(pairs: Pairs, most: number): { from: number; to: number; chance: number }[] {
  const [first, last] = [percentile(pairs, TAIL), percentile(pairs, 1 - TAIL)];
  const size = [1, 2, 5, 10, 20, 50].find((one) => (last - first + 1) / one <= most - 1) ?? 100;
  const found = new Map<number, number>();
  for (let from = Math.floor(first / size) * size; from <= last; from += size) found.set(from, 0);
  for (const [score, chance] of pairs) {
    const from = Math.floor(score / size) * size;
    const sum = found.get(from);
    if (sum !== undefined) found.set(from, sum + chance);
  }
  return [...found].map(([from, chance]) => ({ from, to: from + size, chance }));
}

/** Round numbers from `low` to `high`, at most `most`. */
export function steps(low: number, high: number, most: number): number[] {
  const size = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((one) => (high - low) / one < most) ?? 1_000;
  const first = Math.ceil(low / size) * size;
  return Array.from({ length: Math.floor((high - first) / size) + 1 }, (_, index) => first + index * size);
}
