/** Statistics of dice, in Swedish. */

import type { dice as english } from "../en/dice";
import type { Translated } from "../types";

export const dice: Translated<typeof english> = {
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
};
