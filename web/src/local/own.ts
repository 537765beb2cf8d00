/** What this browser has and answers without the server. The files that do it are loaded when there is something to do. */

import type { GameView, Local } from "../lib/api";
import { hasGames, isLocalTable, offline } from "../lib/offline.svelte";

/** Requests for what can be read offline later: lessons that are due, and past days. */
const READABLE = /^\/api\/(?:me\/lessons$|daily\/archive\/)/;

export const local: Local = {
  async request<T>(path: string, init: RequestInit): Promise<T> {
    return (await import("./transport")).request<T>(path, init);
  },
  noteReply(path, reply) {
    if (!READABLE.test(path) || !hasGames()) return;
    import("./reading").then(({ keepReply }) => keepReply(path, reply as object)).catch((error: unknown) => console.warn("fivedice: not kept to be read offline:", error));
  },
};

/** Removes what is kept to be read offline. */
export async function forgetReplies(): Promise<void> {
  if (hasGames()) await (await import("./store")).forgetReplies();
}

/** The games in this browser that the server does not have; none if it never had any. */
export async function ownGames(): Promise<readonly GameView[]> {
  return hasGames() ? (await import("./store")).unsentGames() : [];
}

/** Games as the server lists them, with links to tables that are in this browser, and no others of browsers. */
export async function withOwnTables(games: readonly GameView[]): Promise<readonly GameView[]> {
  const here = hasGames() ? await (await import("./store")).games() : [];
  const own = new Set(here.map(({ table }) => table));
  return games.map((game) => (game.table && isLocalTable(game.table) && !own.has(game.table) ? { ...game, table: null } : game));
}

/** Sends finished games to the server. */
export async function sendHome(): Promise<void> {
  if (!offline.isOn && hasGames()) await (await import("./reading")).sendHome();
}
