/** The page of a position, in Swedish. */

import type { position as english } from "../en/position";
import type { Translated } from "../types";

export const position: Translated<typeof english> = {
  positionTitle: "Ställning",
  positionField: "Ställning i notation",
  positionHint: "Regler, block (- för ett tomt), tärningar och kast kvar. Exempel:",
  show: "Visa",
  actions: "Alla drag",
  actionsHint: "Välj ett drag för att se varför det bästa är bättre.",
  positionOver: "Det här spelet är slut.",
  positionLead: "Ställ in vilka tärningar och vilket block som helst, och se vad som är bäst.",
  setFace: "Sätt tärning {place} till {face}",
  otherDice: "Andra tärningar",
  rollsLeftTitle: "Kast kvar",
  beforeRoll: "före första kastet",
  pointsIn: "Poäng i {box}",
  pointsNow: { one: "{n} poäng nu", other: "{n} poäng nu" },
  emptyCard: "Töm blocket",
  otherCards: {
    one: "Blocket för {n} annan spelare visas inte här: det ändrar inte vad som är bäst.",
    other: "Blocken för {n} andra spelare visas inte här: de ändrar inte vad som är bäst.",
  },
  positionWorth: "Utan misstag härifrån slutar blocket på {value} poäng i genomsnitt.",
  positionAsText: "Som en textrad",
  chancesTitle: "Hur många poäng blir det?",
  chancesWork: "Räknar ut chanserna …",
  chancesMean: "Omkring {mean} i genomsnitt. Nio av tio spel slutar mellan {low} och {high}.",
  chancesChart: "Chanser för slutpoängen: {mean} i genomsnitt, nio av tio spel mellan {low} och {high}.",
  chancesTarget: "Hur troligt är",
  chancesReached: "{n} poäng eller mer: {chance}",
  chancesScore: "Poäng",
  chancesAtLeast: "Så många eller fler",
};
