/** The secret of the organiser's link to a club, which this browser keeps. */

import { replace } from "../lib/route.svelte";
import { load, store } from "../lib/storage";

const MARK = "#organise=";

/** The secret for a club, from the address or kept before; empty if this browser does not organise it. */
export function organiserKey(club: string, hash = ""): string {
  if (!hash.startsWith(MARK)) return load("local", name(club)) ?? "";
  const key = hash.slice(MARK.length);
  keepKey(club, key);
  replace(`/club/${club}`); // so that the address can be shown and sent
  return key;
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
