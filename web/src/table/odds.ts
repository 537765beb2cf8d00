/** The chances to win in words: who is named in the line above the card. */

export interface SeatOdds {
  readonly seat: number;
  /** 0 to 1. */
  readonly chance: number;
  readonly name: string;
}

/** With more seats than this, the line names only who is ahead and the user's own seat. */
const MOST_NAMED = 3;

/**
 * The seats to name, in order: all of up to three; of more, the one ahead and the user's own. `isLeader` is whether to
 * say that a seat is ahead, which the order does not show.
 */
export function oddsWords(seats: readonly SeatOdds[], own: number | undefined): (SeatOdds & { isLeader: boolean })[] {
  if (seats.length <= MOST_NAMED) return seats.map((one) => ({ ...one, isLeader: false }));
  const [leader] = [...seats].sort((a, b) => b.chance - a.chance || a.seat - b.seat);
  const mine = seats.find((one) => one.seat === own && one !== leader);
  return [...(leader ? [{ ...leader, isLeader: leader.seat !== own }] : []), ...(mine ? [{ ...mine, isLeader: false }] : [])];
}
