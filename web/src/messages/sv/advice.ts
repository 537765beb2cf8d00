/** Advice and the tutor, in Swedish. */

import type { advice as english } from "../en/advice";
import type { Translated } from "../types";

export const advice: Translated<typeof english> = {
  best: "bäst",
  bestIs: "Bäst: {action}",
  costs: "kostar {loss}",
  keepDice: "spara {dice}",
  keepNone: "spara inget",
  scoreBox: "skriv {box}",
  scratchBox: "stryk {box}",
  value: "Värde",
  loss: "Förlust",
  action: "Drag",
  adviceTitle: "Råd",
  valueHint: "Värde: den väntade slutpoängen för den som står i tur.",
  lastWasBest: "{name}: ”{action}” var bäst",
  lastCost: "{name}: ”{action}” kostade {loss}; bäst var ”{best}”",
  tutorTitle: "Är du säker?",
  tutorText: "{action} kostar {loss} poäng av den väntade poängen.",
  playAnyway: "Spela ändå",
  rethink: "Tänk om",
  showMe: "Visa mig",
  showInPlace: "Visa på tärningar och rutor",
  seeAll: "Alla drag",
  why: "Varför?",
};
