/**
 * `Playback`: shows the updates of a table in order. Those of people are shown at once, and those of computer players
 * slowly enough to follow: the server takes their steps in a moment.
 */

import type { TableView, Update } from "../lib/api";

/** Milliseconds that one step of a computer player takes, and a whole turn at most. */
const STEP = 600;
export const TURN = 2_400;
/** With more updates than this to show, all are shown at once. */
const MAX_PENDING = 40;

interface Screen {
  show(update: Update): void;
  /** Shows the dice that a computer player keeps, before it rolls the others. */
  showKept(kept: readonly boolean[]): void;
  /** Whether some updates are not shown yet. */
  changed(isBehind: boolean): void;
  /** Whether computer players are to be shown without a pause. */
  isHasty(): boolean;
}

export class Playback {
  private readonly pending: Update[] = [];
  private timers: ReturnType<typeof setTimeout>[] = [];
  private shownAt = performance.now();
  /** When the present turn of a computer player began on the screen. */
  private turnBegan = performance.now();
  private isHurried = false;
  private isPaused = false;

  constructor(private readonly screen: Screen) {}

  /** Shows an update as soon as all earlier ones have been seen. */
  add(update: Update): void {
    // A computer player that was slow to decide still takes its time on the screen.
    if (!this.pending.length) this.turnBegan = Math.max(this.turnBegan, performance.now() - STEP);
    this.pending.push(update);
    this.run();
  }

  /** Replaces the view of the last pending update by a newer one of the same version; false if nothing is pending. */
  refresh(view: TableView): boolean {
    const last = this.pending.pop();
    if (last) this.pending.push({ ...last, view });
    return last !== undefined;
  }

  /** Shows all that is pending, and the rest of what computer players do before a person acts again. */
  hurry(): void {
    this.isHurried = true;
    this.isPaused = false;
    this.run();
  }

  /** Shows nothing more until `hurry`. */
  pause(): void {
    this.isPaused = true;
    this.stop();
  }

  /** Forgets what is pending, because something newer is shown. */
  clear(): void {
    this.stop();
    this.pending.length = 0;
    this.shownAt = this.turnBegan = performance.now();
    this.screen.changed(false);
  }

  stop(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers = [];
  }

  private run(): void {
    if (this.isPaused) return;
    this.stop();
    if (this.pending.length > MAX_PENDING) this.isHurried = true;
    for (let next = this.pending[0]; next; next = this.pending[0]) {
      const wait = this.due(next) - performance.now();
      if (wait > 0) {
        this.wait(next, wait);
        break;
      }
      this.pending.shift();
      this.shownAt = performance.now();
      if (next.events.some((event) => event.type === "scored")) this.turnBegan = this.shownAt;
      if (!isByComputer(next)) this.isHurried = false;
      this.screen.show(next);
    }
    this.screen.changed(this.pending.length > 0);
  }

  private wait(next: Update, milliseconds: number): void {
    this.timers.push(setTimeout(() => this.run(), milliseconds));
    for (const event of next.events) {
      if (event.type !== "rolled" || !event.kept.some(Boolean)) continue;
      this.timers.push(setTimeout(() => this.screen.showKept(event.kept), milliseconds / 2));
    }
  }

  /** When an update is to be shown: the steps that are left of a turn share the time that is left of it. */
  private due(next: Update): number {
    if (!isByComputer(next) || this.isHurried || this.screen.isHasty()) return 0;
    const end = this.pending.findIndex((update) => update.events.some((event) => event.type === "scored"));
    const steps = end < 0 ? this.pending.length : end + 1;
    return this.shownAt + Math.min(STEP, Math.max(0, this.turnBegan + TURN - this.shownAt) / steps);
  }
}

function isByComputer(update: Update): boolean {
  return update.events.some(
    (event) => (event.type === "rolled" || event.type === "scored" || event.type === "announced") && (event.by ?? "person") !== "person",
  );
}
