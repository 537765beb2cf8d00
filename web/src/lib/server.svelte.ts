/**
 * `server`: whether the server can be reached, and whether it has another version of this page. Requests report
 * failures; then it is asked until it answers.
 */

import { load, store } from "./storage";

/** Milliseconds between two attempts. */
const PAUSE = 3_000;

/** The name of the script of this page, which is another one in each version; undefined while the page is developed. */
const OWN_PAGE = /\/assets\/(index-[\w-]+\.js)$/.exec(import.meta.url)?.[1];

/** Milliseconds between two reloads: servers of two versions may answer in turns. */
const RELOAD_PAUSE = 60_000;
const RELOADED = "fivedice-reloaded";

export const server = $state({
  isReachable: true,
  /** How often it was reachable again. */
  returns: 0,
  /** Whether its last answer came from another version than this page. Then the next page is loaded from the server. */
  hasOtherPage: false,
});

let timer: ReturnType<typeof setTimeout> | undefined;

/** Follows what the browser knows about its network. */
export function followNetwork(): void {
  window.addEventListener("offline", lost);
  window.addEventListener("online", () => void check());
  if (!navigator.onLine) lost();
}

/** A request failed without an answer. One failure may be an accident: only if the next one fails too, it is lost. */
export function reportFailure(): void {
  if (server.isReachable) void check();
}

/** Notes which version of the page a server has that has answered. */
export function notePage(answer: Response, own = OWN_PAGE): void {
  const its = answer.headers.get("fivedice-page");
  if (own && its) server.hasOtherPage = its !== own;
}

/** Loads this page again if the server has another version of it, and returns whether it does; at most once a minute. */
export function reloadIfOther(): boolean {
  if (!server.hasOtherPage || Date.now() - Number(load("session", RELOADED)) < RELOAD_PAUSE) return false;
  store("session", RELOADED, String(Date.now()));
  location.reload();
  return true;
}

/** Asks the server, and again until it answers. */
export async function check(): Promise<void> {
  clearTimeout(timer);
  try {
    const answer = await fetch("/api/players", { cache: "no-store" });
    if (!answer.ok) throw new Error(answer.statusText);
    notePage(answer);
    if (!server.isReachable) server.returns += 1;
    server.isReachable = true;
  } catch {
    server.isReachable = false;
    clearTimeout(timer);
    timer = setTimeout(() => void check(), PAUSE);
  }
}

function lost(): void {
  server.isReachable = false;
  void check();
}
