/** The rules: all rulesets, one in full, the rule of a box, and the help, in German. */

import type { rules as english } from "../en/rules";
import type { Translated } from "../types";

export const rules: Translated<typeof english> = {
  rulesLead: "Alle Spiele, die du hier spielen kannst. Wähle eines und sieh dir seine Felder an, mit Würfeln zu jedem.",
  trademarks:
    "Yahtzee ist eine Marke von Hasbro, Kniffel eine von Schmidt Spiele; auch andere Namen von Spielen können Marken ihrer Inhaber sein. fivedice gehört zu keinem von ihnen: Die Namen sagen nur, nach welchen Regeln du spielst.",
  licences: "Lizenzen der Schriften und Bibliotheken dieser Seite",
  familyYahtzee: "Die Familie von Yahtzee und Kniffel",
  familyYatzy: "Die Familie von Yatzy",
  familyOther: "Andere Würfelspiele",
  rulesOf: "Regeln von {name}",
  rulesUnknown: "Regeln mit diesem Namen gibt es nicht.",
  allGames: "Alle Spiele",
  allRules: "Alle Regeln",
  playedHere: "hier gespielt",
  boxNeeds: "Braucht",
  boxPays: "Zählt",
  boxExample: "Beispiel",
  boxPoints: { one: "{n} Punkt", other: "{n} Punkte" },
  boxGets: { one: "zählt {n} Punkt", other: "zählt {n} Punkte" },
  yes: "ja",
  no: "nein",
  jokerInWords: "Dasselbe in Worten",
  howToPlay: "So wird gespielt",
  helpRoll: "Wirf die Würfel. Behalte, was dir gefällt, und wirf die anderen noch einmal.",
  helpRolls: { one: "Du hast {n} Wurf in jedem Zug.", other: "Du hast {n} Würfe in jedem Zug." },
  helpScore:
    "Wähle dann ein Feld auf deinem Block. Jedes Feld braucht bestimmte Würfel und nimmt nur einen Wurf. Passt nichts, bekommt ein Feld 0.",
  helpBonus: "{at} Punkte in den oberen Feldern bringen {n} extra.",
  offerTitle: "Was es hier gibt",
  offerHelp: "Genauer Rat: ein Trainer, eine Analyse jedes Spiels und Lektionen aus deinen Fehlern.",
  offerApproximate: "Rat, der nur ungefähr stimmt (≈): ein Trainer, eine Analyse jedes Spiels und Lektionen aus deinen Fehlern.",
  offerEnd: "Eine Analyse der letzten Runden jedes Spiels.",
  offerChances: "Gewinnchancen und die Chancen auf jede Endsumme.",
  offerPlayers: "Computerspieler: {names}.",
  printCard: "Leeren Block drucken",
  helpEnd: "Sind alle Felder voll, gewinnt die höchste Summe.",
  helpRules: "Alle Regeln aller Spiele",
  helpRulesHere: "Alle Regeln an diesem Tisch",
  helpBox: "Um die Regel eines Feldes zu lesen, halte es gedrückt oder zeige auf seinen Namen.",
  keyRule: "die Regel des Feldes zeigen",
};
