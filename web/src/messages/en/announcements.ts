/** Announcements for screen readers, and the last score. */

export const announcements = {
  lastScore: "{name}: {n} in {box}",
  announceRoll: "{name} rolled {dice}.",
  announceKept: "Kept {dice}.",
  announceKeptNone: "Kept nothing.",
  announceScored: "{name}: {box}, {n} points. Total {total}.",
  announceRolledOff: "{name}: {n}",
  announceUndone: "{name} took the score back.",
  announceSat: "{name} sat down.",
  announceStoodIn: "A computer plays for {name}.",
  announceReturned: "{name} is back.",
  announceClosed: "The table was closed.",
  announceRematch: "A rematch is ready.",
} as const;
