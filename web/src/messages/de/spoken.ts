/** What the live region says, in German. */

import type { spoken as english } from "../en/spoken";
import type { Translated } from "../types";

export const spoken: Translated<typeof english> = {
  wrote: "{name}: {n} in {box}",
  saidRoll: "{name} würfelt {dice}.",
  saidKept: "Behalten: {dice}.",
  saidKeptNone: "Nichts behalten.",
  saidScored: "{name}: {box}, {n} Punkte. Gesamt {total}.",
  saidRolledOff: "{name}: {n}",
  saidUndone: "{name} nimmt den Eintrag zurück.",
  saidSat: "{name} hat Platz genommen.",
  saidStoodIn: "Ein Computer spielt für {name}.",
  saidReturned: "{name} ist wieder da.",
  saidClosed: "Der Tisch wurde beendet.",
  saidRematch: "Ein neues Spiel ist gedeckt.",
};
