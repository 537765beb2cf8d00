/** Learning from mistakes, in German. */

import type { lessons as english } from "../en/lessons";
import type { Translated } from "../types";

export const lessons: Translated<typeof english> = {
  learn: "Aus Fehlern lernen",
  learnOf: "Aus den Fehlern von {name} lernen",
  learnSearching: "Deine Fehler werden gesucht …",
  learnNone: "Keine Entscheidung in diesem Spiel war teuer genug, um daraus zu lernen.",
  learnNothing: "Noch gibt es nichts zu lernen. Nach jedem Spiel kommen hier deine teuersten Entscheidungen noch einmal.",
  learnOffline: "Auf diesem Gerät wartet keine Lektion. Auf dem Server liegen vielleicht noch andere.",
  learnAllDone: {
    one: "Heute ist nichts fällig. {n} Lektion ist gelernt; sie ist am {day} wieder fällig.",
    other: "Heute ist nichts fällig. {n} Lektionen sind gelernt; die nächste ist am {day} fällig.",
  },
  learnMore: "Weiter",
  learnAllGames: "Aus allen meinen Spielen",
  backToTable: "Zurück zum Tisch",
  lessonOf: "Lektion {n} von {all}",
  lessonAsk: "In dieser Stellung warst du schon. Behalte Würfel und würfle, oder wähle ein Feld.",
  lessonBest: "Besser geht es nicht.",
  lessonAccepted: "Gut genug.",
  lessonMissed: "Noch nicht.",
  lessonCost: "Es kostet {loss}; am besten ist: {best}.",
  lessonYours: "Deine Antwort",
  lessonPlayed: "Damals",
  lessonDue: "Kommt am {day} wieder.",
  lessonDueOn: "Kommt wieder",
  lessonStays: "Sie bleibt fällig, bis du sie gut beantwortest.",
  lessonNotSaved: "Dieses Spiel wurde nicht in diesem Browser gespielt, deshalb kommt die Lektion nicht wieder.",
  lessonKept: "Deine Antwort bleibt auf diesem Gerät. Sobald der Server erreichbar ist, bekommt er sie und legt fest, wann er wieder fragt.",
  lessonNext: "Nächste Lektion",
  lessonEnd: "Zur Übersicht",
  lessonAgain: "Noch ein Versuch",
  lessonSum: "{n} von {all} im ersten Versuch richtig",
  lessonMean: "Deine ersten Antworten kosteten im Schnitt {loss} Punkte. Weniger als {limit} gilt als gelernt.",
};
