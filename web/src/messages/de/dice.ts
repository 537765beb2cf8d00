/** Statistics of dice, in German. */

import type { dice as english } from "../en/dice";
import type { Translated } from "../types";

export const dice: Translated<typeof english> = {
  diceFigures: "Sind die Würfel fair?",
  diceLead: "Diese Seite zählt jeden Würfel, der je auf diesem Server geworfen wurde, auch in abgebrochenen Spielen.",
  diceProof: "Statistik kann nur Verdacht wecken. Eine Prüfung beweist, ob in deinem Spiel ein Würfel verändert wurde:",
  diceFew: { one: "Bisher {n} Würfel: zu wenig für eine Aussage.", other: "Bisher {n} Würfel: zu wenig für eine Aussage." },
  diceUsual: "Nichts Auffälliges bei {dice} Würfeln.",
  diceUnusual: "Auffällig: {questions}",
  diceCaption: "Es werden immer dieselben Fragen gestellt.",
  diceQuestion: "Frage",
  diceSample: "Stichprobe",
  diceWorth: "Aus 1 wird",
  diceDice: "Würfel",
  diceRolls: "Würfe",
  diceIsUsual: "unauffällig",
  diceIsUnusual: "auffällig",
  diceFaces: "Fällt jede Augenzahl gleich oft?",
  dicePairs: "Fallen Paare und Drillinge so oft wie erwartet?",
  diceSeats: "Fallen die Augenzahlen auf allen Plätzen gleich oft?",
  diceMine: "Fallen die Augenzahlen bei dir und den anderen gleich oft?",
  dicePeople: "Fallen die Augenzahlen bei Menschen und Computern gleich oft?",
  diceKept: "Meiden oder bevorzugen neu geworfene Würfel die behaltenen Augenzahlen?",
  diceFollows: "Hängt ein Würfel vom Würfel unmittelbar davor ab?",
  diceReplaces: "Hängt ein neu geworfener Würfel von seiner vorherigen Augenzahl ab?",
  diceMeaning:
    "Die letzte Spalte sagt, was aus einem Einsatz von 1 gegen faire Würfel bei fairen Quoten bisher geworden wäre. Ab {threshold} heißt eine Frage auffällig. Sind die Würfel fair, passiert das irgendeiner Frage jemals mit einer Wahrscheinlichkeit von höchstens {alpha}, egal wie oft du nachsiehst.",
  dicePower:
    "Ein so seltener Alarm braucht viele Würfel: Kommt eine Augenzahl um ein Zehntel zu oft, zeigt sich das nach etwa 15.000 Würfeln.",
  diceFacesOf: "{dice} Würfel mit {faces} Seiten; jede Augenzahl sollte in {share} der Fälle fallen.",
  dicePercentsFrom: "Prozente stehen hier ab {dice} Würfeln: Bei weniger macht schon der Zufall sie ungleich.",
  diceFacesFew: "{dice} Würfel mit {faces} Seiten; jede Augenzahl sollte gleich oft fallen.",
  diceFace: "Augen",
  dicePeopleShort: "Menschen",
  diceComputersShort: "Computer",
  diceShare: "Anteil",
  diceCounted:
    "Ein Würfel zählt bei jedem Wurf. Behaltene Würfel zählen nicht noch einmal, und beim Zurücknehmen wird nicht neu gewürfelt.",
  diceOfMine: "Die Würfel meiner Spiele",
};
