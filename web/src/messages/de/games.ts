/** My games, and positions, in German. */

import type { Translated } from "../../lib/i18n.svelte";
import type { games as english } from "../en/games";

export const games: Translated<typeof english> = {
  // a position
  positionTitle: "Stellung",
  positionLine: "Eine Stellung in einer Zeile",
  show: "Zeigen",
  actions: "Alle Züge",
  positionOver: "Dieses Spiel ist aus: es gibt nichts zu entscheiden.",
  sources: "Woher der Unterschied kommt",
  source: "Quelle",
  // my games
  gamesLead: "Die Spiele dieses Browsers. Es gibt kein Konto: nimm sie als eine Datei mit.",
  noGames: "Noch kein Spiel.",
  export: "Alles sichern",
  import: "Datei einlesen",
  imported: { one: "{n} Spiel eingelesen.", other: "{n} Spiele eingelesen." },
  figures: "Zahlen auf lange Sicht",
  exported: "Die Datei hat alle Spiele und Plätze dieses Browsers. Wer sie hat, hat deine Plätze.",
  figuresMaking: "Die Zahlen werden berechnet …",
  meanScore: "Mittlere Punktzahl",
  errorRate: "Fehlerrate",
  errorRateHint: "Fehlerrate: verlorene Punkte je Entscheidung, die nicht erzwungen war.",
  gamesCount: { one: "{n} Spiel", other: "{n} Spiele" },
  stateOpen: "Plätze frei",
  statePlaying: "läuft",
  stateOver: "aus",
  stateClosed: "vorzeitig beendet",
};
