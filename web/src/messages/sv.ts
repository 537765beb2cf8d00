/** The Swedish messages, in the terms of Yatzy. */

import { advice } from "./sv/advice";
import { announcements } from "./sv/announcements";
import { dice } from "./sv/dice";
import { frame } from "./sv/frame";
import { games } from "./sv/games";
import { lessons } from "./sv/lessons";
import { refusals } from "./sv/refusals";
import { review } from "./sv/review";
import { rules } from "./sv/rules";
import { setup } from "./sv/setup";
import { table } from "./sv/table";
import type { Catalogue } from "./types";

export const sv: Catalogue = { ...frame, ...rules, ...setup, ...table, ...refusals, ...advice, ...review, ...lessons, ...dice, ...games, ...announcements };
