/** Finding an opponent, in German. */

import type { lobby as english } from "../en/lobby";
import type { Translated } from "../types";

export const lobby: Translated<typeof english> = {
  findOpponent: "Gegner finden",
  quickMatch: "Schnell ein Spiel",
  nearMine: "Nur jemand von ungefähr meiner Stärke ({name})",
  waitingOpponent: "Du wartest auf einen Gegner.",
  waitingHere: "Lass diese Seite offen: Wer sie verlässt, wartet nicht mehr.",
  waitingRelaxed: "Du musst nicht hierbleiben: Das Spiel erscheint unter deinen Spielen.",
  stopWaiting: "Nicht mehr warten",
  openSeats: "Freie Plätze",
  playsAs: "spielt wie {name}",
  playNamed: "Gegen {name} spielen",
  nobodyWaits: "Gerade wartet sonst niemand.",
  playDailyMeanwhile: "Spiel die heutige Partie, mit denselben Würfen wie alle",
  gamesToWatch: "Spiele zum Zuschauen",
  opponentFound: "Ein Spiel beginnt: {names}",
  seatGone: "Dieser Platz ist nicht mehr frei.",
  recentOpponents: "Letzte Gegner",
  inviteAgain: "Wieder einladen",
  inviteNamed: "{name} wieder einladen",
  block: "Blockieren",
  blockNamed: "{name} blockieren",
  blockedPeople: "Blockiert",
  blockedAbout: "Du siehst ihre freien Plätze nicht, sie sehen deine nicht, und keiner kann den anderen wieder einladen. Sie erfahren nichts davon.",
  unblock: "Nicht mehr blockieren",
  unblockNamed: "{name} nicht mehr blockieren",
  refusedNoRematch: "Mit diesem Spieler gibt es gerade keine Revanche.",
};
