/** The English messages. `{name}` is a placeholder; a message with `one` and `other` has its plural chosen by `{n}`. */

import { advice } from "./en/advice";
import { announcements } from "./en/announcements";
import { dice } from "./en/dice";
import { frame } from "./en/frame";
import { games } from "./en/games";
import { lessons } from "./en/lessons";
import { names } from "./en/names";
import { refusals } from "./en/refusals";
import { review } from "./en/review";
import { setup } from "./en/setup";
import { share } from "./en/share";
import { table } from "./en/table";

export const en = { ...frame, ...setup, ...share, ...table, ...names, ...refusals, ...advice, ...review, ...lessons, ...dice, ...games, ...announcements };
