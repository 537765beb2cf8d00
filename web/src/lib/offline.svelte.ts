/** Playing without the server: whether it is chosen, and which requests a worker of this page answers instead. */

import type { components } from "./schema";
import { IS_STATIC } from "./site";
import { load, store } from "./storage";

type GameView = components["schemas"]["GameView"];

const CHOSEN = "fivedice-offline";
/** Whether this browser has kept files to play offline, or had tables of its own. */
const HAS_GAMES = "fivedice-offline-games";
/** Requests for what can be read offline later: lessons that are due, and past days. */
const READABLE = /^\/api\/(?:me\/lessons$|daily\/archive\/)/;
/** Tables in this browser begin with it, and no others (`LOCAL` of server/table/state.py). */
const LOCAL = "local-";

export const offline = $state({ isOn: IS_STATIC || load("session", CHOSEN) === "yes" });

export function playOffline(isOn: boolean): void {
  offline.isOn = isOn;
  store("session", CHOSEN, isOn ? "yes" : "");
  if (isOn) noteOffline();
}

export function noteOffline(): void {
  store("local", HAS_GAMES, "yes");
}

/** Keeps a reply of the server to be read offline, if it is of that kind and this browser can play offline. */
export function noteReply(path: string, reply: unknown): void {
  if (!READABLE.test(path) || !load("local", HAS_GAMES)) return;
  import("../local/reading").then(({ keepReply }) => keepReply(path, reply as object)).catch((error: unknown) => console.warn("fivedice: not kept to be read offline:", error));
}

/** Removes what is kept to be read offline. */
export async function forgetReplies(): Promise<void> {
  if (load("local", HAS_GAMES)) await (await import("../local/store")).forgetReplies();
}

/** Whether a table is one of this browser. */
export function isLocalTable(table: string): boolean {
  return table.startsWith(LOCAL);
}

/** Whether this browser answers a request itself. */
export function isLocal(path: string): boolean {
  return (offline.isOn && path.startsWith("/api/")) || path.includes(`/tables/${LOCAL}`) || path.includes(`table=${LOCAL}`);
}

/** The games in this browser that the server does not have; none if it never had any. */
export async function ownGames(): Promise<readonly GameView[]> {
  if (!load("local", HAS_GAMES)) return [];
  return (await import("../local/store")).unsentGames();
}

/** Games as the server lists them, with links to tables that are in this browser, and no others of browsers. */
export async function withOwnTables(games: readonly GameView[]): Promise<readonly GameView[]> {
  const here = load("local", HAS_GAMES) ? await (await import("../local/store")).games() : [];
  const own = new Set(here.map(({ table }) => table));
  return games.map((game) => (game.table && isLocalTable(game.table) && !own.has(game.table) ? { ...game, table: null } : game));
}

/** Sends finished games to the server, and returns how many there were. */
export async function sendHome(): Promise<number> {
  if (offline.isOn || !load("local", HAS_GAMES)) return 0;
  return (await import("../local/home")).sendHome();
}
