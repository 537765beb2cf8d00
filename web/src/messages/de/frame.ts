/** The frame of every page, its settings and its help, in German. */

import type { frame as english } from "../en/frame";
import type { Translated } from "../types";

export const frame: Translated<typeof english> = {
  // the frame
  appName: "fivedice",
  home: "Spielen",
  myGames: "Meine Spiele",
  allPages: "Alle Seiten",
  learnShort: "Lernen",
  verify: "Würfel prüfen",
  help: "Hilfe",
  skip: "Zum Inhalt",
  settings: "Einstellungen",
  language: "Sprache",
  theme: "Farben",
  themeAuto: "Wie das System",
  themeLight: "Hell",
  themeDark: "Dunkel",
  sound: "Töne",
  close: "Schließen",
  copy: "Kopieren",
  copied: "Kopiert",
  loading: "Einen Augenblick …",
  notFound: "Diese Seite gibt es nicht.",
  // help
  keys: "Tasten",
  keyDice: "einen Würfel behalten oder loslassen",
  keyRoll: "würfeln",
  keyArrows: "durch die offenen Felder gehen",
  keyEnter: "in das Feld schreiben",
  keyUndo: "zurücknehmen, bis zum nächsten Wurf",
  keyHurry: "einen Computer antreiben",
  keyHelp: "diese Tasten zeigen",
  helpKept: "Ein Klick auf einen Würfel behält ihn: da steht BLEIBT, und er wird nicht mehr geworfen.",
  helpDice:
    "Ein Geheimnis legt die Würfel vor dem ersten Wurf fest. Am Ende wird es gezeigt, und jeder kann jeden Würfel prüfen.",
};
