/** A seat of a card that is shown without its table. */

import type { CardView, SeatView } from "../lib/api";

export function shownSeat(seat: number, name: string, card: CardView): SeatView {
  return {
    seat, name, card, kind: "person", is_open: false, stand_in: null, resigned: false, rank: null, margin: null,
    has_nonce: false, preparing: null, asked: 0, changed: 0, is_late: false,
  };
}
