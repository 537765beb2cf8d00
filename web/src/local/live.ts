/** `live`: a page that shows what others change, a club, a tournament, a game on the same dice or the lobby, as it is now. */

import { getKnown, isTemporary, type SocketMessage } from "../lib/api";
import { failureWords, type Words } from "../lib/words";
import type { Key } from "../messages/types";
import { Connection } from "./connection";

/** Milliseconds between two requests, and within which pages ask for what is new, so that not all of them come at once. */
const PAUSE = 1_000;

/**
 * Calls `take` with the answer at a path now, and again whenever the stream has another version than the last answer.
 * `again` returns the milliseconds after which to ask without that, too. After a temporary error it tries again; after
 * any other it calls `fail` and stops. Returns a function that stops it.
 */
export function live<T extends { readonly version: number }>(
  stream: string,
  path: string,
  take: (answer: T) => void,
  fail: (words: Words) => void,
  own: Readonly<Record<string, Key>> = {},
  again: (answer: T) => number | undefined = () => undefined,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  let isAsking = false;
  let known = -1;
  let newest = 0;
  const listener = {
    version: () => Math.max(known, 0),
    receive: (message: SocketMessage) => message.type === "changed" && hear(message.version),
    changed: () => undefined,
  };
  /** Opened after the first answer: a socket without a cookie would get another one than the page's first command. */
  let connection: Connection | undefined;
  function hear(version: number): void {
    newest = version;
    if (version === known || isAsking) return;
    clearTimeout(timer);
    later(Math.random() * PAUSE);
  }
  function later(pause: number): void {
    timer = setTimeout(() => void ask(), pause);
  }
  async function ask(): Promise<void> {
    isAsking = true;
    try {
      const answer = await getKnown<T>(path);
      if (isOver) return;
      isAsking = false;
      known = answer.version;
      connection ??= new Connection(stream, listener, "/api/streams");
      take(answer);
      const pause = newest > known ? PAUSE : again(answer);
      if (pause !== undefined) later(pause);
    } catch (error) {
      if (isOver) return;
      isAsking = false;
      if (isTemporary(error)) later(PAUSE);
      else {
        stop();
        fail(failureWords(error, own));
      }
    }
  }
  function stop(): void {
    isOver = true;
    clearTimeout(timer);
    connection?.close();
  }
  void ask();
  return stop;
}
