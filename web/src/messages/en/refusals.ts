/** Refused commands and names, and errors. */

export const refusals = {
  // at a table
  movedOn: "The table has changed. Look again.",
  refusedNotBegun: "The game has not begun yet.",
  refusedEnded: "This game has ended.",
  refusedNotYourTurn: "It is not your turn.",
  refusedStoodIn: "A computer is playing for this seat. Come back first.",
  refusedRollFirst: "Roll the dice first.",
  refusedBoxFilled: "This box is already filled.",
  refusedBoxClosed: "You cannot score these dice in this box.",
  refusedNothingToUndo: "Nothing to undo. A score is final after the next roll in a person's turn, even if a computer plays that turn.",
  refusedUndoEnded: "The game is over: its scores are final.",
  refusedNameTaken: "Somebody at this table has this name. Choose another one.",
  refusedStillActs: { one: "This player still has {n} second.", other: "This player still has {n} seconds." },
  refusedOthersPlay: "The others are still playing. Let a computer play for you instead.",
  refusedNotYours: "This seat is not yours.",
  retryTooFast: "That was too fast. It will be sent again in a moment.",
  retryUnavailable: "The server cannot save right now. It will be sent again in a moment.",
  // anywhere
  unreachable: "The server cannot be reached. Try again in a moment.",
  unavailable: "The server cannot answer right now. Try again in a moment.",
  tooFast: { one: "Too many requests: try again in {n} second.", other: "Too many requests: try again in {n} seconds." },
  tooFastMinutes: { one: "Too many requests: try again in {n} minute.", other: "Too many requests: try again in {n} minutes." },
  tooFastHours: { one: "Too many requests: try again in {n} hour.", other: "Too many requests: try again in {n} hours." },
  withheld: "You are playing a game that gives no advice beforehand. Until it is over, given up or has rested for a while, this server gives you none anywhere else.",
  withheldBy: "To that game",
  tooLarge: "This text is too long.",
  serverError: "Something went wrong on the server. The error is in its log.",
  noTable: "There is no such table.",
  noSeat: "This link is not valid for any seat at this table.",
  failed: "That did not work:",
  // of names
  nameEmpty: "Type a name that people can see.",
  nameLong: "This name is too long: {n} characters, and 40 fit.",
  nameForbidden: "This name has invisible control characters. Type it again without them.",
  nameMarks: "This name has too many marks on one character.",
} as const;
