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
