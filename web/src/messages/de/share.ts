/** Sharing the result of a game, in German. */

import type { share as english } from "../en/share";
import type { Translated } from "../types";

export const share: Translated<typeof english> = {
  shareResult: "Teile dein Ergebnis",
  sharePicture: "Das Bild, das der Link zeigt",
  shareLost: { one: "{n} Punkt durch Entscheidungen verloren, Glück {luck}", other: "{n} Punkte durch Entscheidungen verloren, Glück {luck}" },
  shareWon: "Gewonnen",
  shareWonBy: { one: "Mit {n} Punkt Vorsprung gewonnen", other: "Mit {n} Punkten Vorsprung gewonnen" },
  shareTie: "Den Sieg geteilt mit {names}",
  shareBeaten: "Verloren",
  shareBeatenBy: { one: "Mit {n} Punkt Rückstand verloren", other: "Mit {n} Punkten Rückstand verloren" },
  shareWonResigned: { one: "Gewonnen: {names} hat aufgegeben", other: "Gewonnen: {names} haben aufgegeben" },
  shareResigned: "Aufgegeben",
  shareCopy: "Text kopieren",
};
