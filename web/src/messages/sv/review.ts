/** The review of a game, in Swedish. */

import type { review as english } from "../en/review";
import type { Translated } from "../types";

export const review: Translated<typeof english> = {
  review: "Genomgång",
  reviewSolving: "Löser reglerna …",
  breakdown: "Söker skäl …",
  perfect_scores: "Spelar perfekta spel för att mäta turen …",
  reviewLead: "Snart ser du här hur bra var och en spelade och hur mycket tur tärningarna gav.",
  reviewWords: "Vad orden betyder",
  // one sentence for each player
  beatComputer: "Bra spelat: du slog datorn.",
  luckMeasuring: "mäter turen …",
  // the turns
  turnsOf: "Omgångar för {name}",
  turnsYours: "Dina omgångar",
  reviewOf: "Spelare",
  costliestFirst: "Dyrast först",
  noMistakes: "Perfekt: inget beslut kostade ens en tiondels poäng.",
  markGood: "bra",
  turnKept: "Omgång {turn}: {mark}",
  turnLost: { one: "Omgång {turn}: {mark}, {n} poäng förlorad", other: "Omgång {turn}: {mark}, {n} poäng förlorade" },
  // one decision
  stepTitle: "Omgång {turn}, kast {roll}",
  previousStep: "Föregående beslut",
  nextStep: "Nästa beslut",
  played: "Spelat",
  lostNothing: "inget var bättre",
  lostLittle: "kostade mindre än en poäng",
  lostPoints: { one: "kostade {n} poäng", other: "kostade {n} poäng" },
  pointsCount: { one: "{n} poäng", other: "{n} poäng" },
  worth: "Väntad slutpoäng: {value}.",
  worthBoth: "Väntad slutpoäng: {value}; efter det bästa valet {best}.",
  seePosition: "Visa ställningen",
  // what the words mean
  valueMeans: "Vad en spelare i genomsnitt får till slut, från detta ögonblick, om alla kommande beslut är de bästa.",
  luckMeans: "Hur mycket tärningarna höjer eller sänker den väntade poängen. Över många spel tar det ut sig. Måttstocken är perfekta spel, där inget förloras.",
  lossMeans: "Hur mycket ett beslut sänker den väntade poängen, jämfört med det bästa. Starten plus tur minus förlorade poäng är exakt slutpoängen.",
  marksTitle: "Tecken",
  marksMean: "?! är ett oprecist val och kostar minst 1,5 poäng; ? är ett misstag, från 3 poäng; ?? är ett grovt misstag, från 8 poäng; ✓ är inget av dem. En omgång har samma tecken som sitt dyraste beslut.",
  levelTitle: "Spelnivå",
  levelMeans: "Från nybörjare till mästare, efter förlorade poäng per beslut med ett val (här: {rate}), mätt i Yahtzee. Ett enda spel säger lite om en spelare.",
  hardTitle: "Svåra beslut",
  hardMeans: "Beslut där det självklara, flest poäng genast eller den största gruppen lika tärningar, hade fått ett tecken och du hittade det bästa.",
  diceNeutral: "Tärnings\u00ADneutralt",
  diceNeutralHint: "Tärningsneutralt: vad besluten ger med genomsnittlig tur.",
  luck: "Tur",
  score: "Poäng",
  start: "Start",
  box: "Ruta",
  points: "Poäng",
  // the chances to win
  moments: "Räknar ut vem som ledde …",
  oddsAboutReview: "Chanser med ≈ är uppskattade, de andra exakta. Alla räknas som om de spelade så bra som möjligt.",
  turn: "Drag",
  turningYours: {
    one: "Omgång {turn}: {box} för {n} poäng tog dig från {before} till {after}.",
    other: "Omgång {turn}: {box} för {n} poäng tog dig från {before} till {after}.",
  },
  turningBy: {
    one: "Omgång {turn}: {box} av {by} för {n} poäng tog dig från {before} till {after}.",
    other: "Omgång {turn}: {box} av {by} för {n} poäng tog dig från {before} till {after}.",
  },
  turningByYou: {
    one: "Omgång {turn}: {box} av dig för {n} poäng tog {name} från {before} till {after}.",
    other: "Omgång {turn}: {box} av dig för {n} poäng tog {name} från {before} till {after}.",
  },
};
