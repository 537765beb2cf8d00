import { expect, test } from "vitest";
import { announce, announced } from "./announce.svelte";

test("a sentence that is announced again and again changes the live region each time", () => {
  const heard = ["Right: nothing is better.", "Right: nothing is better.", "Right: nothing is better."].map((sentence) => {
    announce(sentence);
    return announced.text;
  });
  expect(heard.map((text, n) => text !== heard[n - 1])).toEqual([true, true, true]);
  expect(heard.map((text) => text.trim())).toEqual(Array(3).fill("Right: nothing is better."));
});
