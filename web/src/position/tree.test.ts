import { expect, test } from "vitest";
import type { ActionParts } from "../lib/api";
import { before, EMPTY, following, formatTree, parseTree, type Tree, withNote, withoutShown, withStep } from "./tree";

function keep(...dice: number[]): ActionParts {
  return { verb: "keep", dice };
}

function play(tree: Tree, action?: ActionParts, ...rolled: number[]): Tree {
  return withStep(tree, action, rolled);
}

const score: ActionParts = { verb: "score", box: "sixes" } as ActionParts;
const line = play(play(play(EMPTY, keep(6, 6), 5, 1, 3), keep(6, 6, 6), 5, 1), score);
const branched = withNote(play({ ...line, at: 1 }, keep(6), 5, 2, 2, 2), "Oh");

test("a tree is written compactly", () => {
  expect(formatTree(EMPTY)).toBe("");
  expect(formatTree(line)).toBe(";k66:135;k666:15;ssixes");
  expect(formatTree(branched)).toBe(";k66:135;k666:15;ssixes;1k6:2225:Oh");
  expect(formatTree({ ...branched, at: 2 })).toBe(";k66:135;k666:15;ssixes;1k6:2225:Oh;2");
  expect(formatTree(play(line, undefined, 3, 1))).toBe(";k66:135;k666:15;ssixes;r:13");
});

const NOTES = ["", "Why?", "50 % – “sure”", "a+b; c:d, e.", "ä 🎲 (x)!", "12", ":", " ", "%41"];
const ACTIONS: (ActionParts | undefined)[] = [
  undefined, keep(), keep(1, 10, 35), score, { verb: "scratch", box: "ones" }, { verb: "announce", box: "fives_announced" },
].map((action) => action as ActionParts | undefined);

test("a tree is read as it was written", () => {
  let seed = 7;
  const random = (below: number): number => (seed = (seed * 16807) % 2147483647) % below;
  for (let round = 0; round < 200; round += 1) {
    let tree = withNote(EMPTY, NOTES[random(NOTES.length)] ?? "");
    for (let count = random(30); count > 0; count -= 1) {
      tree = play({ ...tree, at: random(tree.notes.length) }, ACTIONS[random(ACTIONS.length)], ...Array.from({ length: random(6) }, () => 1 + random(9)));
      tree = withNote(tree, NOTES[random(NOTES.length)] ?? "");
    }
    tree = { ...tree, at: random(tree.notes.length) };
    const text = formatTree(tree);
    expect(parseTree(text)).toEqual(tree);
    expect(text).toMatch(/^(?:[\w;:+-]|%[\dA-F]{2})*$/);
    expect(new URL(`https://example.org/position/x#${text}`).hash.slice(1)).toBe(text);
  }
});

test("a text that describes no tree is noticed", () => {
  for (const text of ["x", ";", ";z", ";k6z:é", ";k66:135;3", ";1k66", ";k66:1:a:b", ";ssixes:::", "::", "::%E4", ";s%E4", ";k-1", "1"]) {
    expect([text, parseTree(text)]).toEqual([text, undefined]);
  }
});

test("a step that is there already is taken, whatever the order of its dice", () => {
  expect(play({ ...branched, at: 0 }, keep(6, 6), 3, 1, 5)).toEqual({ ...branched, at: 1 });
});

test("positions know what is before and after them", () => {
  expect([before(branched), before(line), before(EMPTY)]).toEqual([1, 2, 0]);
  expect([following(branched, 1), following(branched, 3)]).toEqual([[2, 4], []]);
});

test("a branch is removed with everything after it", () => {
  expect(withoutShown(branched)).toEqual({ ...line, at: 1 });
  expect(formatTree(withoutShown({ ...branched, at: 2 }))).toBe(";k66:135;1k6:2225:Oh;1".replace("1k6", "k6"));
  expect(withoutShown({ ...branched, at: 1 })).toEqual(EMPTY);
});
