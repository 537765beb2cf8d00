/** Figures of dice, and their check. */

export const dice = {
  // figures of dice
  diceFigures: "Are the dice fair?",
  diceLead: "Every die that this server ever rolled is counted here, whoever rolled it and however the game ended.",
  diceProof: "Figures can only raise suspicion. Whether a die of your own game was changed can be proved:",
  diceFew: { one: "{n} die so far: too few to say anything.", other: "{n} dice so far: too few to say anything." },
  diceUsual: "Nothing unusual in {dice} dice.",
  diceUnusual: "Unusual: {questions}",
  diceCaption: "The same questions are asked every time, whatever the dice show.",
  diceQuestion: "Question",
  diceSample: "Sample",
  diceChance: "How often",
  diceDice: "dice",
  diceRolls: "rolls",
  diceIsUsual: "nothing unusual",
  diceIsUnusual: "unusual",
  diceFaces: "Does every face come up equally often?",
  dicePairs: "Do pairs and triples come up as often as they should?",
  diceSeats: "Does every seat roll the same faces?",
  diceMine: "Do you and the others roll the same faces?",
  dicePeople: "Do people and computer players roll the same faces?",
  diceKept: "Do rerolled dice avoid or seek the faces that were kept?",
  diceFollows: "Does a die depend on the one rolled just before it?",
  diceReplaces: "Does a rerolled die depend on what it showed before?",
  diceMeaning:
    "How often fair dice look at least as uneven stands on the right. Fair dice are called unusual by any of the questions in fewer than {alpha} of such collections: the more is asked, the stricter each answer is judged (Holm’s correction). This limit never changes.",
  diceAgain: "Whoever looks every day for years will see a false alarm some day: what matters is whether it stays as dice are added.",
  diceFacesOf: "{dice} dice with {faces} faces; each face is expected in {share}.",
  diceFace: "Face",
  dicePeopleShort: "People",
  diceComputersShort: "Computers",
  diceShare: "Share",
  diceCounted:
    "A die counts when it is rolled; dice that are kept do not count again, and a score that is taken back rolls nothing anew.",
  diceOfMine: "The dice of my games",
  // checking dice
  verifyLead:
    "The dice of a game are fixed before its first roll by a secret. This page makes every die of a record again from that secret, in your browser, without asking the server.",
  verifyInsecure: "This needs a secure address (https or localhost).",
  verifyGood: { one: "{n} die checked: it is what the secret makes it.", other: "All {n} dice are what the secret makes them." },
  verifyMeans: "So nobody could change a die after the first roll, if the commitment is the one that you were shown before it.",
  verifyBad: { one: "{n} thing does not agree", other: "{n} things do not agree" },
  commitment: "Commitment",
  nonces: "Nonces",
  chooseFile: "Choose a file",
} as const;
