/** My games, and reasons. */

export const games = {
  // reasons
  sources: "Where the difference comes from",
  source: "Source",
  // my games
  gamesLead: "The games you played in this browser. There is no account: export them to keep a copy or to move them.",
  noGames: "No games yet. Those that you play in this browser are listed here.",
  playGame: "Play a game",
  export: "Export everything",
  import: "Import a file",
  imported: { one: "{n} game imported.", other: "{n} games imported." },
  importedGame: "imported",
  importedQuestion: "Which of these players were you?",
  importedOf: { one: "{n} imported game of {names}", other: "{n} imported games of {names}" },
  importedNone: "None of them",
  importedWhy: "Only games that you played count in your figures and lessons.",
  importedAnswers: "Who you are in imported games",
  importDamaged: "This file is neither an export of fivedice nor the record of a game, or it has an error. Nothing was imported.",
  figures: "Statistics",
  exported: "The file has all games and seats of this browser. Anyone who has it can play for you.",
  figuresComputing: "Computing statistics …",
  meanScore: "Average score",
  errorRateHint: "Error rate: points lost per decision with a choice.",
  gamesCount: { one: "{n} game", other: "{n} games" },
  moreGames: "Show more games",
  unreadableGames: { one: "{n} game is not listed, because the server cannot read it.", other: "{n} games are not listed, because the server cannot read them." },
  stateOpen: "waiting for players",
  statePlaying: "in progress",
  stateOver: "finished",
  stateClosed: "closed early",
} as const;
