/** The marks of decisions: their symbols, and what these are called. */

import type { Key } from "../messages/types";
import { t } from "./i18n.svelte";

export type Mark = "good" | "inaccuracy" | "mistake" | "blunder";

export const SYMBOLS: Readonly<Record<Mark, string>> = { good: "✓", inaccuracy: "?!", mistake: "?", blunder: "??" };
export const MARKS: Readonly<Record<Mark, Key>> = { good: "markGood", inaccuracy: "inaccuracy", mistake: "mistake", blunder: "blunder" };

/** The mark of a symbol. */
export function markOf(symbol: string): Mark | undefined {
  return (Object.keys(SYMBOLS) as Mark[]).find((one) => SYMBOLS[one] === symbol);
}

/** A symbol in words. */
export function symbolWords(symbol: string): string {
  const mark = markOf(symbol);
  return mark ? t(MARKS[mark]) : symbol;
}
