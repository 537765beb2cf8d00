/** The five places of the site, and the pages in each: every page belongs to one. */

import { IS_STATIC } from "../lib/site";
import type { Key } from "../messages/types";

interface Place {
  name: Key;
  /** A path of a drawing of 24 × 24. */
  icon: string;
  /** The first page is that of the place; a row of links has all of them. */
  pages: readonly (readonly [path: string, name: Key])[];
  /** The paths of its other pages. */
  others: RegExp;
}

const ALL: readonly Place[] = [
  {
    name: "play",
    icon: "M8 4h8a4 4 0 0 1 4 4v8a4 4 0 0 1-4 4H8a4 4 0 0 1-4-4V8a4 4 0 0 1 4-4zM9 9h.01M15 9h.01M12 12h.01M9 15h.01M15 15h.01",
    pages: [["/", "play"]],
    others: /^\/(t|lobby|same)\b/,
  },
  {
    name: "today",
    icon: "M7 5h10a3 3 0 0 1 3 3v9a3 3 0 0 1-3 3H7a3 3 0 0 1-3-3V8a3 3 0 0 1 3-3zM4 10h16M9 3v4M15 3v4",
    pages: [["/daily", "tryTen"]],
    others: /^\/d(aily)?\//,
  },
  {
    name: "learnShort",
    icon: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9c.6.5.9 1 .9 1.6h5.2c0-.6.3-1.1.9-1.6A6 6 0 0 0 12 3z",
    pages: [["/learn", "learn"], ["/position", "positionTitle"], ["/rules", "rules"]],
    others: /^\/(position|rules)\//,
  },
  {
    name: "clubs",
    icon: "M8 4h8v6a4 4 0 0 1-8 0zM8 6H5a3 3 0 0 0 3 4M16 6h3a3 3 0 0 1-3 4M12 14v4M9 20h6",
    pages: [["/club", "clubs"]],
    others: /^\/(club|tournament)\//,
  },
  {
    name: "me",
    icon: "M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4.5 20c.8-4 3.6-6 7.5-6s6.7 2 7.5 6",
    pages: [["/me", "progress"], ["/games", "myGames"], ["/account", "account"]],
    others: /^\/(dice|verify)$/,
  },
];

/** Without a server there are no pages of what only a server knows. */
const ONLY_SERVED: readonly string[] = ["/daily", "/club", "/me", "/account", "/learn"];

export const PLACES = ALL.map((place) => ({ ...place, pages: place.pages.filter(([path]) => !IS_STATIC || !ONLY_SERVED.includes(path)) })).filter(
  ({ pages }) => pages.length,
);

/** The place that a path belongs to. */
export function here(path: string): Place | undefined {
  return PLACES.find(({ pages, others }) => pages.some(([own]) => own === path) || others.test(path));
}
