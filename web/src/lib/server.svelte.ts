/** `server`: whether the server can be reached. Requests report failures; then it is asked until it answers. */

/** Milliseconds between two attempts. */
const PAUSE = 3_000;

export const server = $state({ isReachable: true, /** How often it was reachable again. */ returns: 0 });

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

/** Asks the server, and again until it answers. */
export async function check(): Promise<void> {
  clearTimeout(timer);
  try {
    const answer = await fetch("/api/players", { cache: "no-store" });
    if (!answer.ok) throw new Error(answer.statusText);
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
