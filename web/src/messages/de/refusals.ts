/** Refused commands and names, and errors, in German. */

import type { refusals as english } from "../en/refusals";
import type { Translated } from "../types";

export const refusals: Translated<typeof english> = {
  // at a table
  movedOn: "Am Tisch hat sich etwas geändert. Schau noch einmal.",
  refusedNotBegun: "Das Spiel hat noch nicht begonnen.",
  refusedEnded: "Dieses Spiel ist zu Ende.",
  refusedNotYourTurn: "Du bist nicht dran.",
  refusedStoodIn: "Ein Computer spielt für diesen Platz. Komm erst zurück.",
  refusedRollFirst: "Würfle zuerst.",
  refusedBoxFilled: "Dieses Feld ist schon ausgefüllt.",
  refusedBoxClosed: "Dieses Feld ist für diese Würfel gesperrt.",
  refusedNothingToUndo: "Es gibt nichts zurückzunehmen. Ein Eintrag ist endgültig, sobald in der Runde eines Menschen gewürfelt wird, auch wenn ein Computer sie spielt.",
  refusedUndoEnded: "Das Spiel ist vorbei: Seine Einträge sind endgültig.",
  refusedNameTaken: "Dieser Name ist am Tisch schon vergeben. Wähle einen anderen.",
  refusedStillActs: { one: "Dieser Spieler hat noch {n} Sekunde.", other: "Dieser Spieler hat noch {n} Sekunden." },
  refusedOthersPlay: "Die anderen spielen noch. Lass stattdessen einen Computer für dich spielen.",
  refusedNudged: "Dieser Spieler wurde in diesem Zug schon erinnert.",
  refusedNotYours: "Das ist nicht dein Platz.",
  retryTooFast: "Das war zu schnell. Es wird gleich noch einmal gesendet.",
  retryUnavailable: "Der Server kann gerade nicht speichern. Es wird gleich noch einmal gesendet.",
  // anywhere
  unreachable: "Der Server ist nicht erreichbar. Versuche es gleich noch einmal.",
  unavailable: "Der Server kann gerade nicht antworten. Versuche es gleich noch einmal.",
  tooFast: { one: "Zu viele Anfragen: In {n} Sekunde geht es weiter.", other: "Zu viele Anfragen: In {n} Sekunden geht es weiter." },
  tooFastMinutes: { one: "Zu viele Anfragen: In {n} Minute geht es weiter.", other: "Zu viele Anfragen: In {n} Minuten geht es weiter." },
  tooFastHours: { one: "Zu viele Anfragen: In {n} Stunde geht es weiter.", other: "Zu viele Anfragen: In {n} Stunden geht es weiter." },
  withheld: "Du spielst gerade ein Spiel ohne Tipps im Voraus. Bis es vorbei oder aufgegeben ist oder eine Weile ruht, gibt dir dieser Server auch anderswo keine.",
  withheldDaily: "Dein Versuch von heute läuft noch. Bis er vorbei ist, gibt dir dieser Server auch anderswo keine Tipps.",
  withheldBy: "Zu diesem Spiel",
  tooLarge: "Dieser Text ist zu lang.",
  serverError: "Auf dem Server ist ein Fehler aufgetreten. Er steht im Log.",
  noTable: "Diesen Tisch gibt es nicht.",
  noSeat: "Dieser Link gehört zu keinem Platz an diesem Tisch.",
  failed: "Das hat nicht geklappt:",
  // of names
  nameEmpty: "Gib einen Namen ein, den man sehen kann.",
  nameLong: "Dieser Name ist zu lang: {n} Zeichen, 40 passen.",
  nameForbidden: "Dieser Name enthält unsichtbare Steuerzeichen. Gib ihn ohne sie noch einmal ein.",
  nameMarks: "Dieser Name hat zu viele Zeichen über oder unter einem Buchstaben.",
};
