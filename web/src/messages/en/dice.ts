/** Statistics of dice, and the verifier. */

export const dice = {
  // statistics
  diceFigures: "Are the dice fair?",
  diceLead: "This page counts every die ever rolled on this server, in finished and unfinished games alike.",
  diceProof: "Statistics can only raise suspicion. A check proves whether a die in your own game was changed:",
  diceFew: { one: "{n} die so far: too few to tell.", other: "{n} dice so far: too few to tell." },
  diceUsual: "Nothing unusual in {dice} dice.",
  diceUnusual: "Unusual: {questions}",
  diceCaption: "The same questions are asked every time.",
  diceQuestion: "Question",
  diceSample: "Sample",
  diceChance: "By chance",
  diceDice: "dice",
  diceRolls: "rolls",
  diceIsUsual: "nothing unusual",
  diceIsUnusual: "unusual",
  diceFaces: "Does every face come up equally often?",
  dicePairs: "Do pairs and triples come up as often as they should?",
  diceSeats: "Do all seats roll each face equally often?",
  diceMine: "Do you and the others roll each face equally often?",
  dicePeople: "Do people and computers roll each face equally often?",
  diceKept: "Do rerolled dice avoid or favour the faces that were kept?",
  diceFollows: "Does a die depend on the one rolled just before it?",
  diceReplaces: "Does a rerolled die depend on the face that it showed before?",
  diceMeaning:
    "The last column says how often fair dice look at least this uneven. If the dice are fair, the probability that any question is marked unusual is below {alpha} (Holm’s correction). This limit never changes.",
  diceAgain:
    "If you look every day for years, you will see a false alarm. What matters is whether it stays as more dice are rolled.",
  diceFacesOf: "{dice} dice with {faces} faces; each face should come up {share} of the time.",
  diceFace: "Face",
  dicePeopleShort: "People",
  diceComputersShort: "Computers",
  diceShare: "Share",
  diceCounted: "A die counts each time it is rolled. Kept dice do not count again, and undoing a score rolls no dice.",
  diceOfMine: "The dice of my games",
  // the verifier
  verifyLead:
    "A secret fixes the dice of a game before its first roll. This page uses it to compute every die in a record again, in your browser and without the server.",
  verifyInsecure: "This needs a secure address (https or localhost).",
  verifyGood: { one: "The die matches the secret.", other: "All {n} dice match the secret." },
  verifyMeans: "Nobody changed a die after the first roll, provided that this commitment is the one you were shown before it.",
  verifyBad: { one: "{n} difference found", other: "{n} differences found" },
  commitment: "Commitment",
  nonces: "Nonces",
  chooseFile: "Choose a file",
} as const;
