/** Finding an opponent, in Swedish. */

import type { lobby as english } from "../en/lobby";
import type { Translated } from "../types";

export const lobby: Translated<typeof english> = {
  findOpponent: "Hitta en motståndare",
  quickMatch: "Snabbt spel",
  nearMine: "Bara någon på ungefär min nivå ({name})",
  waitingOpponent: "Du väntar på en motståndare.",
  waitingHere: "Håll sidan öppen: den som lämnar den slutar vänta.",
  waitingRelaxed: "Du behöver inte stanna kvar: spelet dyker upp bland dina spel.",
  stopWaiting: "Sluta vänta",
  openSeats: "Lediga platser",
  playsAs: "spelar som {name}",
  playNamed: "Spela mot {name}",
  nobodyWaits: "Ingen annan väntar just nu.",
  playDailyMeanwhile: "Spela dagens spel, med samma kast som alla andra",
  gamesToWatch: "Spel att titta på",
  opponentFound: "Ett spel börjar: {names}",
  seatGone: "Platsen är inte längre ledig.",
  recentOpponents: "Senaste motståndare",
  inviteAgain: "Bjud in igen",
  inviteNamed: "Bjud in {name} igen",
  block: "Blockera",
  blockNamed: "Blockera {name}",
  blockedPeople: "Blockerade",
  blockedAbout: "Du ser inte deras lediga platser, de ser inte dina, och ingen av er kan bjuda in den andra igen. De får inte veta det.",
  unblock: "Sluta blockera",
  unblockNamed: "Sluta blockera {name}",
  refusedNoRematch: "Det blir ingen revansch med den här spelaren just nu.",
};
