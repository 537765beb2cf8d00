/** The verdict on a record in words: a row for each thing that a check covers, and a sentence for each problem. */

import type { RecordCheckView } from "../lib/api";
import { count, t } from "../lib/i18n.svelte";
import type { Problem, UncheckableError, Verification } from "../lib/verify";
import type { Words } from "../lib/words";
import type { Key } from "../messages/types";

/** What the server says about points, result and rules: nothing yet, its answer, or why there is none. */
export type Points = RecordCheckView | { readonly why: Words } | undefined;

/** One line of the verdict. `state` is undefined for what is not proved, or not checked. */
export interface Row {
  readonly about: Key;
  readonly state: boolean | undefined;
  readonly text: string;
  /** The server's sentence, in English, about a line. */
  readonly detail?: string;
}

/** Whether points, result and rules agree; undefined if that was not checked. */
export function isRight(points: Points): boolean | undefined {
  return points && "ok" in points ? points.ok : undefined;
}

/** The rows of the verdict. */
export function rows(found: Verification, points: Points): Row[] {
  const notProved = { state: undefined, text: t("checkNotProved") };
  return [
    diceRow(found),
    ...pointsRows(found, points),
    beganRow(found),
    { about: "checkUndone", state: undefined, text: undoneWords(points) },
    { about: "help", state: undefined, text: helpWords(points) },
    { about: "checkNames", ...notProved },
    { about: "checkDate", ...notProved },
  ];
}

/** The number of differences: dice, and points or rules that are wrong by themselves. */
export function numDifferences(found: Verification, points: Points): number {
  return found.problems.length + pointsRows(found, points).filter(({ state }) => state === false).length;
}

function diceRow(found: Verification): Row {
  const isGood = found.problems.every((problem) => problem.kind === "opening");
  const text = isGood ? t("checkDiceGood", { n: found.dice }) : t("checkAbove");
  return { about: "dice", state: isGood, text };
}

function pointsRows(found: Verification, points: Points): Row[] {
  const about = "checkPoints";
  if (!points) return [{ about, state: undefined, text: t("checkPointsWait") }];
  if ("why" in points) return [{ about, state: undefined, text: t("checkPointsFailed", { why: points.why.text }) }];
  const line = points.line ?? 0;
  if (["ruleset", "options", "digest"].includes(points.part)) {
    return [
      { about, state: undefined, text: t("checkPointsRules") },
      { about: "rules", state: false, text: t("checkRulesWrong", { line }), detail: points.problem },
    ];
  }
  if (points.ok) {
    return [
      { about, state: true, text: t("checkPointsGood") },
      { about: "rules", state: true, text: `${points.name} (${points.ruleset}, ${points.digest})` },
    ];
  }
  if (found.problems.some((problem) => problem.lines.includes(line))) {
    return [{ about, state: undefined, text: t("checkPointsDice", { line }) }];
  }
  const text = line ? t("checkPointsWrong", { line }) : t("checkPointsText");
  return [{ about, state: false, text, detail: points.problem }];
}

const BEGAN = { rolled: "checkBeganRolled", chosen: "checkBeganChosen", unknown: "checkBeganUnknown" } as const;

function beganRow(found: Verification): Row {
  const isWrong = found.problems.some((problem) => problem.kind === "opening");
  const state = found.began === "rolled" ? !isWrong : undefined;
  return { about: "checkBegan", state, text: t(isWrong ? "checkAbove" : BEGAN[found.began]) };
}

/** How many turns were undone, and what was known when they went on. */
function undoneWords(points: Points): string {
  if (!isRight(points) || !points || !("undone" in points)) return t("checkNotProved");
  const { undone } = points;
  if (undone.length === 0) return t("checkUndoneNone");
  const foreseen = undone.filter((one) => one.foreseen).length;
  const others = undone.filter((one) => one.rolled.length > 0).length - foreseen;
  return [
    `${t("checkUndoneSome", { n: undone.length })}.`,
    ...(others ? [t("checkUndoneComputers", { n: others })] : []),
    ...(foreseen ? [t("checkUndoneForeseen", { n: foreseen })] : []),
  ].join(" ");
}

/** What help there was, and how each seat used it, which nothing proves. */
function helpWords(points: Points): string {
  if (!points || !("help" in points) || !points.help) return t("checkNotProved");
  const { kind, questions } = points.help;
  const used = questions.map(({ seat, asked, changed }) =>
    t("tutorUsed", { name: t("seatNumber", { n: seat + 1 }), n: asked, changed }),
  );
  return t("checkHelp", { help: [t(`help_${kind}`), ...used].join(" · ") });
}

/** The sentence for a problem. Turns and rolls count from 1. */
export function problemWords({ kind, shown, made, turn, roll }: Problem): string {
  const values = { shown, made, turn: (turn ?? 0) + 1 };
  switch (kind) {
    case "commitment":
      return t("problemCommitment", values);
    case "opening":
      return t("problemOpening", values);
    case "turns":
      return t("problemTurns", values);
    case "rolls":
      return t("problemRolls", values);
    case "keep":
      return inRoll(values.turn, roll, t("problemKeep", values));
    case "dice":
      return inRoll(values.turn, roll, t("problemDice", values));
  }
}

const ROLLS = ["problemRoll1", "problemRoll2", "problemRoll3"] as const;

function inRoll(turn: number, roll: number | null, what: string): string {
  const number = roll ?? 0;
  return t(ROLLS[number] ?? "problemRoll", { turn, roll: number + 1, what });
}

/** Why a record cannot be checked; for a line that cannot be read, with what it should look like. */
export function uncheckableWords({ kind, line, want }: UncheckableError): Words & { readonly want?: string } {
  if (kind === "form") return { text: t("verifyForm", { line: count(line) }), want };
  if (kind === "real_dice") return { text: t("realDice") };
  return { text: t(kind === "no_proof" ? "verifyNoProof" : kind === "no_secret" ? "verifyNoSecret" : "verifyInsecure") };
}
