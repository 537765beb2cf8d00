/** My games, and positions, in Swedish. */

import type { games as english } from "../en/games";
import type { Translated } from "../types";

export const games: Translated<typeof english> = {
  // a position
  positionTitle: "Ställning",
  positionField: "En ställning på en rad",
  positionHint: "Reglerna, blocket (- är ett tomt), tärningarna och antalet kast som är kvar, som i",
  show: "Visa",
  actions: "Alla drag",
  actionsHint: "Välj ett drag för att se varför det bästa är bättre.",
  positionOver: "Det här spelet är slut: det finns inget att besluta.",
  sources: "Var skillnaden kommer ifrån",
  sourceUpper: "Bonus i övre delen",
  sourceExtra: "Bonus för fler Yatzy",
  source: "Källa",
  // my games
  gamesLead: "Den här webbläsarens spel. Det finns inget konto: ta med dem som en fil.",
  noGames: "Inget spel än.",
  export: "Exportera allt",
  import: "Importera en fil",
  imported: { one: "{n} spel importerat.", other: "{n} spel importerade." },
  figures: "Siffror på lång sikt",
  exported: "Filen har den här webbläsarens alla spel och platser. Den som har den har dina platser.",
  figuresComputing: "Siffrorna räknas fram …",
  meanScore: "Medelpoäng",
  errorRate: "Felkvot",
  errorRateHint: "Felkvot: förlorade poäng per beslut som inte var tvunget.",
  gamesCount: { one: "{n} spel", other: "{n} spel" },
  stateOpen: "lediga platser",
  statePlaying: "pågår",
  stateOver: "slut",
  stateClosed: "avslutat i förtid",
};
