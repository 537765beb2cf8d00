/** What the live region says, in Swedish. */

import type { spoken as english } from "../en/spoken";
import type { Translated } from "../types";

export const spoken: Translated<typeof english> = {
  wrote: "{name}: {n} i {box}",
  saidRoll: "{name} kastade {dice}.",
  saidKept: "Sparat: {dice}.",
  saidKeptNone: "Inget sparat.",
  saidScored: "{name}: {box}, {n} poäng. Totalt {total}.",
  saidRolledOff: "{name}: {n}",
  saidUndone: "{name} ångrade.",
  saidSat: "{name} satte sig.",
  saidStoodIn: "En dator spelar för {name}.",
  saidReturned: "{name} är tillbaka.",
  saidClosed: "Bordet avslutades.",
  saidRematch: "Ett nytt spel är dukat.",
};
