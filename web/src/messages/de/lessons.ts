/** Learning from mistakes, in German. */

import type { lessons as english } from "../en/lessons";
import type { Translated } from "../types";

export const lessons: Translated<typeof english> = {
  learn: "Aus Fehlern lernen",
  learnOf: "Aus den Fehlern von {name} lernen",
  learnSearching: "Deine Fehler werden gesucht …",
  learnNone: "Keine Entscheidung dieses Spiels war so teuer, dass sie noch einmal gefragt wird.",
  learnNothing: "Noch gibt es nichts zu lernen. Ist ein Spiel von dir aus, werden seine teuersten Entscheidungen hier noch einmal gefragt.",
  learnAllDone: {
    one: "Heute ist nichts fällig. {n} Lektion ist gelernt; sie ist am {day} wieder fällig.",
    other: "Heute ist nichts fällig. {n} Lektionen sind gelernt; die nächste ist am {day} fällig.",
  },
  learnAgain: "Noch einmal",
  learnMore: "Weiter",
  learnAllGames: "Aus allen meinen Spielen",
  backToTable: "Zurück zum Tisch",
  lessonOf: "Lektion {n} von {all}",
  lessonAsk: "Hier warst du schon einmal. Was tust du? Behalte Würfel und würfle, oder wähle ein Feld.",
  lessonBest: "Das ist am besten.",
  lessonAccepted: "Gut genug.",
  lessonMissed: "Noch nicht.",
  lessonCost: "Es kostet {loss}; am besten ist: {best}.",
  lessonYours: "Deine Antwort",
  lessonBestIs: "Am besten",
  lessonPlayed: "Im Spiel",
  lessonDue: "Wird am {day} wieder gefragt.",
  lessonDueOn: "Wieder gefragt",
  lessonStays: "Es bleibt fällig, bis du es gut beantwortest.",
  lessonNotSaved: "Dieses Spiel gehört nicht diesem Browser: wann wieder gefragt wird, wird nicht aufgehoben.",
  lessonNext: "Nächste Lektion",
  lessonEnd: "Zur Übersicht",
  lessonAgain: "Noch ein Versuch",
  lessonSum: "{n} von {all} beim ersten Versuch",
  lessonMean: "Deine ersten Antworten kosteten im Mittel {loss} Punkte; unter {limit} gilt als gelernt.",
};
