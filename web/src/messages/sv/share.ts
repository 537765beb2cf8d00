/** Sharing the result of a game, in Swedish. */

import type { share as english } from "../en/share";
import type { Translated } from "../types";

export const share: Translated<typeof english> = {
  shareResult: "Dela ditt resultat",
  sharePicture: "Bilden som länken visar",
  shareLost: { one: "{n} poäng förlorad på beslut, tur {luck}", other: "{n} poäng förlorade på beslut, tur {luck}" },
  shareCopy: "Kopiera texten",
};
