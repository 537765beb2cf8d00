/** The marks of decisions: their symbols, and what these are called. */

import type { Key } from "../messages/types";
import { t } from "./i18n.svelte";

export type Mark = "good" | "inaccuracy" | "mistake" | "blunder";

export const SYMBOLS: Readonly<Record<Mark, string>> = { good: "✓", inaccuracy: "?!", mistake: "?", blunder: "??" };
export const MARKS: Readonly<Record<Mark, Key>> = { good: "markGood", inaccuracy: "inaccuracy", mistake: "mistake", blunder: "blunder" };

/** A symbol in words. */
export function symbolWords(symbol: string): string {
  const mark = (Object.keys(SYMBOLS) as Mark[]).find((one) => SYMBOLS[one] === symbol);
  return mark ? t(MARKS[mark]) : symbol;
}
