/** Advice and the tutor, in Swedish. */

import type { advice as english } from "../en/advice";
import type { Translated } from "../types";

export const advice: Translated<typeof english> = {
  best: "bäst",
  costs: "kostar {loss}",
  worse: "{loss} sämre",
  keepDice: "spara {dice}",
  scoreBox: "fyll i {box}",
  scratchBox: "stryk {box}",
  value: "Värde",
  loss: "Förlust",
  action: "Drag",
  adviceTitle: "Råd",
  noWin: "avstår från vinsten",
  adviceWins: "En direkt vinst är värd mer än alla poäng.",
  adviceMeans: "Spelas det så bra det går härifrån blir det ungefär {n} poäng. ”Sämre” är poäng, i snitt.",
  approximateMeans: "≈ Reglerna är för stora för att lösas exakt: värdena är inlärda och fel på ungefär {error} poäng.",
  adviceBar: "Hur bra rutan är nu: en full stapel är det bästa",
  lastWasBest: "{name}: ”{action}” var bäst",
  lastCost: "{name}: ”{action}” kostade {loss} poäng; bäst var ”{best}”",
  tutorTitle: "Är du säker?",
  tutorText: "”{action}” kostar i snitt {loss} poäng.",
  tutorWin: "”{action}” ger bort en seger: något annat vinner spelet genast.",
  playAnyway: "Spela ändå",
  rethink: "Tänk om",
  showMe: "Visa mig",
  showInPlace: "Visa på tärningarna och rutorna",
  seeAll: "Alla drag",
  why: "Varför?",
};
