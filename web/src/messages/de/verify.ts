/** The verifier of records, in German. */

import type { verify as english } from "../en/verify";
import type { Translated } from "../types";

export const verify: Translated<typeof english> = {
  verifyLead:
    "Ein Geheimnis legt die Würfel eines Spiels vor dem ersten Wurf fest. Damit berechnet dein Browser jeden Würfel eines Protokolls neu, ohne den Server. Danach rechnet der Server die Punkte nach den Regeln nach; das Protokoll behält er nicht.",
  verifyInsecure: "Dafür ist eine sichere Adresse nötig (https oder localhost).",
  verifyNoRecord:
    "Das ist kein Protokoll eines Spiels: Die erste Zeile eines Protokolls beginnt mit „fivedice record“.",
  verifyGood: {
    one: "Der Würfel passt zum Geheimnis, und die Punkte folgen daraus.",
    other: "Alle {n} Würfel passen zum Geheimnis, und die Punkte folgen daraus.",
  },
  verifyDiceGood: {
    one: "Der Würfel passt zum Geheimnis. Die Punkte sind nicht geprüft.",
    other: "Alle {n} Würfel passen zum Geheimnis. Die Punkte sind nicht geprüft.",
  },
  verifyBad: { one: "{n} Abweichung gefunden", other: "{n} Abweichungen gefunden" },
  verifyMeans:
    "Niemand hat nach dem ersten Wurf einen Würfel verändert, sofern diese Festlegung dieselbe ist wie die, die dir davor gezeigt wurde.",
  verifyForm: "Zeile {line} hat nicht die Form eines Protokolls. So sollte sie aussehen:",
  verifyNoProof: "Dieses Protokoll enthält keinen Beweis. Seine Würfel lassen sich nicht prüfen.",
  verifyNoSecret:
    "Das Geheimnis dieses Tisches ist noch nicht veröffentlicht. Das geschieht, wenn das Spiel endet oder der Tisch geschlossen wird, spätestens 30 Tage nach dem letzten Zug.",
  verifyDice: "Würfel",
  checkDiceGood: { one: "der Würfel passt zum Geheimnis", other: "alle {n} passen zum Geheimnis" },
  checkAbove: "siehe oben",
  checkPoints: "Punkte und Ergebnis",
  checkPointsGood: "folgen nach den Regeln aus den Zügen",
  checkPointsWrong: "Zeile {line} folgt nicht aus den Regeln",
  checkPointsText: "lassen sich nicht nachrechnen",
  checkPointsDice: "nicht geprüft, weil Zeile {line} nicht zum Geheimnis passt",
  checkPointsRules: "nicht geprüft, wegen der Regeln",
  checkPointsWait: "der Server rechnet sie nach …",
  checkPointsFailed: "nicht geprüft: {why}",
  checkRules: "Regeln",
  checkRulesWrong: "Zeile {line} passt nicht zu diesen Regeln",
  checkBegan: "Wer begann",
  checkBeganRolled: "ausgewürfelt, passend zum Geheimnis",
  checkBeganChosen: "bestimmt, nicht ausgewürfelt",
  checkBeganUnknown: "nicht bewiesen: das Protokoll sagt nicht, wie es entschieden wurde",
  checkUndone: "Zurückgenommene Züge",
  checkUndoneNone: "laut Protokoll keine; die Würfel zeigen das nicht",
  checkUndoneSome: {
    one: "laut Protokoll {n}; die Würfel zeigen das nicht",
    other: "laut Protokoll {n}; die Würfel zeigen das nicht",
  },
  checkUndoneComputers: {
    one: "Vor einer Rücknahme hatten schon Computer gewürfelt. Ihre Würfel fielen danach wieder gleich, waren also bekannt.",
    other: "Vor {n} Rücknahmen hatten schon Computer gewürfelt. Ihre Würfel fielen danach wieder gleich, waren also bekannt.",
  },
  checkUndoneForeseen: {
    one: "Vor einer Rücknahme hatte schon ein Mensch gewürfelt. Diese Würfel fielen danach wieder gleich, waren also vorher bekannt.",
    other: "Vor {n} Rücknahmen hatte schon ein Mensch gewürfelt. Diese Würfel fielen danach wieder gleich, waren also vorher bekannt.",
  },
  checkNames: "Namen",
  checkDate: "Datum",
  checkHelp: "nicht bewiesen, aber laut Protokoll: {help}",
  checkNotProved: "nicht bewiesen",
  verifyOffline:
    "Dieses Spiel wurde offline gespielt, und der Browser des Spielers hat das Geheimnis gewählt: Seine Würfel sind nicht bewiesen.",
  problemRoll1: "Zug {turn}, erster Wurf: {what}",
  problemRoll2: "Zug {turn}, zweiter Wurf: {what}",
  problemRoll3: "Zug {turn}, dritter Wurf: {what}",
  problemRoll: "Zug {turn}, {roll}. Wurf: {what}",
  problemDie: "im Protokoll steht {shown}, das Geheimnis ergibt {made}",
  problemKeep: "im Protokoll wird {shown} behalten, nach dem Geheimnis aber {made}",
  problemKeepUnclear: "die eine Zeile behält {shown}, die andere {made}",
  problemSize: "die eine Zeile hat die Würfel {shown}, die andere {made}",
  problemRolls: "Zug {turn}: Die eine Zeile hat {shown} Würfe, die andere {made}",
  problemTurns: "Das Protokoll hat {shown} Züge, sein Beweis {made}. Ab hier unterscheiden sie sich:",
  problemCommitment: "Das ist nicht das festgelegte Geheimnis. Sein SHA-256 ist {made}.",
  problemOpening:
    "Im Protokoll beginnt Platz {shown}, nach den Würfeln des Geheimnisses aber Platz {made} (gezählt ab 0).",
  problemLine: "Zeile {line}",
  problemSupported: "In Zeile {line} steht, was das Geheimnis ergibt",
  commitment: "Festlegung",
  nonces: "Beigaben",
  chooseFile: "Datei wählen",
};
