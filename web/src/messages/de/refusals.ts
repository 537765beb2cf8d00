/** What a table does not allow, and what else may go wrong, in German. */

import type { refusals as english } from "../en/refusals";
import type { Translated } from "../types";

export const refusals: Translated<typeof english> = {
  // at a table
  movedOn: "Der Tisch ist inzwischen weiter: schau noch einmal.",
  refusedNotBegun: "Das Spiel hat noch nicht begonnen.",
  refusedEnded: "Dieses Spiel ist zu Ende.",
  refusedNotYourTurn: "Du bist nicht dran.",
  refusedStoodIn: "Ein Computer spielt für diesen Platz: komm erst zurück.",
  refusedRollFirst: "Erst wird gewürfelt.",
  refusedBoxFilled: "Dieses Feld ist schon voll.",
  refusedBoxClosed: "Dieses Feld ist für diese Würfel gesperrt.",
  refusedNothingToUndo: "Es gibt nichts zurückzunehmen: sobald danach gewürfelt ist, steht ein Eintrag fest.",
  refusedNameTaken: "Jemand mit diesem Namen sitzt schon hier: nimm einen anderen.",
  refusedStillActs: { one: "Dieser Spieler hat noch {n} Sekunde.", other: "Dieser Spieler hat noch {n} Sekunden." },
  refusedOthersPlay: "Die anderen spielen noch: lass stattdessen einen Computer für dich spielen.",
  refusedNotYours: "Auf diesem Platz sitzt jemand anders.",
  heldTooFast: "Das war zu schnell: es wird gleich noch einmal geschickt.",
  heldUnavailable: "Der Server kann gerade nichts speichern: es wird gleich noch einmal geschickt.",
  // anywhere
  unreachable: "Der Server ist nicht zu erreichen. Versuche es gleich noch einmal.",
  unavailable: "Der Server kann gerade nicht antworten. Versuche es gleich noch einmal.",
  tooFast: { one: "Zu viele Anfragen: in {n} Sekunde geht es weiter.", other: "Zu viele Anfragen: in {n} Sekunden geht es weiter." },
  tooLarge: "Das ist zu lang für den Server.",
  serverMistake: "Der Server hat einen Fehler gemacht. Er steht in seinem Log.",
  noTable: "Diesen Tisch gibt es nicht.",
  noSeat: "Dieser Link gehört zu keinem Platz an diesem Tisch.",
  failed: "Das ging nicht:",
};
