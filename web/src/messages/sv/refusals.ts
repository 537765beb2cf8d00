/** What a table does not allow, and what else may go wrong, in Swedish. */

import type { refusals as english } from "../en/refusals";
import type { Translated } from "../types";

export const refusals: Translated<typeof english> = {
  // at a table
  movedOn: "Bordet har gått vidare: titta igen.",
  refusedNotBegun: "Spelet har inte börjat än.",
  refusedEnded: "Det här spelet är slut.",
  refusedNotYourTurn: "Det är inte din tur.",
  refusedStoodIn: "En dator spelar för den här platsen: kom tillbaka först.",
  refusedRollFirst: "Kasta tärningarna först.",
  refusedBoxFilled: "Den här rutan är redan ifylld.",
  refusedBoxClosed: "Den här rutan är stängd för de här tärningarna.",
  refusedNothingToUndo: "Det finns inget att ta tillbaka: poängen står fast när nästa kast är gjort.",
  refusedNameTaken: "Någon med det namnet sitter redan här: ta ett annat.",
  refusedStillActs: { one: "Den här spelaren har {n} sekund kvar.", other: "Den här spelaren har {n} sekunder kvar." },
  refusedOthersPlay: "De andra spelar fortfarande: låt en dator spela för dig i stället.",
  refusedNotYours: "Den här platsen är någon annans.",
  heldTooFast: "Det gick för fort: det skickas igen om ett ögonblick.",
  heldUnavailable: "Servern kan inte spara just nu: det skickas igen om ett ögonblick.",
  // anywhere
  unreachable: "Servern kan inte nås. Försök igen om en stund.",
  unavailable: "Servern kan inte svara just nu. Försök igen om ett ögonblick.",
  tooFast: { one: "För många förfrågningar: försök igen om {n} sekund.", other: "För många förfrågningar: försök igen om {n} sekunder." },
  tooLarge: "Det är för långt för servern.",
  serverMistake: "Servern gjorde ett fel. Det står i dess logg.",
  noTable: "Det finns inget sådant bord.",
  noSeat: "Länken hör inte till någon plats vid det här bordet.",
  failed: "Det gick inte:",
};
