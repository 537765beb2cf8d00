/** Sharing the result of a game. */

export const share = {
  shareResult: "Share your result",
  sharePicture: "The picture that the link shows",
  shareLost: { one: "{n} point lost in decisions, luck {luck}", other: "{n} points lost in decisions, luck {luck}" },
  shareCopy: "Copy text",
} as const;
