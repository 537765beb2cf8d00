/** My games, and positions. */

export const games = {
  // a position
  positionTitle: "Position",
  positionField: "Position in notation",
  positionHint: "Rules, card (- for an empty one), dice and rolls left. Example:",
  show: "Show",
  actions: "All actions",
  actionsHint: "Choose an action to see why the best one is better.",
  positionOver: "This game is over.",
  sources: "Where the difference comes from",
  sourceUpper: "Upper bonus",
  sourceExtra: "Extra Yahtzee bonus",
  source: "Source",
  // my games
  gamesLead: "The games you played in this browser. There is no account: export them to keep a copy or to move them.",
  noGames: "No games yet.",
  export: "Export everything",
  import: "Import a file",
  imported: { one: "{n} game imported.", other: "{n} games imported." },
  figures: "Statistics",
  exported: "The file has all games and seats of this browser. Anyone who has it can play for you.",
  figuresComputing: "Computing statistics …",
  meanScore: "Average score",
  errorRate: "Error rate",
  errorRateHint: "Error rate: points lost per decision with a choice.",
  gamesCount: { one: "{n} game", other: "{n} games" },
  stateOpen: "waiting for players",
  statePlaying: "in progress",
  stateOver: "finished",
  stateClosed: "closed early",
} as const;
