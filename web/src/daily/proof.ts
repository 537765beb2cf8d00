/** The proof of a past day: its secret gives its commitment, and the dice of its game. */

import type { AnswerView, DayProofsView, RulesView } from "../lib/api";
import { commitment, tableDice } from "../lib/verify";

type Day = DayProofsView["days"][number];

/** Whether the secret of a day is the one that was committed to; undefined before the secret is published. */
export async function isCommitted({ secret, commitment: wanted }: Pick<Day, "secret" | "commitment">): Promise<boolean | undefined> {
  return secret === null ? undefined : (await commitment(bytes(secret))) === wanted;
}

/** How many dice of a daily game were rolled, and how many of these do not follow from the secret of the day. */
export async function checkGame(secret: string, ref: string, answers: readonly AnswerView[], { faces }: Pick<RulesView, "faces">): Promise<{ rolled: number; wrong: number }> {
  const dice = await tableDice(bytes(secret), `game-${ref}`, []);
  const made = answers.flatMap(({ question: { turn } }) =>
    turn.dice.flatMap((face, place) =>
      turn.kept[place] ? [] : [dice.die(turn.round - 1, turn.rolls - 1 - turn.rolls_left, place, faces).then((one) => one === face)],
    ),
  );
  const right = await Promise.all(made);
  return { rolled: right.length, wrong: right.filter((one) => !one).length };
}

function bytes(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}
