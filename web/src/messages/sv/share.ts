/** Sharing the result of a game, in Swedish. */

import type { share as english } from "../en/share";
import type { Translated } from "../types";

export const share: Translated<typeof english> = {
  shareResult: "Dela ditt resultat",
  sharePicture: "Bilden som länken visar",
  shareLost: { one: "{n} poäng förlorad på beslut, tur {luck}", other: "{n} poäng förlorade på beslut, tur {luck}" },
  shareWon: "Vann",
  shareWonBy: { one: "Vann med {n} poäng", other: "Vann med {n} poäng" },
  shareTie: "Delade segern med {names}",
  shareBeaten: "Förlorade",
  shareBeatenBy: { one: "Förlorade med {n} poäng", other: "Förlorade med {n} poäng" },
  shareWonResigned: { one: "Vann: {names} gav upp", other: "Vann: {names} gav upp" },
  shareResigned: "Gav upp",
  shareCopy: "Kopiera texten",
};
