/** Advice and the tutor, in Swedish. */

import type { advice as english } from "../en/advice";
import type { Translated } from "../types";

export const advice: Translated<typeof english> = {
  best: "bäst",
  bestIs: "Bäst: {action}",
  costs: "kostar {loss}",
  worse: "{loss} sämre",
  keepDice: "spara {dice}",
  keepNone: "spara inget",
  scoreBox: "fyll i {box}",
  scratchBox: "stryk {box}",
  value: "Värde",
  loss: "Förlust",
  action: "Drag",
  adviceTitle: "Råd",
  adviceMeans: "Spelas det så bra det går härifrån blir det ungefär {n} poäng. ”Sämre” är poäng, i snitt.",
  adviceBar: "Hur bra rutan är nu: en full stapel är det bästa",
  lastWasBest: "{name}: ”{action}” var bäst",
  lastCost: "{name}: ”{action}” kostade {loss} poäng; bäst var ”{best}”",
  tutorTitle: "Är du säker?",
  tutorText: "”{action}” kostar i snitt {loss} poäng.",
  playAnyway: "Spela ändå",
  rethink: "Tänk om",
  showMe: "Visa mig",
  showInPlace: "Visa på tärningarna och rutorna",
  seeAll: "Alla drag",
  why: "Varför?",
};
