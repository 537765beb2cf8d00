/** The verifier of records, in Swedish. */

import type { verify as english } from "../en/verify";
import type { Translated } from "../types";

export const verify: Translated<typeof english> = {
  verifyLead:
    "En hemlighet bestämmer spelets tärningar före första kastet. Med den räknar din webbläsare fram varje tärning i ett protokoll på nytt, utan servern. Sedan räknar servern om poängen enligt reglerna; den sparar inte protokollet.",
  verifyInsecure: "Det kräver en säker adress (https eller localhost).",
  verifyNoRecord:
    "Det här är inte protokollet från ett spel: första raden i ett protokoll börjar med ”fivedice record”.",
  verifyGood: {
    one: "Tärningen stämmer med hemligheten, och poängen följer av den.",
    other: "Alla {n} tärningar stämmer med hemligheten, och poängen följer av dem.",
  },
  verifyDiceGood: {
    one: "Tärningen stämmer med hemligheten. Poängen är inte kontrollerade.",
    other: "Alla {n} tärningar stämmer med hemligheten. Poängen är inte kontrollerade.",
  },
  verifyBad: { one: "{n} avvikelse hittades", other: "{n} avvikelser hittades" },
  verifyMeans:
    "Ingen har ändrat en tärning efter första kastet, förutsatt att låsningen är den som du fick se före det.",
  verifyForm: "Rad {line} har inte formen av ett protokoll. Så här ska den se ut:",
  verifyNoProof: "Protokollet har inget bevis, så tärningarna kan inte kontrolleras.",
  verifyNoSecret:
    "Bordets hemlighet är inte avslöjad än. Det blir den när spelet är slut eller bordet stängs, senast 30 dagar efter den sista handlingen där.",
  verifyDice: "Tärningar",
  checkDiceGood: { one: "tärningen stämmer med hemligheten", other: "alla {n} stämmer med hemligheten" },
  checkAbove: "se ovan",
  checkPoints: "Poäng och resultat",
  checkPointsGood: "följer av omgångarna enligt reglerna",
  checkPointsWrong: "rad {line} följer inte av reglerna",
  checkPointsText: "kan inte räknas om",
  checkPointsDice: "inte kontrollerade, eftersom rad {line} inte stämmer med hemligheten",
  checkPointsRules: "inte kontrollerade, på grund av reglerna",
  checkPointsWait: "servern räknar om dem …",
  checkPointsFailed: "inte kontrollerade: {why}",
  checkRules: "Regler",
  checkRulesWrong: "rad {line} stämmer inte med de här reglerna",
  checkBegan: "Vem som började",
  checkBeganRolled: "tärningarna avgjorde, och de stämmer med hemligheten",
  checkBeganChosen: "bestämt, inte kastat",
  checkBeganUnknown: "inte bevisat: protokollet säger inte hur det avgjordes",
  checkUndone: "Ångrade omgångar",
  checkUndoneNone: "inga, enligt protokollet; tärningarna visar det inte",
  checkUndoneSome: {
    one: "{n}, enligt protokollet; tärningarna visar det inte",
    other: "{n}, enligt protokollet; tärningarna visar det inte",
  },
  checkUndoneComputers: {
    one: "Före en av dem hade datorspelare kastat. Deras tärningar kom upp igen, så de var kända.",
    other: "Före {n} av dem hade datorspelare kastat. Deras tärningar kom upp igen, så de var kända.",
  },
  checkUndoneForeseen: {
    one: "Före en av dem hade en människa kastat. De tärningarna kom upp igen, så de var kända i förväg.",
    other: "Före {n} av dem hade en människa kastat. De tärningarna kom upp igen, så de var kända i förväg.",
  },
  checkNames: "Namn",
  checkDate: "Datum",
  checkHelp: "inte bevisat, men enligt protokollet: {help}",
  checkNotProved: "inte bevisat",
  verifyOffline:
    "Det här spelet spelades offline, och spelarens webbläsare valde hemligheten: tärningarna är inte bevisade.",
  problemRoll1: "Omgång {turn}, första kastet: {what}",
  problemRoll2: "Omgång {turn}, andra kastet: {what}",
  problemRoll3: "Omgång {turn}, tredje kastet: {what}",
  problemRoll: "Omgång {turn}, kast {roll}: {what}",
  problemDie: "protokollet säger {shown}, hemligheten ger {made}",
  problemKeep: "protokollet sparar {shown}, men enligt hemligheten sparades {made}",
  problemKeepUnclear: "den ena raden sparar {shown}, den andra {made}",
  problemSize: "den ena raden har tärningarna {shown}, den andra {made}",
  problemRolls: "Omgång {turn}: den ena raden har {shown} kast, den andra {made}",
  problemTurns: "Protokollet har {shown} omgångar, beviset {made}. Här börjar de skilja sig:",
  problemCommitment: "Det är inte den låsta hemligheten. Dess SHA-256 är {made}.",
  problemOpening: "I protokollet börjar plats {shown}, men enligt hemlighetens tärningar plats {made} (räknat från 0).",
  problemLine: "Rad {line}",
  problemSupported: "Rad {line} säger vad hemligheten ger",
  commitment: "Låsning",
  nonces: "Bidrag",
  chooseFile: "Välj en fil",
};
