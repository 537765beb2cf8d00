/** The page's words in German, in the terms of a Kniffel block. */

import { advice } from "./de/advice";
import { dice } from "./de/dice";
import { frame } from "./de/frame";
import { games } from "./de/games";
import { lessons } from "./de/lessons";
import { refusals } from "./de/refusals";
import { review } from "./de/review";
import { setting } from "./de/setting";
import { spoken } from "./de/spoken";
import { table } from "./de/table";
import type { Catalogue } from "./types";

export const de: Catalogue = { ...frame, ...setting, ...table, ...refusals, ...advice, ...review, ...lessons, ...dice, ...games, ...spoken };
