/** Advice and the tutor, in German. */

import type { advice as english } from "../en/advice";
import type { Translated } from "../types";

export const advice: Translated<typeof english> = {
  best: "bester",
  bestIs: "Am besten: {action}",
  costs: "kostet {loss}",
  keepDice: "{dice} behalten",
  keepNone: "nichts behalten",
  scoreBox: "{box} schreiben",
  scratchBox: "0 in {box} schreiben",
  value: "Wert",
  loss: "Verlust",
  action: "Zug",
  adviceTitle: "Rat",
  valueHint: "Wert: die erwartete Endpunktzahl dessen, der am Zug ist.",
  lastWasBest: "{name}: „{action}“ war am besten",
  lastCost: "{name}: „{action}“ kostete {loss}; am besten war „{best}“",
  tutorTitle: "Wirklich?",
  tutorText: "{action} kostet {loss} Punkte der erwarteten Punktzahl.",
  playAnyway: "Trotzdem spielen",
  rethink: "Noch einmal denken",
  showMe: "Zeig es mir",
  showInPlace: "Auf Würfeln und Feldern zeigen",
  seeAll: "Alle Züge",
  why: "Warum?",
};
