/** Games on the same dice for many people, in German. */

import type { same as english } from "../en/same";
import type { Translated } from "../types";

export const same: Translated<typeof english> = {
  sameTitle: "Gleiche Würfel",
  sameLead: "Jeder spielt allein mit denselben Würfen, wann er will. Es gewinnt, wer am besten entscheidet, nicht wer am meisten Glück hat.",
  sameYours: "Deine",
  sameEnded: "{n} von {all} fertig",
  sameClosed: "beendet am {moment}",
  sameUntil: "offen bis {moment}",
  samePeople: "Personen, höchstens",
  sameTime: "Zeit zum Spielen",
  sameOpen: "Spiel eröffnen",
  hoursLong: { one: "{n} Stunde", other: "{n} Stunden" },
  daysLong: { one: "{n} Tag", other: "{n} Tage" },
  sameNotFound: "Dieses Spiel gibt es nicht. Bitte noch einmal um den Link.",
  sameRules: "Du hast einen Versuch, ohne Hilfe. Bis du fertig bist, siehst du kein anderes Spiel; wer noch nicht fertig ist, sieht deines nicht.",
  sameOnlyPlayers: "In dieser Runde spielt nur, wer am Turnier teilnimmt.",
  samePlay: "Spielen",
  sameGoOn: "Dein Spiel fortsetzen",
  sameYourGame: "Dein Spiel",
  sameInvite: "Per Link einladen",
  sameFree: { one: "{n} Platz frei", other: "{n} Plätze frei" },
  sameHidden: "Du siehst die Ergebnisse, sobald du dein Spiel beendet hast oder die Zeit abgelaufen ist.",
  sameSolving: "Was die Entscheidungen kosten, wird gerade berechnet.",
  samePlaying: "spielt",
  sameDone: "fertig",
  sameLate: "nicht rechtzeitig fertig",
  sameCompare: "Vergleichen",
  sameCompareWith: "Mit {name} vergleichen",
  sameRanking: "Die Reihenfolge richtet sich nach den Punkten, die Entscheidungen verschenkt haben, nicht nach dem Ergebnis.",
  sameProof: "Ein Geheimnis legt alle Würfel fest: nach Runde, Wurf und Platz. Sein SHA-256 steht hier, bevor jemand würfelt; das Geheimnis folgt, wenn alle fertig sind oder die Zeit abgelaufen ist.",
  sameProofTold: "Ein Geheimnis hat alle Würfel festgelegt: nach Runde, Wurf und Platz. Es ist jetzt bekannt, und das Protokoll jedes Spiels lässt sich prüfen.",
  refusedClosed: "Die Zeit für dieses Spiel ist abgelaufen.",
};
