/** Requests of a part of the page: `load` repeats one, `Loaded` is an answer to show, and `Work` what the user does. */

import type { Key } from "../messages/types";
import { get, isTemporary } from "./api";
import { server } from "./server.svelte";
import { failureWords, NOTHING, type Words } from "./words";

/** Milliseconds between two requests. */
export const PAUSE = 1_000;

/** Messages for codes with a meaning of their own. */
type Own = Readonly<Record<string, Key>>;

/**
 * Calls `take` with the answer. After a temporary error it asks again; after any other it calls `fail`. Returns a
 * function that stops it: neither is called after that.
 */
export function load<T>(path: string, take: (answer: T) => void, fail: (words: Words) => void, own: Own = {}): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  async function ask(): Promise<void> {
    try {
      const answer = await get<T>(path);
      if (!isOver) take(answer);
    } catch (error) {
      if (isOver) return;
      if (isTemporary(error)) timer = setTimeout(() => void ask(), PAUSE);
      else fail(failureWords(error, own));
    }
  }
  void ask();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** The answer at a path, which a component shows: again after a lost connection, and when the path is another one. */
export class Loaded<T> {
  found = $state.raw<T>();
  failed = $state.raw(NOTHING);

  /** Nothing is asked while the path is empty. */
  constructor(private readonly path: () => string, own: Own = {}) {
    let known = "";
    $effect(() => {
      void server.returns;
      const asked = path();
      if (asked !== known) this.found = undefined;
      known = asked;
      this.failed = NOTHING;
      return asked ? load<T>(asked, (answer) => (this.found = answer), (words) => (this.failed = words), own) : undefined;
    });
  }

  /** Whether it has been asked for, and has neither come nor failed. */
  get isLoading(): boolean {
    return this.path() !== "" && this.found === undefined && !this.failed.text;
  }
}

/** What the user does, one thing after the other, and why the last one failed. */
export class Work {
  isBusy = $state(false);
  failed = $state.raw(NOTHING);
  private last: Promise<unknown> = Promise.resolve();

  /** Resolves to whether it was done. */
  run(work: () => Promise<unknown>, own: Own = {}): Promise<boolean> {
    this.isBusy = true;
    const done = this.last.then(async () => {
      this.failed = NOTHING;
      try {
        await work();
      } catch (error) {
        this.failed = failureWords(error, own);
      }
      this.isBusy = this.last !== done;
      return !this.failed.text;
    });
    this.last = done;
    return done;
  }
}
