/** `load` and `poll`: repeat a request after temporary errors, and until an answer is the last one. */

import type { Key } from "../messages/types";
import { get, isTemporary } from "./api";
import { failureWords, type Words } from "./words";

/** Milliseconds between two requests, unless the caller says otherwise. */
const PAUSE = 1_000;

/**
 * Calls `take` with each answer until `take` returns true. After a temporary error it tries again; after any other it
 * calls `fail` and stops. Returns a function that stops it: neither is called after that.
 */
export function poll<T>(
  path: string | (() => string),
  take: (answer: T) => boolean,
  fail: (words: Words) => void,
  pause = PAUSE,
  own: Readonly<Record<string, Key>> = {},
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  async function ask(): Promise<void> {
    let isLast = false;
    try {
      const answer = await get<T>(typeof path === "string" ? path : path());
      if (isOver) return;
      isLast = take(answer);
    } catch (error) {
      if (isOver) return;
      if (!isTemporary(error)) {
        fail(failureWords(error, own));
        return;
      }
    }
    if (!isLast) timer = setTimeout(() => void ask(), pause);
  }
  void ask();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** As `poll`, for one answer. The server may take a while for it. */
export function load<T>(path: string, take: (answer: T) => void, fail: (words: Words) => void): () => void {
  return poll<T>(
    path,
    (answer) => {
      take(answer);
      return true;
    },
    fail,
  );
}
