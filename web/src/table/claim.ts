/** Takes up the seat that a recovery link holds, if the address is one. */

import { post } from "../lib/api";

/**
 * Whether a seat was claimed; rejects with the server's sentence. The secret stays in the fragment, which no log sees, and
 * leaves the address at once.
 */
export async function claimFromAddress(table: string): Promise<boolean> {
  const secret = new URLSearchParams(location.hash.slice(1)).get("seat");
  if (!secret) return false;
  history.replaceState(null, "", location.pathname);
  await post(`/api/tables/${encodeURIComponent(table)}/claim`, { secret });
  return true;
}
