/** Learning from mistakes, in Swedish. */

import type { lessons as english } from "../en/lessons";
import type { Translated } from "../types";

export const lessons: Translated<typeof english> = {
  learn: "Lär av dina misstag",
  learnOf: "Lär av misstagen: {name}",
  learnSearching: "Letar efter dina misstag …",
  learnNone: "Inget beslut i det här spelet kostade tillräckligt för att lära av.",
  learnNothing: "Det finns inget att lära av än. Efter varje spel kommer dina dyraste beslut upp här igen.",
  learnOffline: "Ingen lektion väntar på den här enheten. Det kan finnas fler på servern.",
  learnAllDone: {
    one: "Det finns inget att öva på i dag. {n} lektion är inlärd; den kommer igen {day}.",
    other: "Det finns inget att öva på i dag. {n} lektioner är inlärda; nästa kommer {day}.",
  },
  learnMore: "Fortsätt",
  learnAllGames: "Från alla mina spel",
  backToTable: "Tillbaka till bordet",
  lessonOf: "Lektion {n} av {all}",
  lessonAsk: "Här har du varit förut. Spara tärningar och kasta, eller välj en ruta.",
  lessonBest: "Bättre går det inte.",
  lessonAccepted: "Bra nog.",
  lessonMissed: "Inte än.",
  lessonCost: "Det kostar {loss}; bäst är: {best}.",
  lessonYours: "Ditt svar",
  lessonPlayed: "Den gången",
  lessonDue: "Kommer igen {day}.",
  lessonDueOn: "Kommer igen",
  lessonStays: "Den ligger kvar tills du svarar bra.",
  lessonNotSaved: "Spelet spelades inte i den här webbläsaren, så lektionen kommer inte igen.",
  lessonKept: "Ditt svar sparas på den här enheten. När servern går att nå får den svaret och bestämmer när frågan kommer igen.",
  lessonNext: "Nästa lektion",
  lessonEnd: "Till sammanfattningen",
  lessonAgain: "Försök igen",
  lessonSum: "{n} av {all} rätt på första försöket",
  lessonMean: "Dina första svar kostade i snitt {loss} poäng. Mindre än {limit} räknas som inlärt.",
};
