/** Progress over one’s games, in German. */

import type { me as english } from "../en/me";
import type { Translated } from "../types";

export const me: Translated<typeof english> = {
  progress: "Mein Fortschritt",
  profileOf: "Wie {name} spielt",
  strengthOverall: "Über alle Regeln: von 100 Punkten des besten Spiels {share} ± {width}, in {n} gewerteten Spielen.",
  progressShort: "Fortschritt",
  streakTitle: "Serie",
  streakRule: "Ein Tag zählt, wenn du an ihm ein Spiel beginnst, das du beendest, oder an den Aufgaben des Tages teilnimmst. Ein versäumter Tag pro Woche unterbricht die Serie nicht.",
  progressNone: "Noch gibt es nichts zu zeigen. Beende ein Spiel, dann steht hier dein Fortschritt.",
  levelLines: "Die gepunkteten Linien sind, was die Stufen des Computers verlieren, von 1 bis 9; je tiefer, desto stärker.",
  bandMeans: "Jeder Punkt ist ein Abschnitt deiner Spiele; das Band enthält seinen wahren Durchschnitt mit einer Sicherheit von 95 %.",
  periodHead: "Abschnitt",
  gamesHead: "Spiele",
  yourGames: { one: "Dein {n} Spiel", other: "Deine {n} Spiele" },
  perfectPlay: "Perfektes Spiel",
  decisionHead: "Entscheidung",
  exampleHead: "Beispiel",
  exampleOf: "{kind}: ein Beispiel, das {loss} Punkte gekostet hat",
  whatCounts: "Was gezählt wird",
  countsRate: "Verlorene Punkte pro Entscheidung mit einer Wahl, ± was der Zufall mit einer Sicherheit von 95 % erklärt. Im Diagramm oben zählt jeder Zug mit allen Würfen, wie bei den Stufen.",
  countsSubjects: "Um den oberen Teil, gleiche Würfel oder Straßen geht es, wenn die beste Wahl ein solches Feld füllt; um den Bonus, solange er weder erreicht noch verloren ist und höchstens drei obere Felder offen sind; um den Joker, wenn der Wurf einer ist.",
  countsExample: "Das Beispiel ist die teuerste Entscheidung deiner letzten 30 Spiele; es öffnet sich als Stellung.",
  luckBand: "Die Linie summiert das Glück deiner Spiele; an jeder Stelle enthält das Band 95 von 100 solchen Summen.",
  replayMonth: "Fehler der letzten 30 Tage wiederholen",
  replaySince: "Deine Fehler seit {day}",
  replayNone: "Heute ist nichts mehr zu wiederholen. Die drei teuersten Entscheidungen jedes deiner Spiele werden Lektionen; eine Wiederholung fragt jede einmal am Tag.",
};
