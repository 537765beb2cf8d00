/** The page of a position, in German. */

import type { position as english } from "../en/position";
import type { Translated } from "../types";

export const position: Translated<typeof english> = {
  positionTitle: "Stellung",
  positionField: "Stellung in Notation",
  positionHint: "Regeln, Block (- für einen leeren), Würfel und übrige Würfe. Beispiel:",
  show: "Zeigen",
  actions: "Alle Züge",
  actionsHint: "Wähle einen Zug, um zu sehen, warum der beste besser ist.",
  positionOver: "Dieses Spiel ist zu Ende.",
  positionLead: "Stelle beliebige Würfel und einen beliebigen Block ein und sieh, was am besten ist.",
  setFace: "Würfel {place} auf {face} stellen",
  otherDice: "Andere Würfel",
  rollsLeftTitle: "Übrige Würfe",
  beforeRoll: "vor dem ersten Wurf",
  pointsIn: "Punkte in {box}",
  pointsNow: { one: "jetzt {n} Punkt", other: "jetzt {n} Punkte" },
  emptyCard: "Block leeren",
  otherCards: {
    one: "Der Block von {n} Mitspieler fehlt hier: Er ändert nichts daran, was am besten ist.",
    other: "Die Blöcke von {n} Mitspielern fehlen hier: Sie ändern nichts daran, was am besten ist.",
  },
  positionWorth: "Ohne Fehler von hier an endet der Block im Schnitt bei {value} Punkten.",
  positionAsText: "Als Textzeile",
  chancesTitle: "Wie viele Punkte werden es?",
  chancesWork: "Die Chancen werden berechnet …",
  chancesMean: "Im Schnitt etwa {mean}. Neun von zehn Spielen enden zwischen {low} und {high}.",
  chancesChart: "Chancen der Endstände: im Schnitt {mean}, neun von zehn Spielen zwischen {low} und {high}.",
  chancesTarget: "Wie wahrscheinlich sind",
  chancesReached: "{n} Punkte oder mehr: {chance}",
  chancesScore: "Punkte",
  chancesAtLeast: "So viele oder mehr",
};
