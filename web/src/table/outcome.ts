/** `outcome`: the result of a game, in a sentence. */

import type { TableView } from "../lib/api";
import { list, playerName, t } from "../lib/i18n.svelte";

/** A user with one seat is addressed as "you". */
export function outcome(view: Pick<TableView, "seats">, yours: readonly number[]): string {
  const winners = view.seats.filter((seat) => seat.rank === 1);
  const [winner] = winners;
  const n = winner?.card.total ?? 0;
  if (view.seats.length === 1) return t("finalScore", { n });
  if (winners.length > 1) return t("tie", { names: list(winners.map(playerName)), n });
  if (winner && yours.length === 1 && yours.includes(winner.seat)) return t("youWin", { n });
  return t("wins", { name: winner ? playerName(winner) : "", n });
}
