/** The kinds of help at a table: the name of each, and the sentence that says what everybody is shown. */

import type { Key } from "../messages/types";
import type { Help } from "./api";

export const HELP: readonly { readonly kind: Help; readonly name: Key; readonly says: Key }[] = [
  { kind: "none", name: "helpNone", says: "helpNoneSays" },
  { kind: "tutor", name: "helpTutor", says: "helpTutorSays" },
  { kind: "after", name: "helpAfter", says: "helpAfterSays" },
  { kind: "always", name: "helpAlways", says: "helpAlwaysSays" },
];

export function helpName(help: Help): Key {
  return HELP.find(({ kind }) => kind === help)?.name ?? "helpNone";
}

export function helpSays(help: Help): Key {
  return HELP.find(({ kind }) => kind === help)?.says ?? "helpNoneSays";
}
