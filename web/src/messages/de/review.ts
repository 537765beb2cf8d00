/** The review of a game, in German. */

import type { review as english } from "../en/review";
import type { Translated } from "../types";

export const review: Translated<typeof english> = {
  review: "Analyse",
  reviewSolving: "Die Regeln werden gelöst …",
  reviewReasons: "Gründe werden gesucht …",
  reviewGames: "Perfekte Spiele werden gespielt, um das Glück zu messen …",
  reviewLead: "Glück: Wert nach einem Wurf minus Wert davor. Verlust: bester Wert minus Wert des gewählten Zugs.",
  reviewNote:
    "Beide sind exakt und ergeben zusammen die Punktzahl. Sie sind nicht unabhängig: Wer schlecht behält, ändert, was ein Wurf bringen kann.",
  valueOverTime: "Wert im Verlauf des Spiels",
  turn: "Runde",
  luck: "Glück",
  score: "Punkte",
  start: "Start",
  diceNeutral: "Würfel\u00ADneutral",
  diceNeutralHint: "Würfelneutral: was diese Entscheidungen bei durchschnittlichem Glück bringen.",
  luckAndLoss: "Glück und Verlust, Runde für Runde",
  costliest: "Teuerste Entscheidungen",
  noMistakes: "Perfekt: Keine Entscheidung kostete auch nur einen Zehntelpunkt.",
  level: "Stufe: {level}",
  levelHint:
    "Verlorene Punkte pro Entscheidung mit Auswahl: {rate}. Stufen und Fehlergrade sind an Yahtzee gemessen; wo es um weniger Punkte geht, fallen sie besser aus. Ein einzelnes Spiel sagt wenig über einen Spieler.",
  levelMaster: "Meister",
  levelExpert: "Experte",
  levelStrong: "stark",
  levelSolid: "solide",
  levelCasual: "Gelegenheitsspieler",
  levelBeginner: "Anfänger",
  markInaccuracy: { one: "{n} Ungenauigkeit", other: "{n} Ungenauigkeiten" },
  markMistake: { one: "{n} Fehler", other: "{n} Fehler" },
  markBlunder: { one: "{n} grober Fehler", other: "{n} grobe Fehler" },
  inaccuracy: "Ungenauigkeit",
  mistake: "Fehler",
  blunder: "grober Fehler",
  luckMeasuring: "Glück wird gemessen …",
  luckPercentile: "mehr Glück als in {percent} der perfekten Spiele",
  itCost: "Mit {dice} kostete „{action}“ {loss} Punkte. Am besten war „{best}“.",
  seePosition: "Stellung ansehen",
  box: "Feld",
  points: "Punkte",
};
