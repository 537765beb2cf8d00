/** The review of a game, in German. */

import type { review as english } from "../en/review";
import type { Translated } from "../types";

export const review: Translated<typeof english> = {
  review: "Analyse",
  reviewSolving: "Die Regeln werden gelöst …",
  breakdown: "Gründe werden gesucht …",
  perfect_scores: "Perfekte Spiele werden gespielt, um das Glück zu messen …",
  reviewLead: "Gleich siehst du hier, wie gut jeder gespielt hat und wie viel Glück die Würfel brachten.",
  reviewWords: "Was die Wörter bedeuten",
  // one sentence for each player
  beatComputer: "Gut gespielt: Du hast den Computer geschlagen.",
  luckMeasuring: "Glück wird gemessen …",
  // the turns
  turnsOf: "Runden von {name}",
  turnsYours: "Deine Runden",
  reviewOf: "Spieler",
  costliestFirst: "Teuerste zuerst",
  noMistakes: "Perfekt: Keine Entscheidung kostete auch nur einen Zehntelpunkt.",
  markGood: "gut",
  turnKept: "Runde {turn}: {mark}",
  turnLost: { one: "Runde {turn}: {mark}, {n} Punkt verloren", other: "Runde {turn}: {mark}, {n} Punkte verloren" },
  // one decision
  stepTitle: "Runde {turn}, Wurf {roll}",
  previousStep: "Vorherige Entscheidung",
  nextStep: "Nächste Entscheidung",
  played: "Gespielt",
  lostNothing: "nichts war besser",
  lostLittle: "kostete weniger als einen Punkt",
  lostPoints: { one: "kostete {n} Punkt", other: "kostete {n} Punkte" },
  pointsCount: { one: "{n} Punkt", other: "{n} Punkte" },
  worth: "Erwartete Endpunktzahl: {value}.",
  worthBoth: "Erwartete Endpunktzahl: {value}; nach der besten Wahl {best}.",
  seePosition: "Stellung ansehen",
  // what the words mean
  valueMeans: "Was ein Spieler von diesem Moment an am Ende im Durchschnitt erreicht, wenn alle weiteren Entscheidungen die besten sind.",
  luckMeans: "Wie viel die Würfel die erwartete Punktzahl heben oder senken. Über viele Spiele gleicht sich das aus. Der Maßstab sind perfekte Spiele, in denen nichts verloren geht.",
  lossMeans: "Wie viel eine Entscheidung die erwartete Punktzahl senkt, verglichen mit der besten. Start plus Glück minus verlorene Punkte ergibt genau die Punktzahl.",
  marksTitle: "Zeichen",
  marksMean: "?! ist eine Ungenauigkeit und kostet mindestens 1,5 Punkte; ? ist ein Fehler, ab 3 Punkten; ?? ist ein grober Fehler, ab 8 Punkten; ✓ ist nichts davon. Eine Runde hat das Zeichen ihrer teuersten Entscheidung.",
  levelTitle: "Spielstärke",
  levelMeans: "Vom Anfänger bis zum Meister, nach den verlorenen Punkten pro Entscheidung mit Auswahl (hier: {rate}), gemessen an Yahtzee. Ein einzelnes Spiel sagt wenig über einen Spieler.",
  hardTitle: "Schwierige Entscheidungen",
  hardMeans: "Entscheidungen, bei denen das Naheliegende, die meisten Punkte sofort oder die größte Gruppe gleicher Würfel, ein Zeichen bekommen hätte und du das Beste gefunden hast.",
  diceNeutral: "Würfel\u00ADneutral",
  diceNeutralHint: "Würfelneutral: was diese Entscheidungen bei durchschnittlichem Glück bringen.",
  luck: "Glück",
  score: "Punkte",
  start: "Start",
  box: "Feld",
  points: "Punkte",
  // the chances to win
  moments: "Es wird berechnet, wer vorn lag …",
  oddsAboutReview: "Chancen mit ≈ sind geschätzt, die anderen exakt. Gerechnet wird, als spielten alle so gut wie möglich.",
  turn: "Zug",
  turningYours: {
    one: "Runde {turn}: {box} mit {n} Punkt brachte dich von {before} auf {after}.",
    other: "Runde {turn}: {box} mit {n} Punkten brachte dich von {before} auf {after}.",
  },
  turningBy: {
    one: "Runde {turn}: {box} von {by} mit {n} Punkt brachte dich von {before} auf {after}.",
    other: "Runde {turn}: {box} von {by} mit {n} Punkten brachte dich von {before} auf {after}.",
  },
  turningByYou: {
    one: "Runde {turn}: {box} von dir mit {n} Punkt brachte {name} von {before} auf {after}.",
    other: "Runde {turn}: {box} von dir mit {n} Punkten brachte {name} von {before} auf {after}.",
  },
};
