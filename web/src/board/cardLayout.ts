/** The layout of score cards: the rows, the seats whose columns fit, and the widths of columns. */

import type { OfferView, RulesView } from "../lib/api";
import { t, withoutColumn } from "../lib/i18n.svelte";

/** Windows where the two sections are side by side, as on printed cards: phones, upright or on their side. */
export const PAIRED = "(max-width: 47.99rem), (max-height: 30rem)";

/** The least width of a card with its sections side by side, in pixels of text of the usual size. */
export const LEAST_PAIRED = 272;

/** Roles of the parts of a table. Browsers may drop the implied ones when CSS changes how the parts are displayed. */
export const ROLES = {
  table: "table", group: "rowgroup", row: "row", columnHeader: "columnheader", rowHeader: "rowheader", cell: "cell",
} as const;

/** A category's row: its box in every column of the card. */
export interface Row {
  category: string;
  name: string;
  /** The names in other languages that the ruleset's file gives. */
  names: Readonly<Record<string, string>>;
  face: number | null;
  ids: readonly string[];
}

export function rows(rules: RulesView, section: string): Row[] {
  const found = new Map<string, Row & { ids: string[] }>();
  for (const box of rules.boxes) {
    if (box.section !== section) continue;
    const row = found.get(box.category);
    if (row) row.ids.push(box.id);
    else found.set(box.category, { ...box, name: rules.columns.length > 1 ? withoutColumn(box.name) : box.name, ids: [box.id] });
  }
  return [...found.values()];
}

/** The least widths of names of boxes and of columns of points, in pixels. */
const LABEL = { paired: 70, single: 120 };
const COLUMN = { paired: 32, single: 62 };

/** The width of a column of points beside which others are out of sight, so that long names are readable in it. */
const ROOMY_COLUMN = 84;

/** How many of these seats have room in a card of this width; at least one. */
export function seatsThatFit(width: number, columns: number, isPaired: boolean, numSeats: number): number {
  const kind = isPaired ? "paired" : "single";
  const room = (isPaired ? width / 2 : width) - LABEL[kind];
  const fit = Math.floor(room / (COLUMN[kind] * columns));
  return Math.max(1, isPaired || fit >= numSeats ? fit : Math.floor(Math.min(room, 0.6 * width) / (ROOMY_COLUMN * columns)));
}

/** The seats to show where `fit` have room, in order: all of them, or the preferred ones and those that follow. */
export function seatsShown(fit: number, numSeats: number, preferred: readonly number[]): number[] {
  const all = Array.from({ length: numSeats }, (_, seat) => seat);
  if (fit >= numSeats) return all;
  const from = preferred[0] ?? 0;
  const order = [...new Set([...preferred, ...all.map((step) => (from + step) % numSeats)])];
  return order.slice(0, fit).sort((a, b) => a - b);
}

/** The widths of columns in a paired card of a width, all in rem. The user's own one is wide; with several, all are
 * equal, and on the narrowest phones so narrow that the names of boxes keep some room. */
export function columnWidths(isOwn: readonly boolean[], card: number): number[] {
  const isPair = isOwn.length === 2;
  if (isOwn.length === 1) return [3.5];
  if (isOwn.filter(Boolean).length !== 1) return isOwn.map(() => (isPair ? 2.75 : Math.max(1.5, Math.min(1.875, (card / 2 - 3.25) / isOwn.length))));
  return isOwn.map((own) => (own ? (isPair ? 3.25 : 2.75) : isPair ? 2 : 1.625));
}

/** The least width of the column of names in a card with its sections below each other, and of one beside a bar of advice. */
const NAMES = 8.5;
export const ROOMY_NAMES = 20;

/** The width of a column of points in a card of this width with its sections below each other, both in rem. */
export function pointsWidth(card: number, columns: number): number {
  return Math.min(8, Math.max(3.5, (card - Math.max(NAMES, 0.4 * card)) / columns));
}

/** The mark of a box that takes a joker. */
export function mark(offer: OfferView): string {
  return offer.is_forced ? t("forced") : offer.is_joker ? t("joker") : "";
}
