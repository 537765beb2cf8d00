/** Learning from mistakes, in Swedish. */

import type { lessons as english } from "../en/lessons";
import type { Translated } from "../types";

export const lessons: Translated<typeof english> = {
  learn: "Lär av dina misstag",
  learnOf: "Lär av misstagen: {name}",
  learnSearching: "Dina misstag letas fram …",
  learnNone: "Inget beslut i det här spelet kostade så mycket att det frågas igen.",
  learnNothing: "Det finns inget att lära av än. När ett av dina spel är slut frågas dess dyraste beslut igen här.",
  learnAllDone: {
    one: "Inget ska frågas i dag. {n} lektion är inlärd; den frågas igen {day}.",
    other: "Inget ska frågas i dag. {n} lektioner är inlärda; nästa frågas {day}.",
  },
  learnAgain: "En gång till",
  learnMore: "Fortsätt",
  learnAllGames: "Från alla mina spel",
  backToTable: "Tillbaka till bordet",
  lessonOf: "Lektion {n} av {all}",
  lessonAsk: "Här har du varit förut. Vad gör du? Spara tärningar och kasta, eller välj en ruta.",
  lessonBest: "Det är bäst.",
  lessonAccepted: "Bra nog.",
  lessonMissed: "Inte än.",
  lessonCost: "Det kostar {loss}; bäst är: {best}.",
  lessonYours: "Ditt svar",
  lessonBestIs: "Bäst",
  lessonPlayed: "I spelet",
  lessonDue: "Frågas igen {day}.",
  lessonDueOn: "Frågas igen",
  lessonStays: "Den frågas tills du svarar bra.",
  lessonNotSaved: "Det här spelet är inte den här webbläsarens: när det ska frågas igen sparas inte.",
  lessonNext: "Nästa lektion",
  lessonEnd: "Till sammanfattningen",
  lessonAgain: "Försök igen",
  lessonSum: "{n} av {all} på första försöket",
  lessonMean: "Dina första svar kostade i snitt {loss} poäng; under {limit} räknas som inlärt.",
};
