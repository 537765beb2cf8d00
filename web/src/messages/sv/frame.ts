/** Navigation, settings and help, in Swedish. */

import type { frame as english } from "../en/frame";
import type { Translated } from "../types";

export const frame: Translated<typeof english> = {
  // navigation and settings
  appName: "fivedice",
  home: "Spela",
  myGames: "Mina spel",
  allPages: "Alla sidor",
  learnShort: "Lär dig",
  verify: "Kontrollera tärningar",
  help: "Hjälp",
  skip: "Till innehållet",
  settings: "Inställningar",
  language: "Språk",
  languageMissing: "{name} kunde inte laddas: försök igen när du är ansluten.",
  boxesOnly: "Bara rutornas namn",
  theme: "Färger",
  themeAuto: "Som systemet",
  themeLight: "Ljust",
  themeDark: "Mörkt",
  sound: "Ljud",
  close: "Stäng",
  copy: "Kopiera",
  copied: "Kopierat",
  loading: "Laddar …",
  notFound: "Sidan finns inte.",
  // playing without the server
  offlinePlay: "Spela offline",
  offlineAbout:
    "Spela utan anslutning: mot datorn, eller genom att skicka enheten runt. Filerna för det stannar på enheten.",
  offlineAdvice: "Med råd och genomgångar för",
  offlineReasons: "med förklaringar",
  offlineReasonsSize: "med förklaringar, +{n} MB",
  offlineSizing: "Storleken beräknas …",
  offlineKeep: "Hämta {n} MB",
  offlineKeeping: "{n} av {all} MB",
  offlinePreparing: "Spelet förbereds …",
  offlineKept: "Du kan spela offline. Filerna tar {n} MB på den här enheten.",
  offlineMissing: "Det här kräver servern, och du spelar offline just nu.",
  offlineNoReasons:
    "Förklaringarna till de här reglerna finns inte på den här enheten: hämta dem under ”Spela offline” i inställningarna.",
  offlineDrop: "Ta bort det som inte är valt",
  offlineRemove: "Ta bort filerna",
  offlineInsecure: "Den här webbläsaren behåller bara filer för adresser som börjar med https.",
  offlineFull: "Det finns inte plats för filerna på den här enheten.",
  // a static site
  documentation: "Dokumentation",
  staticNow: "Den här sidan har ingen server: din enhet slår tärningarna och räknar ut allt själv.",
  // help
  keys: "Tangenter",
  keyDice: "spara en tärning, eller släpp den; med riktiga tärningar: ange en siffra",
  keyRoll: "kasta (även mellanslag)",
  keyArrows: "gå mellan öppna rutor",
  keyEnter: "fyll i rutan",
  keyUndo: "ångra, tills någon kastar i en människas omgång; med riktiga tärningar: det senaste",
  keyHurry: "vänta inte på datorn",
  keyHelp: "visa den här hjälpen",
  helpDice:
    "En hemlighet bestämmer tärningarna före första kastet. När spelet är slut visas den, så att alla kan kontrollera varje tärning.",
};
