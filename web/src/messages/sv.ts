/** The Swedish messages, in the terms of Yatzy. */

import { daily } from "./sv/daily";
import { frame } from "./sv/frame";
import { home } from "./sv/home";
import { people } from "./sv/people";
import { records } from "./sv/records";
import { review } from "./sv/review";
import { table } from "./sv/table";
import { shared } from "./shared/sv";
import type { Catalogue } from "./types";

export const sv: Catalogue = { ...daily, ...frame, ...home, ...people, ...records, ...review, ...table, ...shared };
