/** Games on the same dice for many people, in Swedish. */

import type { same as english } from "../en/same";
import type { Translated } from "../types";

export const same: Translated<typeof english> = {
  sameTitle: "Samma tärningar",
  sameLead: "Alla spelar var för sig med samma tärningar, när de vill. Den som väljer bäst vinner, inte den som har mest tur.",
  sameYours: "Dina",
  sameEnded: "{n} av {all} klara",
  sameClosed: "stängt {moment}",
  sameUntil: "öppet till {moment}",
  samePeople: "Personer, högst",
  sameTime: "Tid att spela",
  sameOpen: "Öppna ett spel",
  hoursLong: { one: "{n} timme", other: "{n} timmar" },
  daysLong: { one: "{n} dag", other: "{n} dagar" },
  sameNotFound: "Det finns inget sådant spel. Be om länken igen.",
  sameRules: "Du har ett försök, utan hjälp. Tills du är klar ser du ingen annans spel; den som inte är klar ser inte ditt.",
  sameOnlyPlayers: "Bara de som deltar i turneringen spelar i den här ronden.",
  samePlay: "Spela",
  sameGoOn: "Fortsätt ditt spel",
  sameYourGame: "Ditt spel",
  sameInvite: "Bjud in med länk",
  sameFree: { one: "{n} ledig plats", other: "{n} lediga platser" },
  sameHidden: "Du ser resultaten när du har avslutat ditt spel eller tiden är ute.",
  sameSolving: "Vad valen kostar räknas ut just nu.",
  samePlaying: "spelar",
  sameDone: "klar",
  sameLate: "inte klar i tid",
  sameCompare: "Jämför",
  sameCompareWith: "Jämför med {name}",
  sameRanking: "Ordningen följer de poäng som valen kostade, inte slutpoängen.",
  sameProof: "En hemlighet bestämmer alla tärningar: efter omgång, kast och plats. Dess SHA-256 står här innan någon kastar; hemligheten visas när alla är klara eller tiden är ute.",
  sameProofTold: "En hemlighet bestämde alla tärningar: efter omgång, kast och plats. Nu är den känd, och protokollet för varje spel kan kontrolleras.",
  refusedClosed: "Tiden för det här spelet är ute.",
};
