/** Names that are refused, in Swedish. */

import type { names as english } from "../en/names";
import type { Translated } from "../types";

export const names: Translated<typeof english> = {
  nameEmpty: "Skriv ett namn som går att se.",
  nameLong: "Namnet är för långt: {n} tecken, och 40 får plats.",
  nameForbidden: "Namnet innehåller osynliga styrtecken. Skriv det igen utan dem.",
  nameMarks: "Det här namnet har för många tecken över eller under en bokstav.",
};
