/** The rules: all rulesets, one in full, the rule of a box, and the help, in Swedish. */

import type { rules as english } from "../en/rules";
import type { Translated } from "../types";

export const rules: Translated<typeof english> = {
  rulesLead: "Alla spel som du kan spela här. Välj ett för att se dess rutor, med tärningar till varje.",
  trademarks:
    "Yahtzee är ett varumärke som tillhör Hasbro, och Kniffel ett som tillhör Schmidt Spiele; även andra namn på spel kan vara varumärken som tillhör sina ägare. fivedice har ingen koppling till någon av dem: namnen talar bara om vilka regler du spelar efter.",
  licences: "Licenser för sidans typsnitt och bibliotek",
  familyYahtzee: "Yahtzee-familjen",
  familyYatzy: "Yatzy-familjen",
  familyOther: "Andra tärningsspel",
  rulesOf: "Regler för {name}",
  rulesUnknown: "Det finns inga regler med det namnet.",
  allGames: "Alla spel",
  allRules: "Alla regler",
  playedHere: "spelas här",
  boxNeeds: "Kräver",
  boxPays: "Ger",
  boxExample: "Exempel",
  boxPoints: { one: "{n} poäng", other: "{n} poäng" },
  boxGets: { one: "ger {n} poäng", other: "ger {n} poäng" },
  yes: "ja",
  no: "nej",
  jokerInWords: "Samma sak i ord",
  howToPlay: "Så spelar man",
  helpRoll: "Kasta tärningarna. Spara dem du gillar och kasta om de andra.",
  helpRolls: { one: "Du har {n} kast per tur.", other: "Du har {n} kast per tur." },
  helpScore:
    "Välj sedan en ruta i ditt protokoll. Varje ruta kräver vissa tärningar och tar bara ett kast. Passar inget får en ruta 0.",
  helpBonus: "{at} poäng i de övre rutorna ger {n} extra.",
  offerTitle: "Det här finns",
  offerHelp: "Exakta råd: en lärare, en genomgång av varje spel och lektioner från dina misstag.",
  offerApproximate: "Råd som bara är ungefär rätt (≈): en lärare, en genomgång av varje spel och lektioner från dina misstag.",
  offerEnd: "En genomgång av de sista omgångarna i varje spel.",
  offerChances: "Vinstchanser och chansen för varje slutpoäng.",
  offerPlayers: "Datorspelare: {names}.",
  printCard: "Skriv ut ett tomt protokoll",
  helpEnd: "När alla rutor är ifyllda vinner högst summa.",
  helpRules: "Alla regler för alla spel",
  helpRulesHere: "Alla regler vid det här bordet",
  helpBox: "Håll på en ruta, eller peka på dess namn, för att läsa dess regel.",
  keyRule: "visa rutans regel",
};
