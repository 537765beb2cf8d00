/** The review of a game, in German. */

import type { review as english } from "../en/review";
import type { Translated } from "../types";

export const review: Translated<typeof english> = {
  review: "Rückschau",
  reviewSolving: "Die Regeln werden gelöst …",
  reviewReasons: "Gründe werden gesucht …",
  reviewGames: "Fehlerlose Spiele werden gespielt, um das Glück zu messen …",
  reviewLead: "Glück: Wert nach einem Wurf minus Wert davor. Verlust: bester Wert minus Wert des gewählten Zugs.",
  reviewNote:
    "Beide sind exakt und ergeben zusammen die Punktzahl. Unabhängig sind sie nicht: wer schlecht behält, ändert, was ein Wurf bringen kann.",
  valueOverTime: "Wert im Lauf des Spiels",
  turn: "Zug",
  luck: "Glück",
  score: "Punkte",
  start: "Anfang",
  diceNeutral: "Würfel\u00ADneutral",
  diceNeutralHint: "Würfelneutral: was diese Entscheidungen mit Würfeln ohne Glück wert waren.",
  luckAndLoss: "Glück und Verlust, Zug für Zug",
  costliest: "Die teuersten Entscheidungen",
  noMistakes: "Nichts, was ein Zehntel kostet. Makellos.",
  level: "Stufe: {level}",
  levelHint:
    "Verlorene Punkte je Entscheidung mit Auswahl: {rate}. Stufen und Fehlergrade sind an Yahtzee gemessen: wo weniger auf dem Spiel steht, bringt dieselbe Sorgfalt bessere. Ein Spiel sagt wenig über jemanden.",
  levelMaster: "meisterlich",
  levelExpert: "ausgezeichnet",
  levelStrong: "stark",
  levelSolid: "solide",
  levelCasual: "gelegentlich",
  levelBeginner: "am Anfang",
  markInaccuracy: { one: "{n} Ungenauigkeit", other: "{n} Ungenauigkeiten" },
  markMistake: { one: "{n} Fehler", other: "{n} Fehler" },
  markBlunder: { one: "{n} grober Fehler", other: "{n} grobe Fehler" },
  inaccuracy: "Ungenauigkeit",
  mistake: "Fehler",
  blunder: "grober Fehler",
  luckMeasuring: "wie viel Glück das war, wird gerade gemessen",
  luckPercentile: "mehr Glück als in {percent} der fehlerlosen Spiele",
  itCost: "Mit {dice} kostete „{action}“ {loss}; am besten war „{best}“.",
  seePosition: "Zur Stellung",
  box: "Feld",
  points: "Punkte",
};
