/** Announcements for screen readers, and the last score. */

export const announcements = {
  lastScore: "{name}: {n} in {box}",
  lastPair: "{name}: {n} in two boxes",
  announceRoll: "{name} rolled {dice}.",
  announceKept: "Kept {dice}.",
  announceKeptNone: "Kept nothing.",
  announceScored: { one: "{name}: {box}, {n} point. Total {total}.", other: "{name}: {box}, {n} points. Total {total}." },
  announceAnnounced: "{name} announces {box}.",
  announceFirst: "{name} chooses {box} as the first box.",
  announceSecond: { one: "{name}: {box} as the second box, {n} point for both. Total {total}.", other: "{name}: {box} as the second box, {n} points for both. Total {total}." },
  announceRolledOff: "{name}: {n}",
  announceUndone: "{name} took the score back.",
  announceSat: "{name} sat down.",
  announceStoodIn: "A computer plays for {name}.",
  announceReturned: "{name} is back.",
  announceClosed: "The table was closed.",
  announceRematch: "{name} offers a rematch.",
} as const;
