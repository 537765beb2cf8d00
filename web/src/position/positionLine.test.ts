import { expect, test } from "vitest";
import { formatCard, formatLine, parseCard, parseLine, withCard } from "./positionLine";

test.each([
  "yahtzee - 33456 r2",
  "yahtzee[joker=free] - - r3",
  "yahtzee yahtzee=50,threes=9,+1/chance=20,ones=2 @1 33333 r0",
])("the parts of %s are read and written", (line) => {
  expect(formatLine(parseLine(line))).toBe(line);
});

test("dice are written in ascending order", () => {
  const line = parseLine("crag - 455 r1");
  expect(formatLine({ ...line, dice: [6, 1, 3] })).toBe("crag - 136 r1");
  expect(formatLine({ ...line, dice: [], rollsLeft: 2 })).toBe("crag - - r2");
});

test("a card is changed without the cards of the others", () => {
  const line = parseLine("yahtzee ones=3,+1,saved=2,won=1/chance=20 @1 33333 r0");
  const card = parseCard(line.cards[0] ?? "");
  expect(card).toEqual({ points: { ones: 3 }, extras: 1, saved: 2 });
  expect(formatLine(withCard(line, { ...card, points: { ...card.points, twos: 6 } }))).toBe("yahtzee ones=3,twos=6,+1,saved=2 33333 r0");
  expect(formatCard({ points: {}, extras: 0, saved: 0 })).toBe("-");
});
