/** The review of a game, in Swedish. */

import type { review as english } from "../en/review";
import type { Translated } from "../types";

export const review: Translated<typeof english> = {
  review: "Genomgång",
  reviewSolving: "Löser reglerna …",
  reviewReasons: "Söker skäl …",
  reviewGames: "Spelar perfekta spel för att mäta turen …",
  reviewLead: "Tur: värdet efter ett kast minus värdet före. Förlust: bästa värdet minus värdet av det valda draget.",
  reviewNote:
    "Båda är exakta och ger tillsammans poängen. De är inte oberoende: att spara fel tärningar ändrar vad ett kast kan ge.",
  valueOverTime: "Värdet under spelet",
  turn: "Omgång",
  luck: "Tur",
  score: "Poäng",
  start: "Start",
  diceNeutral: "Tärnings\u00ADneutralt",
  diceNeutralHint: "Tärningsneutralt: vad besluten ger med genomsnittlig tur.",
  luckAndLoss: "Tur och förlust, omgång för omgång",
  costliest: "Dyraste besluten",
  noMistakes: "Perfekt: inget beslut kostade ens en tiondels poäng.",
  level: "Nivå: {level}",
  levelHint:
    "Förlorade poäng per beslut med ett val: {rate}. Nivåer och felgrader är mätta i Yahtzee; där färre poäng står på spel blir de bättre. Ett enda spel säger lite om en spelare.",
  levelMaster: "mästare",
  levelExpert: "expert",
  levelStrong: "stark",
  levelSolid: "stabil",
  levelCasual: "hobbyspelare",
  levelBeginner: "nybörjare",
  markInaccuracy: { one: "{n} oprecist val", other: "{n} oprecisa val" },
  markMistake: { one: "{n} misstag", other: "{n} misstag" },
  markBlunder: { one: "{n} grovt misstag", other: "{n} grova misstag" },
  inaccuracy: "oprecist val",
  mistake: "misstag",
  blunder: "grovt misstag",
  luckMeasuring: "mäter turen …",
  luckPercentile: "mer tur än i {percent} av de perfekta spelen",
  itCost: "Med {dice} kostade ”{action}” {loss} poäng. Bäst var ”{best}”.",
  seePosition: "Visa ställningen",
  box: "Ruta",
  points: "Poäng",
};
