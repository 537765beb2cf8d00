/** `outcome`: the result of a game, in a sentence. */

import type { StandingView, TableView } from "../lib/api";
import { list, playerName, t } from "../lib/i18n.svelte";

/** A user with one seat is addressed as "you". */
export function outcome(view: Pick<TableView, "seats">, yours: readonly number[]): string {
  const own = yours.length === 1 ? view.seats.find((seat) => seat.seat === yours[0]) : undefined;
  const winners = view.seats.filter((seat) => seat.rank === 1);
  const [winner] = winners;
  if (!winner) return "";
  const name = playerName(winner);
  const n = winner.card.total;
  if (view.seats.length === 1) return own ? t("endScored", { n }) : t("endScoredNamed", { name, n });
  const hasWon = own?.rank === 1;
  if (winners.length > 1) {
    const names = list(winners.filter((seat) => seat !== own).map(playerName));
    return hasWon ? t("endTieYou", { names }) : t("tie", { names });
  }
  const others = view.seats.filter((seat) => seat !== winner).map((seat) => seat.card.total);
  // Some rules let a player win with fewer points than another: then there is no margin.
  const margin = n - Math.max(...others);
  if (hasWon) return margin > 0 ? t("endWonBy", { n: margin }) : t("endWon");
  if (!own) return margin > 0 ? t("endWonNamedBy", { name, n: margin }) : t("endWonNamed", { name });
  const behind = n - own.card.total;
  return behind > 0 ? t("endLostBy", { n: behind }) : t("endLost");
}

/** Whether a game was its player's best so far, of at least two. */
export function isBest(standing: StandingView | undefined): boolean {
  return !!standing && standing.best_before !== null && standing.total > standing.best_before;
}

/** What a result means to its player, in a few words each: best, average and streak. */
export function meaning(standing: StandingView): string[] {
  const { total, games, best_before: before, streak } = standing;
  if (before === null) return [t("endFirstGame")];
  return [
    ...(total < before ? [t("endBestBefore", { n: before })] : total === before ? [t("endEqualsBest")] : []),
    ...(games > 1 ? [t("endAverage", { n: Math.round(standing.average) })] : []),
    ...(streak > 1 ? [t("endStreak", { n: streak })] : []),
  ];
}
