/** The page of a position. */

export const position = {
  positionTitle: "Position",
  positionField: "Position in notation",
  positionHint: "Rules, card (- for an empty one), dice and rolls left. Example:",
  show: "Show",
  actions: "All actions",
  actionsHint: "Choose an action to see why the best one is better.",
  positionOver: "This game is over.",
  positionLead: "Set any dice and any card, and see what is best.",
  setFace: "Set die {place} to {face}",
  otherDice: "Other dice",
  rollsLeftTitle: "Rolls left",
  beforeRoll: "before the first roll",
  pointsIn: "Points in {box}",
  pointsNow: { one: "{n} point now", other: "{n} points now" },
  emptyCard: "Empty the card",
  otherCards: {
    one: "The card of {n} other player is left out here: it does not change what is best.",
    other: "The cards of {n} other players are left out here: they do not change what is best.",
  },
  positionWorth: "Without a mistake from here on, the card ends at {value} points on average.",
  positionAsText: "As a line of text",
} as const;
