/** `Words` for errors: the page's own message if the error has a known code, or else the server's, which is in English. */

import type { Key } from "../messages/types";
import type { Refused } from "./api";
import { ApiError } from "./api";
import { t } from "./i18n.svelte";

export interface Words {
  readonly text: string;
  /** The language of the text, if it is not that of the page. */
  readonly lang?: "en";
}

export const NOTHING: Words = { text: "" };

type Code = NonNullable<Refused["code"]>;

const CODES: Readonly<Record<Code, Key>> = {
  not_begun: "refusedNotBegun",
  ended: "refusedEnded",
  not_your_turn: "refusedNotYourTurn",
  stood_in: "refusedStoodIn",
  roll_first: "refusedRollFirst",
  no_rolls: "noRolls",
  box_filled: "refusedBoxFilled",
  box_closed: "refusedBoxClosed",
  nothing_to_undo: "refusedNothingToUndo",
  name_taken: "refusedNameTaken",
  still_acts: "refusedStillActs",
  others_play: "refusedOthersPlay",
};

const REASONS: Partial<Record<Refused["reason"], Key>> = {
  stale: "movedOn",
  not_yours: "refusedNotYours",
  too_fast: "retryTooFast",
  unavailable: "retryUnavailable",
};

const ERRORS: Readonly<Record<string, Key>> = {
  ...CODES,
  unavailable: "unavailable",
  too_fast: "tooFast",
  no_advice: "noAdvice",
  too_large: "tooLarge",
  mistake: "serverError",
};

/** Why a command was refused, or will be sent again. */
export function refusalWords(answer: Refused): Words {
  const key = answer.code ? CODES[answer.code] : REASONS[answer.reason];
  return key ? { text: t(key, { n: Math.ceil(answer.seconds ?? 0) }) } : { text: answer.detail, lang: "en" };
}

/** Why a request failed. `own` has messages for codes that have a special meaning for this request. */
export function failureWords(error: unknown, own: Readonly<Record<string, Key>> = {}): Words {
  if (!(error instanceof ApiError)) return { text: error instanceof Error ? error.message : String(error), lang: "en" };
  if (!error.status) return { text: t("unreachable") };
  const key = own[error.code] ?? ERRORS[error.code];
  return key ? { text: t(key, { n: error.seconds }) } : { text: error.message, lang: "en" };
}
