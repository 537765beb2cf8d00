/** Playing without the server: whether it is chosen, and which requests this browser answers itself (`local/`). */

import { IS_STATIC } from "./site";
import { load, store } from "./storage";

const CHOSEN = "fivedice-offline";
/** Whether this browser has kept files to play offline, or had tables of its own. */
const HAS_GAMES = "fivedice-offline-games";
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

export function hasGames(): boolean {
  return !!load("local", HAS_GAMES);
}

/** Whether a table is one of this browser. */
export function isLocalTable(table: string): boolean {
  return table.startsWith(LOCAL);
}

/** Whether this browser answers a request itself. */
export function isLocal(path: string): boolean {
  return (offline.isOn && path.startsWith("/api/")) || path.includes(`/tables/${LOCAL}`) || path.includes(`table=${LOCAL}`);
}
