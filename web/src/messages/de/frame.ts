/** Navigation, settings and help, in German. */

import type { frame as english } from "../en/frame";
import type { Translated } from "../types";

export const frame: Translated<typeof english> = {
  // navigation and settings
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
  languageMissing: "{name} konnte nicht geladen werden: Versuche es noch einmal, wenn du wieder verbunden bist.",
  boxesOnly: "Nur die Namen der Felder",
  theme: "Farben",
  themeAuto: "Wie das System",
  themeLight: "Hell",
  themeDark: "Dunkel",
  sound: "Töne",
  close: "Schließen",
  copy: "Kopieren",
  copied: "Kopiert",
  loading: "Wird geladen …",
  notFound: "Diese Seite gibt es nicht.",
  // playing without the server
  offlinePlay: "Offline spielen",
  offlineAbout:
    "Spielen ohne Verbindung: gegen den Computer, oder reihum auf diesem Gerät. Die Dateien dafür bleiben auf dem Gerät.",
  offlineAdvice: "Mit Ratschlägen und Auswertungen für",
  offlineReasons: "mit Begründungen",
  offlineReasonsSize: "mit Begründungen, +{n} MB",
  offlineSizing: "Größe wird berechnet …",
  offlineKeep: "{n} MB herunterladen",
  offlineKeeping: "{n} von {all} MB",
  offlinePreparing: "Das Spielen wird vorbereitet …",
  offlineKept: "Du kannst offline spielen. Die Dateien belegen {n} MB auf diesem Gerät.",
  offlineMissing: "Dafür wird der Server gebraucht, und du spielst gerade offline.",
  offlineNoReasons:
    "Die Begründungen zu diesen Regeln sind nicht auf diesem Gerät: Lade sie in den Einstellungen unter „Offline spielen“ herunter.",
  offlineDrop: "Nicht Gewähltes entfernen",
  offlineRemove: "Dateien entfernen",
  offlineInsecure: "Dieser Browser behält Dateien nur für Adressen, die mit https beginnen.",
  offlineFull: "Auf diesem Gerät ist kein Platz für die Dateien.",
  // a static site
  documentation: "Dokumentation",
  staticNow: "Diese Seite hat keinen Server: Dein Gerät würfelt und berechnet alles selbst.",
  // help
  keys: "Tasten",
  keyDice: "einen Würfel behalten oder freigeben; mit echten Würfeln: eine Augenzahl eingeben",
  keyRoll: "würfeln (auch die Leertaste)",
  keyArrows: "zwischen den offenen Feldern wechseln",
  keyEnter: "in das Feld eintragen",
  keyUndo: "Eintrag zurücknehmen, bis in der Runde eines Menschen gewürfelt wird; mit echten Würfeln: die letzte Eingabe",
  keyHurry: "nicht auf den Computer warten",
  keyHelp: "diese Hilfe zeigen",
  helpDice:
    "Ein Geheimnis legt die Würfel vor dem ersten Wurf fest. Am Ende des Spiels wird es gezeigt, und alle können jeden Würfel prüfen.",
};
