/** `outcome`: the result of a game, in a sentence. */

import type { StandingView, TableView } from "../lib/api";
import { list, playerName, t } from "../lib/i18n.svelte";

/** A user with one seat is addressed as "you". */
export function outcome(view: Pick<TableView, "seats">, yours: readonly number[]): string {
  const own = yours.length === 1 ? view.seats.find((seat) => seat.seat === yours[0]) : undefined;
  const winners = view.seats.filter((seat) => seat.rank === 1);
  const [winner] = winners;
  const gone = view.seats.filter((seat) => seat.resigned);
  const resigned = { names: list(gone.map(playerName)), n: gone.length };
  if (!winner) return own ? t("endYouResigned") : gone.length ? t("endResigned", resigned) : "";
  const name = playerName(winner);
  if (own?.resigned) return t("endYouResignedWon", { names: list(winners.map(playerName)), n: winners.length });
  if (isByResignation(view)) return own ? t("endResignedWon", resigned) : t("endResignedWonNamed", { ...resigned, name });
  const n = winner.card.total;
  if (view.seats.length === 1) return own ? t("endScored", { n }) : t("endScoredNamed", { name, n });
  const hasWon = own?.rank === 1;
  if (winners.length > 1) {
    const names = list(winners.filter((seat) => seat !== own).map(playerName));
    return hasWon ? t("endTieYou", { names }) : t("tie", { names });
  }
  const margin = (own ?? winner).margin;
  if (hasWon) return margin === null ? t("endWon") : t("endWonBy", { n: margin });
  if (own) return margin === null ? t("endLost") : t("endLostBy", { n: margin });
  return margin === null ? t("endWonNamed", { name }) : t("endWonNamedBy", { name, n: margin });
}

/** Whether all seats but the winner's gave up the game. */
function isByResignation(view: Pick<TableView, "seats">): boolean {
  return view.seats.length > 1 && view.seats.filter((seat) => !seat.resigned).length === 1;
}

/** The result of a seat, as its player tells others; empty in a game of one. */
export function sharedOutcome(view: Pick<TableView, "seats">, seat: number): string {
  const own = view.seats[seat];
  if (own?.resigned) return t("shareResigned");
  if (!own || view.seats.length === 1) return "";
  if (isByResignation(view)) {
    const names = view.seats.filter((one) => one.resigned).map(playerName);
    return t("shareWonResigned", { names: list(names), n: names.length });
  }
  const winners = view.seats.filter((one) => one.rank === 1);
  if (own.rank === 1 && winners.length > 1) return t("shareTie", { names: list(winners.filter((one) => one !== own).map(playerName)) });
  if (own.rank === 1) return own.margin === null ? t("shareWon") : t("shareWonBy", { n: own.margin });
  return own.margin === null ? t("shareBeaten") : t("shareBeatenBy", { n: own.margin });
}

/** Whether a game was its player's best so far, of at least two. */
export function isBest(standing: StandingView | undefined): boolean {
  return !!standing && !standing.is_cut_short && standing.best_before !== null && standing.total > standing.best_before;
}

/** What a result means to its player, in a few words each: best, average and streak. */
export function meaning(standing: StandingView): string[] {
  const { total, games, best_before: before, streak } = standing;
  if (standing.is_cut_short) return streak > 1 ? [t("endStreak", { n: streak })] : [];
  if (before === null) return [t("endFirstGame")];
  return [
    ...(total < before ? [t("endBestBefore", { n: before })] : total === before ? [t("endEqualsBest")] : []),
    ...(games > 1 && standing.average !== null ? [t("endAverage", { n: Math.round(standing.average) })] : []),
    ...(streak > 1 ? [t("endStreak", { n: streak })] : []),
  ];
}
