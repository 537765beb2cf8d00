/** Figures of dice, and their check, in German. */

import type { dice as english } from "../en/dice";
import type { Translated } from "../types";

export const dice: Translated<typeof english> = {
  // figures of dice
  diceFigures: "Sind die Würfel ehrlich?",
  diceLead: "Hier ist jeder Würfel gezählt, der je auf diesem Server fiel, wer immer ihn warf und wie immer das Spiel endete.",
  diceProof: "Zahlen können nur Verdacht wecken. Ob ein Würfel deines eigenen Spiels geändert wurde, lässt sich beweisen:",
  diceFew: { one: "Bisher {n} Würfel: zu wenig, um etwas zu sagen.", other: "Bisher {n} Würfel: zu wenig, um etwas zu sagen." },
  diceUsual: "Nichts Auffälliges in {dice} Würfeln.",
  diceUnusual: "Auffällig: {questions}",
  diceCaption: "Immer werden dieselben Fragen gestellt, was immer die Würfel zeigen.",
  diceQuestion: "Frage",
  diceSample: "Stichprobe",
  diceChance: "Wie oft",
  diceDice: "Würfel",
  diceRolls: "Würfe",
  diceIsUsual: "nicht auffällig",
  diceIsUnusual: "auffällig",
  diceFaces: "Fällt jede Augenzahl gleich oft?",
  dicePairs: "Fallen Paare und Drillinge so oft, wie sie sollen?",
  diceSeats: "Wirft jeder Platz dieselben Augenzahlen?",
  diceMine: "Werfen du und die anderen dieselben Augenzahlen?",
  dicePeople: "Werfen Menschen und Computer dieselben Augenzahlen?",
  diceKept: "Meiden oder suchen neu geworfene Würfel die behaltenen Augenzahlen?",
  diceFollows: "Hängt ein Würfel vom unmittelbar davor geworfenen ab?",
  diceReplaces: "Hängt ein neu geworfener Würfel davon ab, was er vorher zeigte?",
  diceMeaning:
    "Rechts steht, wie oft ehrliche Würfel mindestens so ungleich fallen. Bei irgendeiner der Fragen gelten ehrliche Würfel in weniger als {alpha} solcher Sammlungen als auffällig: je mehr gefragt wird, desto strenger wird jede Antwort beurteilt (Korrektur nach Holm). Diese Grenze ändert sich nie.",
  diceAgain: "Wer jahrelang jeden Tag nachsieht, wird einmal falschen Alarm sehen: es zählt, ob er bleibt, wenn Würfel dazukommen.",
  diceFacesOf: "{dice} Würfel mit {faces} Seiten; jede Seite wird in {share} erwartet.",
  diceFace: "Seite",
  dicePeopleShort: "Menschen",
  diceComputersShort: "Computer",
  diceShare: "Anteil",
  diceCounted:
    "Ein Würfel zählt, wenn er fällt; behaltene zählen nicht noch einmal, und eine zurückgenommene Eintragung wirft nichts neu.",
  diceOfMine: "Die Würfel meiner Spiele",
  // checking dice
  verifyLead:
    "Ein Geheimnis legt die Würfel eines Spiels vor dem ersten Wurf fest. Diese Seite macht daraus jeden Würfel eines Protokolls noch einmal, in deinem Browser und ohne den Server zu fragen.",
  verifyInsecure: "Das braucht eine sichere Adresse (https oder localhost).",
  verifyGood: {
    one: "{n} Würfel geprüft: er ist, was das Geheimnis ergibt.",
    other: "Alle {n} Würfel sind, was das Geheimnis ergibt.",
  },
  verifyMeans:
    "Also konnte nach dem ersten Wurf niemand einen Würfel ändern, wenn die Festlegung die ist, die dir davor gezeigt wurde.",
  verifyBad: { one: "{n} Sache stimmt nicht", other: "{n} Sachen stimmen nicht" },
  commitment: "Festlegung",
  nonces: "Beigaben",
  chooseFile: "Datei wählen",
};
