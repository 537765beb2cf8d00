/** Progress over one’s games, in Swedish. */

import type { me as english } from "../en/me";
import type { Translated } from "../types";

export const me: Translated<typeof english> = {
  progress: "Min utveckling",
  profileOf: "Så spelar {name}",
  strengthOverall: "Över alla regler: av 100 poäng i bästa spel {share} ± {width}, i {n} räknade partier.",
  progressShort: "Utveckling",
  streakTitle: "Svit",
  streakRule: "En dag räknas om du då börjar ett spel som du avslutar, eller deltar i dagens uppgifter. En missad dag i veckan bryter inte sviten.",
  progressNone: "Inget att visa än. Avsluta ett spel, så visas din utveckling här.",
  levelLines: "De prickade linjerna är vad datorns nivåer förlorar, från 1 till 9; ju lägre, desto starkare.",
  bandMeans: "Varje punkt är en period av dina spel; bandet innehåller dess sanna snitt med en säkerhet på 95 %.",
  periodHead: "Från och till",
  gamesHead: "Spel",
  yourGames: { one: "Ditt {n} spel", other: "Dina {n} spel" },
  perfectPlay: "Perfekt spel",
  decisionHead: "Beslut",
  exampleHead: "Exempel",
  exampleOf: "{kind}: ett exempel som kostade {loss} poäng",
  whatCounts: "Vad som räknas",
  countsRate: "Förlorade poäng per beslut med ett val, ± vad slumpen förklarar med en säkerhet på 95 %. I diagrammet ovan räknas varje tur med alla sina kast, som för nivåerna.",
  countsSubjects: "Ett beslut gäller övre delen, lika tärningar eller stegar om det bästa valet fyller en sådan ruta; bonusen så länge den varken är nådd eller förlorad och högst tre övre rutor är öppna; jokern om kastet är en.",
  countsExample: "Exemplet är det dyraste beslutet i dina 30 senaste spel; det öppnas som ställning.",
  luckBand: "Linjen summerar turen i dina spel; vid varje punkt innehåller bandet 95 av 100 sådana summor.",
  replayMonth: "Repetera missarna från de senaste 30 dagarna",
  replaySince: "Dina missar sedan {day}",
  replayNone: "Inget är kvar att repetera i dag. De tre dyraste besluten i varje spel blir lektioner; en repetition frågar varje en gång om dagen.",
};
