/** My games, reasons, and sharing a result, in Swedish. */

import type { games as english } from "../en/games";
import type { Translated } from "../types";

export const games: Translated<typeof english> = {
  // reasons
  sources: "Var skillnaden kommer ifrån",
  source: "Källa",
  // my games
  gamesLead: "De här spelen hör till webbläsaren eller till ditt konto. Exportera dem för att spara eller flytta dem.",
  noGames: "Inga spel än. De som du spelar i den här webbläsaren visas här.",
  playGame: "Spela ett spel",
  export: "Exportera allt",
  import: "Importera en fil",
  imported: { one: "{n} spel importerat.", other: "{n} spel importerade." },
  importedGame: "importerat",
  playedOffline: "spelat offline",
  importedQuestion: "Vem av dem var du?",
  importedOf: { one: "{n} importerat spel med {names}", other: "{n} importerade spel med {names}" },
  importedNone: "Ingen av dem",
  importedWhy: "Bara spel som du själv har spelat räknas i dina siffror och lektioner.",
  importedAnswers: "Vem du är i importerade spel",
  importDamaged: "Filen är varken en export från fivedice eller protokollet från ett spel, eller så innehåller den ett fel. Inget importerades.",
  exported: "Filen innehåller alla spel och platser i den här webbläsaren. Den som har filen kan spela åt dig.",
  figuresComputing: "Beräknar statistik …",
  gamesCount: { one: "{n} spel", other: "{n} spel" },
  moreGames: "Visa fler spel",
  unreadableGames: { one: "{n} spel saknas i listan, eftersom servern inte kan läsa det.", other: "{n} spel saknas i listan, eftersom servern inte kan läsa dem." },
  stateOpen: "väntar på spelare",
  statePlaying: "pågår",
  stateOver: "slut",
  stateClosed: "avslutat i förtid",
  // sharing the result of a game
  shareResult: "Dela ditt resultat",
  sharePicture: "Bilden som länken visar",
  shareLost: { one: "{n} poäng förlorad på beslut, tur {luck}", other: "{n} poäng förlorade på beslut, tur {luck}" },
  shareWon: "Vann",
  shareWonBy: { one: "Vann med {n} poäng", other: "Vann med {n} poäng" },
  shareTie: "Delade segern med {names}",
  shareBeaten: "Förlorade",
  shareBeatenBy: { one: "Förlorade med {n} poäng", other: "Förlorade med {n} poäng" },
  shareWonResigned: { one: "Vann: {names} gav upp", other: "Vann: {names} gav upp" },
  shareResigned: "Gav upp",
  shareCopy: "Kopiera texten",
};
