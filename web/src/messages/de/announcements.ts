/** Announcements for screen readers, and the last score, in German. */

import type { announcements as english } from "../en/announcements";
import type { Translated } from "../types";

export const announcements: Translated<typeof english> = {
  lastScore: "{name}: {n} in {box}",
  lastPair: "{name}: {n} in zwei Feldern",
  announceRoll: "{name} würfelt {dice}.",
  announceKept: "Behalten: {dice}.",
  announceKeptNone: "Nichts behalten.",
  announceScored: { one: "{name}: {box}, {n} Punkt. Gesamt {total}.", other: "{name}: {box}, {n} Punkte. Gesamt {total}." },
  announceAnnounced: "{name} sagt {box} an.",
  announceFirst: "{name} wählt {box} als erstes Feld.",
  announceSecond: { one: "{name}: {box} als zweites Feld, {n} Punkt für beide. Gesamt {total}.", other: "{name}: {box} als zweites Feld, {n} Punkte für beide. Gesamt {total}." },
  announceRolledOff: "{name}: {n}",
  announceUndone: "{name} nimmt den Eintrag zurück.",
  announceSat: "{name} hat Platz genommen.",
  announceStoodIn: "Ein Computer spielt für {name}.",
  announceReturned: "{name} ist wieder da.",
  announceClosed: "Der Tisch wurde geschlossen.",
  announceRematch: "{name} möchte noch ein Spiel.",
};
