/** My games, and positions, in German. */

import type { games as english } from "../en/games";
import type { Translated } from "../types";

export const games: Translated<typeof english> = {
  // a position
  positionTitle: "Stellung",
  positionField: "Eine Stellung in einer Zeile",
  positionHint: "Die Regeln, der Block (- ist ein leerer), die Würfel und wie viele Würfe noch bleiben, wie in",
  show: "Zeigen",
  actions: "Alle Züge",
  actionsHint: "Wähle einen Zug, um zu sehen, warum der beste besser ist.",
  positionOver: "Dieses Spiel ist aus: es gibt nichts zu entscheiden.",
  sources: "Woher der Unterschied kommt",
  sourceUpper: "Bonus oben",
  sourceExtra: "Bonus für weitere Kniffel",
  source: "Quelle",
  // my games
  gamesLead: "Die Spiele dieses Browsers. Es gibt kein Konto: nimm sie als eine Datei mit.",
  noGames: "Noch kein Spiel.",
  export: "Alles sichern",
  import: "Datei einlesen",
  imported: { one: "{n} Spiel eingelesen.", other: "{n} Spiele eingelesen." },
  figures: "Zahlen auf lange Sicht",
  exported: "Die Datei hat alle Spiele und Plätze dieses Browsers. Wer sie hat, hat deine Plätze.",
  figuresComputing: "Die Zahlen werden berechnet …",
  meanScore: "Mittlere Punktzahl",
  errorRate: "Fehlerrate",
  errorRateHint: "Fehlerrate: verlorene Punkte je Entscheidung, die nicht erzwungen war.",
  gamesCount: { one: "{n} Spiel", other: "{n} Spiele" },
  stateOpen: "Plätze frei",
  statePlaying: "läuft",
  stateOver: "aus",
  stateClosed: "vorzeitig beendet",
};
