/** What the live region says, in Swedish. */

import type { announcements as english } from "../en/announcements";
import type { Translated } from "../types";

export const announcements: Translated<typeof english> = {
  lastScore: "{name}: {n} i {box}",
  announceRoll: "{name} kastade {dice}.",
  announceKept: "Sparat: {dice}.",
  announceKeptNone: "Inget sparat.",
  announceScored: "{name}: {box}, {n} poäng. Totalt {total}.",
  announceRolledOff: "{name}: {n}",
  announceUndone: "{name} ångrade.",
  announceSat: "{name} satte sig.",
  announceStoodIn: "En dator spelar för {name}.",
  announceReturned: "{name} är tillbaka.",
  announceClosed: "Bordet avslutades.",
  announceRematch: "Ett nytt spel är dukat.",
};
