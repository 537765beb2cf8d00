/** The English messages. `{name}` is a placeholder; a message with `one` and `other` has its plural chosen by `{n}`. */

import { daily } from "./en/daily";
import { frame } from "./en/frame";
import { home } from "./en/home";
import { people } from "./en/people";
import { records } from "./en/records";
import { review } from "./en/review";
import { table } from "./en/table";
import { shared } from "./shared/en";

export const en = { ...daily, ...frame, ...home, ...people, ...records, ...review, ...table, ...shared };
