/** What the live region says. */

export const spoken = {
  wrote: "{name}: {n} in {box}",
  saidRoll: "{name} rolled {dice}.",
  saidKept: "Kept {dice}.",
  saidKeptNone: "Kept nothing.",
  saidScored: "{name}: {box}, {n} points. Total {total}.",
  saidRolledOff: "{name}: {n}",
  saidUndone: "{name} took the score back.",
  saidSat: "{name} sat down.",
  saidStoodIn: "A computer plays for {name}.",
  saidReturned: "{name} is back.",
  saidClosed: "The table was ended.",
  saidRematch: "A rematch is set.",
} as const;
