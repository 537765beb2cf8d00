/** Names of players: the check of an input for one. The server has the same rule, in `game/names.py`. */

import type { Key } from "../messages/types";
import { t } from "./i18n.svelte";

export const MAX_GRAPHEMES = 40;
const MAX_MARKS = 16;

/** More marks in a row than any script needs; Tibetan, Burmese and Khmer stack letters, which are marks. */
const STACK =
  /(?:[\u200c\u200d\ufe00-\ufe0f]*(?![\ufe00-\ufe0f\u0f00-\u109f\u1780-\u17ff])[\p{Mn}\p{Me}]){5}|(?:[\u200c\u200d\ufe00-\ufe0f]*(?![\ufe00-\ufe0f])[\p{Mn}\p{Me}]){9}/u;

/** Control characters, other invisible characters, and private ones; not the joiners and tags of emoji and scripts. */
const FORBIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Co}\p{Cs}]|(?![\u200c\u200d\u{e0020}-\u{e007f}])\p{Cf}/u;
/** As in `game/names.py`: selectors and tags that are seen, joiners that are, and what else is not. */
const EMOJI = "\\u203c-\\u2bff\\u3030\\u303d\\u3297\\u3299\\u{1f000}-\\u{1ffff}";
const SELECTED = new RegExp(
  `(?<=[#*0-9\\u00a9\\u00ae${EMOJI}])[\\ufe0e\\ufe0f]|(?<=[\\u3400-\\u9fff\\u{20000}-\\u{3ffff}])[\\u{e0100}-\\u{e01ef}]|(?<=\\u{1f3f4})[\\u{e0020}-\\u{e007f}]+`,
  "gu",
);
const JOINED = new RegExp(`(?<=[\\u0590-\\u109f\\u1780-\\u18af\\ua8e0-\\uabff])[\\u200c\\u200d]|(?<=[${EMOJI}])\\u200d(?=[${EMOJI}])`, "gu");
const UNSEEN = /[\u034f\u200c\u200d\ufe00-\ufe0f\u{e0020}-\u{e01ef}]/u;
const VISIBLE = /[^\p{Z}\p{M}\p{C}\u115f\u1160\u2800\u3164\uffa0]|[\u{10000}-\u{3ffff}]/u;

/** The characters of a text as people count them. */
export function graphemes(text: string): readonly string[] {
  return Array.from(new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text), (found) => found.segment);
}

/** What is wrong with a name: a message and its number. */
export function nameFault(text: string): { readonly key: Key; readonly n: number } | undefined {
  const name = text.normalize("NFC").trim();
  const parts = graphemes(name);
  const n = parts.length;
  if (STACK.test(name)) return { key: "nameMarks", n };
  if (FORBIDDEN.test(name) || parts.some((part) => [...part].length > MAX_MARKS)) return { key: "nameForbidden", n };
  if (!VISIBLE.test(name)) return { key: "nameEmpty", n };
  if (UNSEEN.test(name.replace(SELECTED, "").replace(JOINED, ""))) return { key: "nameForbidden", n };
  return n > MAX_GRAPHEMES ? { key: "nameLong", n } : undefined;
}

/** Attached to an input: its form is not sent while it has a name that the server would refuse, and says why. An input
 * that is not required can be empty. */
export function checkName(input: HTMLInputElement): () => void {
  const check = (): void => {
    const fault = input.value.trim() || input.required ? nameFault(input.value) : undefined;
    input.setCustomValidity(fault ? t(fault.key, { n: fault.n }) : "");
  };
  check();
  const form = input.form;
  input.addEventListener("input", check);
  form?.addEventListener("click", check, { capture: true }); // a program may have changed the value
  return () => {
    input.removeEventListener("input", check);
    form?.removeEventListener("click", check, { capture: true });
  };
}
