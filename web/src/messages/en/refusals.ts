/** What a table does not allow, and what else may go wrong. */

export const refusals = {
  // at a table
  movedOn: "The table moved on meanwhile: look again.",
  refusedNotBegun: "The game has not begun yet.",
  refusedEnded: "This game has ended.",
  refusedNotYourTurn: "It is not your turn.",
  refusedStoodIn: "A computer plays for this seat: come back first.",
  refusedRollFirst: "Roll the dice first.",
  refusedBoxFilled: "This box is filled.",
  refusedBoxClosed: "This box is closed to these dice.",
  refusedNothingToUndo: "There is nothing to take back: a score stands once dice are rolled after it.",
  refusedNameTaken: "Somebody of this name sits here already: take another one.",
  refusedStillActs: { one: "This player still has {n} second.", other: "This player still has {n} seconds." },
  refusedOthersPlay: "The others are still playing: let a computer play for you instead.",
  refusedNotYours: "This seat is somebody else’s.",
  heldTooFast: "That was too fast: it is sent again in a moment.",
  heldUnavailable: "The server cannot write now: it is sent again in a moment.",
  // anywhere
  unreachable: "The server cannot be reached. Try again in a moment.",
  unavailable: "The server cannot answer now. Try again in a moment.",
  tooFast: { one: "Too many requests: try again in {n} second.", other: "Too many requests: try again in {n} seconds." },
  tooLarge: "This is too long for the server.",
  serverMistake: "The server made a mistake. It is in its log.",
  noTable: "There is no such table.",
  noSeat: "This link is good for no seat of this table.",
  failed: "That did not work:",
} as const;
