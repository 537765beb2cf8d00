/** Advice and the tutor, in German. */

import type { advice as english } from "../en/advice";
import type { Translated } from "../types";

export const advice: Translated<typeof english> = {
  best: "bester",
  costs: "kostet {loss}",
  worse: "{loss} schlechter",
  keepDice: "{dice} behalten",
  scoreBox: "{box} eintragen",
  scratchBox: "{box} streichen",
  value: "Wert",
  loss: "Verlust",
  action: "Zug",
  adviceTitle: "Tipps",
  noWin: "verzichtet auf den Sieg",
  adviceWins: "Ein sofortiger Sieg ist mehr wert als alle Punkte.",
  adviceMeans: "Bestens weitergespielt, endet das Spiel mit etwa {n} Punkten. „Schlechter“ heißt: so viele Punkte weniger im Schnitt.",
  approximateMeans: "≈ Diese Regeln sind zu groß, um sie genau zu lösen: Die Werte sind gelernt und liegen um etwa {error} Punkte daneben.",
  adviceBar: "Wie gut dieses Feld jetzt ist: Ein voller Balken ist das Beste",
  lastWasBest: "{name}: „{action}“ war am besten",
  lastCost: "{name}: „{action}“ kostete {loss} Punkte; am besten war „{best}“",
  tutorTitle: "Bist du sicher?",
  tutorText: "„{action}“ kostet im Schnitt {loss} Punkte.",
  tutorWin: "„{action}“ verschenkt einen Sieg: Etwas anderes gewinnt das Spiel sofort.",
  playAnyway: "Trotzdem spielen",
  rethink: "Noch mal überlegen",
  showMe: "Zeig es mir",
  showInPlace: "Auf den Würfeln und Feldern zeigen",
  seeAll: "Alle Züge",
  why: "Warum?",
};
