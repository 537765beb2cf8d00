/** The layout of score cards: the rows, and the seats whose columns fit. */

import type { RulesView } from "../lib/api";

/** A category's row: its box in every column of the card. */
export interface Row {
  category: string;
  name: string;
  face: number | null;
  about: string;
  ids: readonly string[];
}

export function rows(rules: RulesView, section: string): Row[] {
  const found = new Map<string, Row & { ids: string[] }>();
  for (const box of rules.boxes) {
    if (box.section !== section) continue;
    const row = found.get(box.category);
    if (row) row.ids.push(box.id);
    else found.set(box.category, { ...box, ids: [box.id] });
  }
  return [...found.values()];
}

const LABEL = 120;
const COLUMN = 62;

/**
 * The seats whose cards fit into this width, in order: all of them, or as many as fit of the preferred ones and those
 * that follow; at least one.
 */
export function seatsShown(width: number, numSeats: number, columns: number, preferred: readonly number[]): number[] {
  const fit = Math.max(1, Math.floor((width - LABEL) / (COLUMN * columns)));
  const all = Array.from({ length: numSeats }, (_, seat) => seat);
  if (fit >= numSeats) return all;
  const from = preferred[0] ?? 0;
  const order = [...new Set([...preferred, ...all.map((step) => (from + step) % numSeats)])];
  return order.slice(0, fit).sort((a, b) => a - b);
}
