/** Sharing the result of a game. */

export const share = {
  shareResult: "Share your result",
  sharePicture: "The picture that the link shows",
  shareLost: { one: "{n} point lost in decisions, luck {luck}", other: "{n} points lost in decisions, luck {luck}" },
  shareWon: "Won",
  shareWonBy: { one: "Won by {n} point", other: "Won by {n} points" },
  shareTie: "Shared the win with {names}",
  shareBeaten: "Lost",
  shareBeatenBy: { one: "Lost by {n} point", other: "Lost by {n} points" },
  shareWonResigned: { one: "Won: {names} resigned", other: "Won: {names} resigned" },
  shareResigned: "Resigned",
  shareCopy: "Copy text",
} as const;
