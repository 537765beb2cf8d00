/** `Words` for errors: the page's own message if the error has a known code, or else the server's, which is in English. */

import type { Key } from "../messages/types";
import { ApiError, type Refused } from "./api";
import { t } from "./i18n.svelte";
import { IS_STATIC } from "./site";

export interface Words {
  readonly text: string;
  /** The language of the text, if it is not that of the page. */
  readonly lang?: "en";
}

export const NOTHING: Words = { text: "" };

/** Seconds that a command waits to be sent again; a longer wait is shown as a refusal. */
const LONGEST_WAIT = 10;

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
  must_announce: "mustAnnounce",
  nothing_to_undo: "refusedNothingToUndo",
  name_taken: "refusedNameTaken",
  others_play: "refusedOthersPlay",
  no_rematch: "refusedNoRematch",
  closed: "refusedClosed",
  rated: "refusedRated",
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
  too_large: "tooLarge",
  mistake: "serverError",
  no_cookie: "noCookies",
  only_online: IS_STATIC ? "staticMissing" : "offlineMissing",
  no_reasons: IS_STATIC ? "staticMissing" : "offlineNoReasons",
  other_tabs: "otherTabs",
};

/** Whether a refused command is worth sending again by itself: the server can take it in a few seconds. */
export function isSentAgain(answer: Refused): boolean {
  return answer.reason === "unavailable" || (answer.reason === "too_fast" && (answer.seconds ?? 0) <= LONGEST_WAIT);
}

/** Why a command was refused, or will be sent again. */
export function refusalWords(answer: Refused): Words {
  if (answer.reason === "too_fast" && !isSentAgain(answer)) return { text: tooFast(answer.seconds ?? 0) };
  const key = answer.code ? CODES[answer.code] : REASONS[answer.reason];
  return key ? { text: t(key) } : { text: answer.detail, lang: "en" };
}

/** Why a request failed. `own` has messages for codes that have a special meaning for this request. */
export function failureWords(error: unknown, own: Readonly<Record<string, Key>> = {}): Words {
  if (!(error instanceof ApiError)) {
    const named = error instanceof Error ? ERRORS[error.name] : undefined;
    return named ? { text: t(named) } : { text: error instanceof Error ? error.message : String(error), lang: "en" };
  }
  if (!error.status) return { text: t("unreachable") };
  const key = own[error.code] ?? ERRORS[error.code];
  if (key === "tooFast") return { text: tooFast(error.seconds) };
  return key ? { text: t(key) } : { text: error.message, lang: "en" };
}

/** Too many requests, with the time to wait in its largest unit, rounded up. */
function tooFast(seconds: number): string {
  if (seconds > 2 * 3600) return t("tooFastHours", { n: Math.ceil(seconds / 3600) });
  if (seconds > 2 * 60) return t("tooFastMinutes", { n: Math.ceil(seconds / 60) });
  return t("tooFast", { n: Math.ceil(seconds) });
}
