/** Figures of dice, and their check, in Swedish. */

import type { dice as english } from "../en/dice";
import type { Translated } from "../types";

export const dice: Translated<typeof english> = {
  // figures of dice
  diceFigures: "Är tärningarna ärliga?",
  diceLead: "Här är varje tärning räknad som någonsin kastats på den här servern, vem som än kastade den och hur spelet än slutade.",
  diceProof: "Siffror kan bara väcka misstankar. Om en tärning i ditt eget spel ändrades går att bevisa:",
  diceFew: { one: "{n} tärning hittills: för få för att säga något.", other: "{n} tärningar hittills: för få för att säga något." },
  diceUsual: "Inget ovanligt i {dice} tärningar.",
  diceUnusual: "Ovanligt: {questions}",
  diceCaption: "Samma frågor ställs varje gång, vad tärningarna än visar.",
  diceQuestion: "Fråga",
  diceSample: "Urval",
  diceChance: "Hur ofta",
  diceDice: "tärningar",
  diceRolls: "kast",
  diceIsUsual: "inget ovanligt",
  diceIsUnusual: "ovanligt",
  diceFaces: "Kommer varje sida upp lika ofta?",
  dicePairs: "Kommer par och tretal så ofta som de ska?",
  diceSeats: "Kastar alla platser samma sidor?",
  diceMine: "Kastar du och de andra samma sidor?",
  dicePeople: "Kastar människor och datorer samma sidor?",
  diceKept: "Undviker eller söker omkastade tärningar de sidor som sparats?",
  diceFollows: "Beror en tärning på den som kastades precis före?",
  diceReplaces: "Beror en omkastad tärning på vad den visade förut?",
  diceMeaning:
    "Till höger står hur ofta ärliga tärningar är minst så ojämna. Av någon av frågorna kallas ärliga tärningar ovanliga i färre än {alpha} av sådana samlingar: ju mer som frågas, desto strängare bedöms varje svar (Holms korrigering). Gränsen ändras aldrig.",
  diceAgain: "Den som tittar varje dag i åratal får någon gång se ett falskt larm: det som räknas är om det står kvar när fler tärningar kommer till.",
  diceFacesOf: "{dice} tärningar med {faces} sidor; varje sida väntas i {share}.",
  diceFace: "Sida",
  dicePeopleShort: "Människor",
  diceComputersShort: "Datorer",
  diceShare: "Andel",
  diceCounted:
    "En tärning räknas när den kastas; sparade räknas inte igen, och en poäng som tas tillbaka kastar inget på nytt.",
  diceOfMine: "Tärningarna i mina spel",
  // checking dice
  verifyLead:
    "En hemlighet bestämmer spelets tärningar före första kastet. Den här sidan gör varje tärning i ett protokoll på nytt ur den, i din webbläsare och utan att fråga servern.",
  verifyInsecure: "Det kräver en säker adress (https eller localhost).",
  verifyGood: {
    one: "{n} tärning kontrollerad: den är vad hemligheten ger.",
    other: "Alla {n} tärningar är vad hemligheten ger.",
  },
  verifyMeans: "Alltså kunde ingen ändra en tärning efter första kastet, om låsningen är den som du fick se före det.",
  verifyBad: { one: "{n} sak stämmer inte", other: "{n} saker stämmer inte" },
  commitment: "Låsning",
  nonces: "Bidrag",
  chooseFile: "Välj en fil",
};
