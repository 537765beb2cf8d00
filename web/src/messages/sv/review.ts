/** The review of a game, in Swedish. */

import type { review as english } from "../en/review";
import type { Translated } from "../types";

export const review: Translated<typeof english> = {
  review: "Genomgång",
  reviewSolving: "Reglerna löses …",
  reviewReasons: "Skälen söks …",
  reviewGames: "Felfria spel spelas, för att mäta turen …",
  reviewLead: "Tur: värdet efter ett kast minus värdet före. Förlust: bästa värdet minus värdet av det som valdes.",
  reviewNote:
    "Båda är exakta och ger tillsammans poängen. De är inte oberoende: ett dåligt sparande ändrar vad ett kast kan ge.",
  valueOverTime: "Värdet under spelet",
  turn: "Omgång",
  luck: "Tur",
  score: "Poäng",
  start: "Början",
  diceNeutral: "Tärnings\u00ADneutralt",
  diceNeutralHint: "Tärningsneutralt: vad besluten var värda med tärningar utan tur.",
  luckAndLoss: "Tur och förlust, omgång för omgång",
  costliest: "De dyraste besluten",
  noMistakes: "Inget som kostar en tiondel. Felfritt.",
  level: "Nivå: {level}",
  levelHint:
    "Förlorade poäng per beslut med ett val: {rate}. Nivåer och felgrader är mätta i Yahtzee: där mindre står på spel ger samma omsorg bättre. Ett spel säger lite om en spelare.",
  levelMaster: "mästare",
  levelExpert: "skicklig",
  levelStrong: "stark",
  levelSolid: "stabil",
  levelCasual: "tillfällig",
  levelBeginner: "nybörjare",
  markInaccuracy: { one: "{n} oprecist val", other: "{n} oprecisa val" },
  markMistake: { one: "{n} misstag", other: "{n} misstag" },
  markBlunder: { one: "{n} grovt misstag", other: "{n} grova misstag" },
  inaccuracy: "oprecist val",
  mistake: "misstag",
  blunder: "grovt misstag",
  luckMeasuring: "hur mycket tur det var mäts just nu",
  luckPercentile: "mer tur än i {percent} av de felfria spelen",
  itCost: "Med {dice} kostade ”{action}” {loss}; bäst var ”{best}”.",
  seePosition: "Till ställningen",
  box: "Ruta",
  points: "Poäng",
};
