/** What this browser has and answers without the server. The files that do it are loaded when there is something to do. */

import { type GamesView, type GameView, get, type Local } from "../lib/api";
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

/**
 * A part of the server's list of games, after those `before` it: by default, the games in this browser that the server
 * does not have. These are read first: one that is sent meanwhile is in the list of the server, too, and is shown once.
 * Links lead to tables that are in this browser, and to no others of browsers.
 */
export async function listGames(path: string, before?: readonly GameView[]): Promise<GamesView> {
  const store = hasGames() ? await import("./store") : undefined;
  const first = before ?? (offline.isOn ? [] : ((await store?.unsentGames()) ?? []));
  const part = await get<GamesView>(path);
  const shown = new Set(first.map(({ table }) => table));
  const own = new Set((await store?.games())?.map(({ table }) => table));
  const others = part.games
    .filter(({ table }) => table === null || !shown.has(table))
    .map((game) => (game.table && isLocalTable(game.table) && !own.has(game.table) ? { ...game, table: null } : game));
  return { ...part, games: [...first, ...others] };
}

/** Sends finished games to the server. */
export async function sendHome(): Promise<void> {
  if (!offline.isOn && hasGames()) await (await import("./reading")).sendHome();
}
