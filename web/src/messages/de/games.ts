/** My games, reasons, and sharing a result, in German. */

import type { games as english } from "../en/games";
import type { Translated } from "../types";

export const games: Translated<typeof english> = {
  // reasons
  sources: "Woher der Unterschied kommt",
  source: "Quelle",
  // my games
  gamesLead: "Diese Spiele gehören zu diesem Browser oder zu deinem Konto. Exportiere sie, um sie zu sichern oder mitzunehmen.",
  noGames: "Noch keine Spiele. Was du in diesem Browser spielst, steht dann hier.",
  playGame: "Ein Spiel spielen",
  export: "Alles exportieren",
  import: "Datei importieren",
  imported: { one: "{n} Spiel importiert.", other: "{n} Spiele importiert." },
  importedGame: "importiert",
  playedOffline: "offline gespielt",
  importedQuestion: "Wer von ihnen warst du?",
  importedOf: { one: "{n} importiertes Spiel von {names}", other: "{n} importierte Spiele von {names}" },
  importedNone: "Niemand davon",
  importedWhy: "Nur Spiele, die du gespielt hast, zählen für deine Werte und Lektionen.",
  importedAnswers: "Wer du in importierten Spielen bist",
  importDamaged:
    "Diese Datei ist weder ein Export von fivedice noch das Protokoll eines Spiels, oder sie hat einen Fehler. Es wurde nichts importiert.",
  exported: "Die Datei enthält alle Spiele und Plätze dieses Browsers. Wer sie hat, kann für dich spielen.",
  figuresComputing: "Statistik wird berechnet …",
  gamesCount: { one: "{n} Spiel", other: "{n} Spiele" },
  moreGames: "Mehr Spiele zeigen",
  unreadableGames: { one: "{n} Spiel fehlt in der Liste, weil der Server es nicht lesen kann.", other: "{n} Spiele fehlen in der Liste, weil der Server sie nicht lesen kann." },
  stateOpen: "wartet auf Mitspieler",
  statePlaying: "läuft",
  stateOver: "beendet",
  stateClosed: "vorzeitig beendet",
  // sharing the result of a game
  shareResult: "Teile dein Ergebnis",
  sharePicture: "Das Bild, das der Link zeigt",
  shareLost: { one: "{n} Punkt durch Entscheidungen verloren, Glück {luck}", other: "{n} Punkte durch Entscheidungen verloren, Glück {luck}" },
  shareWon: "Gewonnen",
  shareWonBy: { one: "Mit {n} Punkt Vorsprung gewonnen", other: "Mit {n} Punkten Vorsprung gewonnen" },
  shareTie: "Den Sieg geteilt mit {names}",
  shareBeaten: "Verloren",
  shareBeatenBy: { one: "Mit {n} Punkt Rückstand verloren", other: "Mit {n} Punkten Rückstand verloren" },
  shareWonResigned: { one: "Gewonnen: {names} hat aufgegeben", other: "Gewonnen: {names} haben aufgegeben" },
  shareResigned: "Aufgegeben",
  shareCopy: "Text kopieren",
};
