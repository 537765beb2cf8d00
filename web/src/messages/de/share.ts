/** Sharing the result of a game, in German. */

import type { share as english } from "../en/share";
import type { Translated } from "../types";

export const share: Translated<typeof english> = {
  shareResult: "Teile dein Ergebnis",
  sharePicture: "Das Bild, das der Link zeigt",
  shareLost: { one: "{n} Punkt durch Entscheidungen verloren, Glück {luck}", other: "{n} Punkte durch Entscheidungen verloren, Glück {luck}" },
  shareCopy: "Text kopieren",
};
