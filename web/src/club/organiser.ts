/** The secret of the organiser's link to a club, which this browser keeps. */

import { load, store } from "../lib/storage";

const MARK = "#organise=";

/** The secret for a club; empty if this browser does not organise it. */
export function organiserKey(club: string): string {
  return load("local", name(club)) ?? "";
}

/** The secret in the address of an organiser's link; empty in any other. */
export function keyIn(hash: string): string {
  return hash.startsWith(MARK) ? hash.slice(MARK.length) : "";
}

export function keepKey(club: string, key: string): void {
  store("local", name(club), key);
}

/** The organiser's link. */
export function organiserLink(club: string, key: string): string {
  return `${location.origin}/club/${club}${MARK}${key}`;
}

function name(club: string): string {
  return `fivedice club ${club}`;
}
