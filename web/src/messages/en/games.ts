/** My games, and positions. */

export const games = {
  // a position
  positionTitle: "Position",
  positionField: "A position in one line",
  positionHint: "The rules, the card (- is an empty one), the dice and the rolls left, as in",
  show: "Show",
  actions: "Every action",
  actionsHint: "Choose an action to see why the best one is better.",
  positionOver: "This game is over: there is nothing to decide.",
  sources: "Where the difference comes from",
  sourceUpper: "Upper bonus",
  sourceExtra: "Extra Yahtzees’ bonus",
  source: "Source",
  // my games
  gamesLead: "The games of this browser. There is no account: take them with you as one file.",
  noGames: "No game yet.",
  export: "Export everything",
  import: "Import a file",
  imported: { one: "{n} game taken in.", other: "{n} games taken in." },
  figures: "Long-run figures",
  exported: "The file has all games and seats of this browser. Whoever has it holds your seats.",
  figuresComputing: "Figures are being computed …",
  meanScore: "Mean score",
  errorRate: "Error rate",
  errorRateHint: "Error rate: points lost for each unforced decision.",
  gamesCount: { one: "{n} game", other: "{n} games" },
  stateOpen: "seats free",
  statePlaying: "running",
  stateOver: "over",
  stateClosed: "ended early",
} as const;
