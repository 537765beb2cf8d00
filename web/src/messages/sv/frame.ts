/** The frame of every page, its settings and its help, in Swedish. */

import type { frame as english } from "../en/frame";
import type { Translated } from "../types";

export const frame: Translated<typeof english> = {
  // the frame
  appName: "fivedice",
  home: "Spela",
  myGames: "Mina spel",
  allPages: "Alla sidor",
  learnShort: "Lär",
  verify: "Kontrollera tärningar",
  help: "Hjälp",
  skip: "Till innehållet",
  settings: "Inställningar",
  language: "Språk",
  theme: "Färger",
  themeAuto: "Som systemet",
  themeLight: "Ljust",
  themeDark: "Mörkt",
  sound: "Ljud",
  close: "Stäng",
  copy: "Kopiera",
  copied: "Kopierat",
  loading: "Ett ögonblick …",
  notFound: "Den sidan finns inte.",
  // help
  keys: "Tangenter",
  keyDice: "spara en tärning, eller släpp den",
  keyRoll: "kasta",
  keyArrows: "gå mellan öppna rutor",
  keyEnter: "skriv i rutan",
  keyUndo: "ångra, fram till nästa kast",
  keyHurry: "skynda på en dator",
  keyHelp: "visa tangenterna",
  helpKept: "Ett klick på en tärning sparar den: det står SPARAD, och den kastas inte om.",
  helpDice:
    "En hemlighet bestämmer tärningarna före första kastet. När spelet är slut visas den, och alla kan kontrollera varje tärning.",
};
