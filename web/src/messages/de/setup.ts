/** Creating a table and joining it, in German. */

import type { setup as english } from "../en/setup";
import type { Translated } from "../types";

export const setup: Translated<typeof english> = {
  // creating a table
  rules: "Regeln",
  ownRules: "Eigene Regeln …",
  pasteRules: "Regeln in TOML",
  pasteHint: "Füge den Text einer Regeldatei ein. Er wird beim Tippen geprüft.",
  rulesValid: "Gültig: {name}",
  options: "Varianten",
  seats: "Plätze",
  seatNumber: "Platz {n}",
  addSeat: "Platz hinzufügen",
  removeSeat: "Platz {n} entfernen",
  you: "Du",
  guest: "Gast",
  friend: "Freund, per Link",
  alsoHere: "Person an diesem Gerät",
  computer: "Computer: {kind}",
  kindGreedy: "Punktejäger",
  kindOptimal: "Perfektionist",
  kindRandom: "Zufall",
  kindRival: "Rivale",
  name: "Name",
  yourName: "Dein Name",
  begins: "Wer beginnt",
  beginsFirst: "Platz 1",
  beginsHighest: "Höchster Wurf",
  tutor: "Trainer",
  idle: "Wenn ein Spieler nicht reagiert",
  idleAutomatic: "Automatisch: 5 Minuten für Eingeladene, sonst unbegrenzt",
  idleNever: "Warten, so lange es dauert",
  idleAfter: {
    one: "Nach {n} Minute darf ein Computer einspringen",
    other: "Nach {n} Minuten darf ein Computer einspringen",
  },
  more: "Weitere Optionen",
  create: "Tisch erstellen",
  running: "Laufende Spiele",
  // joining
  join: "Platz nehmen",
  invite: "Mit diesem Link einladen",
  inviteHint: { one: "Noch {n} Platz ist frei.", other: "Noch {n} Plätze sind frei." },
  share: "Teilen",
  watching: "Du schaust zu.",
  openSeat: "frei",
};
