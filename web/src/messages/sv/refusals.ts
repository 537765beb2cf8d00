/** Refused commands and names, and errors, in Swedish. */

import type { refusals as english } from "../en/refusals";
import type { Translated } from "../types";

export const refusals: Translated<typeof english> = {
  // at a table
  movedOn: "Något har ändrats vid bordet. Titta igen.",
  refusedNotBegun: "Spelet har inte börjat än.",
  refusedEnded: "Det här spelet är slut.",
  refusedNotYourTurn: "Det är inte din tur.",
  refusedStoodIn: "En dator spelar för den här platsen. Kom tillbaka först.",
  refusedRollFirst: "Kasta tärningarna först.",
  refusedBoxFilled: "Den här rutan är redan ifylld.",
  refusedBoxClosed: "Den här rutan är spärrad för de här tärningarna.",
  refusedNothingToUndo: "Det finns inget att ångra. Poängen står fast efter nästa kast i en människas omgång, även om en dator spelar den.",
  refusedUndoEnded: "Spelet är slut: poängen står fast.",
  refusedNameTaken: "Någon vid bordet har redan det namnet. Välj ett annat.",
  refusedStillActs: { one: "Den här spelaren har {n} sekund kvar.", other: "Den här spelaren har {n} sekunder kvar." },
  refusedOthersPlay: "De andra spelar fortfarande. Låt en dator spela för dig i stället.",
  refusedNudged: "Spelaren har redan påmints i den här turen.",
  refusedNotYours: "Det här är inte din plats.",
  retryTooFast: "Det gick för fort. Det skickas igen om ett ögonblick.",
  retryUnavailable: "Servern kan inte spara just nu. Det skickas igen om ett ögonblick.",
  // anywhere
  unreachable: "Servern kan inte nås. Försök igen om en stund.",
  unavailable: "Servern kan inte svara just nu. Försök igen om en stund.",
  tooFast: { one: "För många förfrågningar: försök igen om {n} sekund.", other: "För många förfrågningar: försök igen om {n} sekunder." },
  tooFastMinutes: { one: "För många förfrågningar: försök igen om {n} minut.", other: "För många förfrågningar: försök igen om {n} minuter." },
  tooFastHours: { one: "För många förfrågningar: försök igen om {n} timme.", other: "För många förfrågningar: försök igen om {n} timmar." },
  withheld: "Du spelar ett spel som inte ger råd i förväg. Tills det är slut, har getts upp eller har vilat en stund ger servern dig inga råd någon annanstans heller.",
  withheldDaily: "Ditt försök i dag är inte slut. Tills dess ger servern dig inga råd någon annanstans.",
  withheldBy: "Till det spelet",
  tooLarge: "Texten är för lång.",
  serverError: "Något gick fel på servern. Felet finns i loggen.",
  noTable: "Det finns inget sådant bord.",
  noSeat: "Länken hör inte till någon plats vid det här bordet.",
  failed: "Det gick inte:",
  // of names
  nameEmpty: "Skriv ett namn som går att se.",
  nameLong: "Namnet är för långt: {n} tecken, och 40 får plats.",
  nameForbidden: "Namnet innehåller osynliga styrtecken. Skriv det igen utan dem.",
  nameMarks: "Det här namnet har för många tecken över eller under en bokstav.",
};
