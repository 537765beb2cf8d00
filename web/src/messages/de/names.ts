/** Names that are refused, in German. */

import type { names as english } from "../en/names";
import type { Translated } from "../types";

export const names: Translated<typeof english> = {
  nameEmpty: "Gib einen Namen ein, den man sehen kann.",
  nameLong: "Dieser Name ist zu lang: {n} Zeichen, 40 passen.",
  nameForbidden: "Dieser Name enthält unsichtbare Steuerzeichen. Gib ihn ohne sie noch einmal ein.",
  nameMarks: "Dieser Name hat zu viele Zeichen über oder unter einem Buchstaben.",
};
