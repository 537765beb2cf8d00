/** Sends what was done offline to the server: games, which become imported games, and answers to lessons. */

import { type ImportedView, post } from "../lib/api";
import { sendAnswers } from "./reading";
import { games, markSent, records } from "./store";

/**
 * Sends every finished game that the server does not have yet, and returns how many. The server stores equal records
 * once, so that a game that is sent again, because the page was closed before it was noted here, counts once.
 */
export async function sendHome(): Promise<number> {
  const waiting = (await records()).filter((record) => !record.isSent);
  const seats = new Map((await games()).map(({ table, yours }) => [table, yours]));
  for (const record of waiting) {
    const [seat, ...others] = seats.get(record.table) ?? [];
    await post<ImportedView>("/api/me/records", { text: record.text, seat: others.length ? null : (seat ?? null) });
    await markSent(record);
  }
  await sendAnswers(); // some are to lessons of these games
  return waiting.length;
}
