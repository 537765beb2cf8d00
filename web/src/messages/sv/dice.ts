/** Statistics of dice, and the verifier, in Swedish. */

import type { dice as english } from "../en/dice";
import type { Translated } from "../types";

export const dice: Translated<typeof english> = {
  // statistics
  diceFigures: "Är tärningarna rättvisa?",
  diceLead: "Den här sidan räknar alla tärningar som någonsin kastats på servern, även i avbrutna spel.",
  diceProof: "Statistik kan bara väcka misstankar. En kontroll bevisar om en tärning i ditt spel har ändrats:",
  diceFew: {
    one: "{n} tärning hittills: för få för att säga något.",
    other: "{n} tärningar hittills: för få för att säga något.",
  },
  diceUsual: "Inget ovanligt bland {dice} tärningar.",
  diceUnusual: "Ovanligt: {questions}",
  diceCaption: "Samma frågor ställs varje gång.",
  diceQuestion: "Fråga",
  diceSample: "Urval",
  diceWorth: "1 blir",
  diceDice: "tärningar",
  diceRolls: "kast",
  diceIsUsual: "inget ovanligt",
  diceIsUnusual: "ovanligt",
  diceFaces: "Kommer varje sida upp lika ofta?",
  dicePairs: "Kommer par och tretal så ofta som de ska?",
  diceSeats: "Kommer sidorna upp lika ofta på alla platser?",
  diceMine: "Kommer sidorna upp lika ofta för dig och de andra?",
  dicePeople: "Kommer sidorna upp lika ofta för människor och datorer?",
  diceKept: "Undviker eller gynnar omkastade tärningar de sidor som sparats?",
  diceFollows: "Beror en tärning på den som kastades precis före?",
  diceReplaces: "Beror en omkastad tärning på vad den visade förut?",
  diceMeaning:
    "Sista kolumnen visar vad en insats på 1 mot rättvisa tärningar, till rättvisa odds, skulle vara värd nu. En fråga kallas ovanlig från och med {threshold}. Om tärningarna är rättvisa är sannolikheten högst {alpha} att det någonsin händer någon fråga, hur ofta du än tittar.",
  dicePower:
    "Ett så sällsynt larm kräver många tärningar: kommer en sida upp en tiondel för ofta märks det efter ungefär 15 000 tärningar.",
  diceFacesOf: "{dice} tärningar med {faces} sidor; varje sida bör komma upp i {share} av fallen.",
  dicePercentsFrom: "Procent visas från {dice} tärningar: med färre gör redan slumpen dem ojämna.",
  diceFacesFew: "{dice} tärningar med {faces} sidor; varje sida bör komma upp lika ofta.",
  diceFace: "Sida",
  dicePeopleShort: "Människor",
  diceComputersShort: "Datorer",
  diceShare: "Andel",
  diceCounted:
    "En tärning räknas varje gång den kastas. Sparade tärningar räknas inte igen, och inget kastas om när en poäng ångras.",
  diceOfMine: "Tärningarna i mina spel",
  // the verifier
  verifyLead:
    "En hemlighet bestämmer spelets tärningar före första kastet. Den här sidan räknar med den fram varje tärning i ett protokoll på nytt, i din webbläsare och utan servern.",
  verifyInsecure: "Det kräver en säker adress (https eller localhost).",
  verifyNoRecord: "Det här är inte protokollet från ett spel: första raden i ett protokoll börjar med ”fivedice record”.",
  verifyGood: { one: "Tärningen stämmer med hemligheten.", other: "Alla {n} tärningar stämmer med hemligheten." },
  verifyMeans: "Ingen har ändrat en tärning efter första kastet, förutsatt att låsningen är den som du fick se före det.",
  verifyBad: { one: "{n} avvikelse hittades", other: "{n} avvikelser hittades" },
  commitment: "Låsning",
  nonces: "Bidrag",
  chooseFile: "Välj en fil",
};
