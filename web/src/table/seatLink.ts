/** Seat links: an address whose fragment has the secret of a seat, to play on from another device. */

import { post } from "../lib/api";

/**
 * Claims the seat of a seat link; false if the address is none. Rejects with the server's message. The secret is in the
 * fragment, which is not sent or logged, and is removed from the address first.
 */
export async function claimSeat(table: string): Promise<boolean> {
  const secret = new URLSearchParams(location.hash.slice(1)).get("seat");
  if (!secret) return false;
  history.replaceState(null, "", location.pathname);
  await post(`/api/tables/${encodeURIComponent(table)}/claim`, { secret });
  return true;
}
