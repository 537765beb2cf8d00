/** Announcements for screen readers, and the last score, in Swedish. */

import type { announcements as english } from "../en/announcements";
import type { Translated } from "../types";

export const announcements: Translated<typeof english> = {
  lastScore: "{name}: {n} i {box}",
  lastPair: "{name}: {n} i två rutor",
  announceRoll: "{name} kastade {dice}.",
  announceKept: "Sparat: {dice}.",
  announceKeptNone: "Inget sparat.",
  announceScored: { one: "{name}: {box}, {n} poäng. Totalt {total}.", other: "{name}: {box}, {n} poäng. Totalt {total}." },
  announceAnnounced: "{name} bjuder {box}.",
  announceFirst: "{name} väljer {box} som första ruta.",
  announceSecond: { one: "{name}: {box} som andra ruta, {n} poäng för båda. Totalt {total}.", other: "{name}: {box} som andra ruta, {n} poäng för båda. Totalt {total}." },
  announceRolledOff: "{name}: {n}",
  announceUndone: "{name} ångrade sig.",
  announceSat: "{name} satte sig.",
  announceStoodIn: "En dator spelar för {name}.",
  announceReturned: "{name} är tillbaka.",
  announceClosed: "Bordet stängdes.",
  announceRematch: "{name} vill spela igen.",
};
