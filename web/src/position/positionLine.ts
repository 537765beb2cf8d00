/** `PositionLine`: the parts of a position in notation, to change one of them. The server checks the result. */

import { digits, facesOf } from "../lib/notation";

export interface PositionLine {
  /** The rules, with their options. */
  readonly ref: string;
  /** All cards in notation. */
  readonly cards: readonly string[];
  readonly seat: number;
  /** Faces in any order; empty before the first roll. */
  readonly dice: readonly number[];
  readonly rollsLeft: number;
}

export interface CardEntries {
  readonly points: Readonly<Record<string, number>>;
  readonly extras: number;
  readonly saved: number;
}

/** The parts of a line that the server has written, so it is well-formed. */
export function parseLine(line: string): PositionLine {
  const words = line.split(" ");
  const seat = words[2]?.startsWith("@") ? Number(words.splice(2, 1)[0]?.slice(1)) : 0;
  const [ref = "", cards = "-", dice = "-", rolls = "r0"] = words;
  return { ref, cards: cards.split("/"), seat, dice: facesOf(dice), rollsLeft: Number(rolls.slice(1)) };
}

export function formatLine({ ref, cards, seat, dice, rollsLeft }: PositionLine): string {
  const faces = digits(dice) || "-";
  return [ref, cards.join("/"), ...(seat ? [`@${seat}`] : []), faces, `r${rollsLeft}`].join(" ");
}

export function parseCard(card: string): CardEntries {
  const points: Record<string, number> = {};
  let extras = 0;
  let saved = 0;
  for (const entry of card === "-" ? [] : card.split(",")) {
    const [key = "", value = ""] = entry.split("=");
    if (entry.startsWith("+")) extras = Number(entry.slice(1));
    else if (key === "saved") saved = Number(value);
    else if (key !== "won") points[key] = Number(value);
  }
  return { points, extras, saved };
}

export function formatCard({ points, extras, saved }: CardEntries): string {
  const entries = Object.entries(points).map(([box, value]) => `${box}=${value}`);
  if (extras) entries.push(`+${extras}`);
  if (saved) entries.push(`saved=${saved}`);
  return entries.join(",") || "-";
}

/** The line with another card of the seat to move, alone: the turns that the other seats had no longer fit. */
export function withCard(line: PositionLine, card: CardEntries): PositionLine {
  return { ...line, cards: [formatCard(card)], seat: 0 };
}

export function randomDice(num: number, faces: number): number[] {
  return Array.from({ length: num }, () => 1 + Math.floor(Math.random() * faces));
}
