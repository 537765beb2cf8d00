/** `poll`: asks the server again and again while it is still finding what was asked for. */

import { get, isPassing } from "./api";
import { failureWords, type Words } from "./words";

/** Milliseconds between two questions. */
const PAUSE = 1_000;

/**
 * Gives `take` each answer of a path until `take` says that it was the last; asks again, too, after an error that will
 * pass, and gives `fail` the words for any other. Returns what ends it: from then on neither is called.
 */
export function poll<T>(path: string, take: (answer: T) => boolean, fail: (words: Words) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  async function ask(): Promise<void> {
    let isLast = false;
    try {
      const answer = await get<T>(path);
      if (isOver) return;
      isLast = take(answer);
    } catch (error) {
      if (isOver) return;
      if (!isPassing(error)) {
        fail(failureWords(error));
        return;
      }
    }
    if (!isLast) timer = setTimeout(() => void ask(), PAUSE);
  }
  void ask();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
