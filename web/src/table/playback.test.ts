import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { TableView, Update } from "../lib/api";
import { Playback } from "./playback";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const KEPT = [true, true, false, false, false];

function step(type: "rolled" | "scored", by: string, kept: readonly boolean[] = []): Update {
  return { events: [{ type, by, kept }] } as unknown as Update;
}

/** A turn with as many rolls as given, and its score. */
function turn(by: string, rolls = 3): Update[] {
  return [...Array.from({ length: rolls }, (_, roll) => step("rolled", by, roll ? KEPT : [])), step("scored", by)];
}

function screen() {
  let isHasty = false;
  const shown: { at: number; what: string }[] = [];
  const began = Date.now();
  const note = (what: string): void => void shown.push({ at: Date.now() - began, what });
  const playback = new Playback({
    show: (update) => note(update.events[0]?.type ?? ""),
    showKept: () => note("kept"),
    changed: () => undefined,
    isHasty: () => isHasty,
  });
  const steps = () => shown.filter(({ what }) => what !== "kept").map(({ at }) => at);
  return { playback, shown, steps, makeHasty: () => (isHasty = true) };
}

test("a computer player's turn takes at most 2.5 seconds, with any number of rolls", () => {
  for (const rolls of [1, 3, 5, 12]) {
    const { playback, steps } = screen();
    playback.add(step("scored", "person"));
    for (const update of turn("greedy", rolls)) playback.add(update);
    vi.advanceTimersByTime(2_500);
    expect(steps()).toHaveLength(rolls + 2);
    expect(steps()[1]).toBeGreaterThan(0);
    vi.useRealTimers();
    vi.useFakeTimers();
  }
});

test("each step of a usual turn is shown for 600 ms, and the kept dice before the roll", () => {
  const { playback, shown } = screen();
  playback.add(step("scored", "person"));
  for (const update of turn("greedy")) playback.add(update);
  vi.runAllTimers();
  expect(shown).toEqual([
    { at: 0, what: "scored" },
    { at: 600, what: "rolled" },
    { at: 900, what: "kept" },
    { at: 1_200, what: "rolled" },
    { at: 1_500, what: "kept" },
    { at: 1_800, what: "rolled" },
    { at: 2_400, what: "scored" },
  ]);
});

test("every computer player has its own time, also if it was slow to decide", () => {
  const { playback, steps } = screen();
  for (const update of [...turn("greedy"), ...turn("optimal")]) playback.add(update);
  vi.advanceTimersByTime(4_800);
  expect(steps()).toHaveLength(8);
  vi.advanceTimersByTime(20_000);
  const before = Date.now();
  for (const update of turn("greedy")) playback.add(update);
  expect(steps()).toHaveLength(9);
  vi.advanceTimersToNextTimer();
  vi.advanceTimersToNextTimer();
  expect(steps()).toHaveLength(10);
  expect(Date.now() - before).toBe(600);
});

test("hurry shows the rest of a turn at once, also what arrives later, until a person acts", () => {
  const { playback, steps } = screen();
  const [first, ...rest] = turn("greedy");
  playback.add(step("scored", "person"));
  if (first) playback.add(first);
  playback.hurry();
  for (const update of rest) playback.add(update);
  expect(steps()).toEqual([0, 0, 0, 0, 0]);
  playback.add(step("scored", "person"));
  playback.add(step("rolled", "greedy"));
  expect(steps()).toHaveLength(6);
});

test("the setting shows every turn at once, and people are never shown late", () => {
  const { playback, steps, makeHasty } = screen();
  for (const update of turn("person")) playback.add(update);
  makeHasty();
  for (const update of turn("greedy")) playback.add(update);
  expect(steps()).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
});

test("nothing is shown in a pause", () => {
  const { playback, steps } = screen();
  for (const update of turn("greedy")) playback.add(update);
  playback.pause();
  vi.runAllTimers();
  playback.add(step("scored", "person"));
  expect(steps()).toEqual([]);
  playback.hurry();
  expect(steps()).toHaveLength(5);
});

test("a newer view of what is pending is shown in its place", () => {
  const { playback, steps } = screen();
  expect(playback.refresh({} as TableView)).toBe(false);
  const views: unknown[] = [];
  const other = new Playback({
    show: (update) => void views.push(update.view),
    showKept: () => undefined,
    changed: () => undefined,
    isHasty: () => false,
  });
  for (const update of turn("greedy", 1)) other.add({ ...update, view: "old" as unknown as TableView });
  expect(other.refresh("new" as unknown as TableView)).toBe(true);
  vi.runAllTimers();
  expect(views).toEqual(["old", "new"]);
  expect(steps()).toEqual([]);
});
