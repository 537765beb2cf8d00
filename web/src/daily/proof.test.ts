import { expect, test } from "vitest";
import type { AnswerView } from "../lib/api";
import { checkGame, isCommitted } from "./proof";

// The vectors of docs/daily.md.
const secret = "e9214b1424a5d974716e8bb45b6f27fb93f25b19ba8f8cb5b95211a0221c449c";
const commitment = "328bf3370621ca4ba8aa1df965425b2eb9aaf7d28a1189e7fc0a25120938ea1d";

function answer(dice: number[], kept: boolean[]): AnswerView {
  return { question: { turn: { round: 1, rolls: 3, rolls_left: 2, dice, kept } } } as unknown as AnswerView;
}

test("the secret of a day gives its commitment, and no other", async () => {
  expect(await isCommitted({ secret, commitment })).toBe(true);
  expect(await isCommitted({ secret: secret.replace("e9", "e8"), commitment })).toBe(false);
  expect(await isCommitted({ secret: null, commitment })).toBeUndefined();
});

test("the dice of a game follow from the secret, except those that were kept", async () => {
  const none = [false, false, false, false, false];
  const rules = { faces: 6 };
  expect(await checkGame(secret, "yahtzee", [answer([5, 1, 4, 2, 4], none)], rules)).toEqual({ rolled: 5, wrong: 0 });
  expect(await checkGame(secret, "yahtzee", [answer([5, 1, 4, 2, 5], none)], rules)).toEqual({ rolled: 5, wrong: 1 });
  expect(await checkGame(secret, "yahtzee", [answer([5, 1, 4, 2, 5], [...none.slice(1), true])], rules)).toEqual({ rolled: 4, wrong: 0 });
});
