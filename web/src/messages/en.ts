/** The page's words in English. `{n}` counts; a message with `one` and `other` follows the language's plural rules. */

import { advice } from "./en/advice";
import { announcements } from "./en/announcements";
import { dice } from "./en/dice";
import { frame } from "./en/frame";
import { games } from "./en/games";
import { lessons } from "./en/lessons";
import { refusals } from "./en/refusals";
import { review } from "./en/review";
import { setup } from "./en/setup";
import { table } from "./en/table";

export const en = { ...frame, ...setup, ...table, ...refusals, ...advice, ...review, ...lessons, ...dice, ...games, ...announcements };
