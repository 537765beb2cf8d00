/** The German messages, in the terms of Kniffel. */

import { daily } from "./de/daily";
import { frame } from "./de/frame";
import { home } from "./de/home";
import { people } from "./de/people";
import { records } from "./de/records";
import { review } from "./de/review";
import { table } from "./de/table";
import { shared } from "./shared/de";
import type { Catalogue } from "./types";

export const de: Catalogue = { ...daily, ...frame, ...home, ...people, ...records, ...review, ...table, ...shared };
