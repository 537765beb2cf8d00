/** The German messages, in the terms of Kniffel. */

import { advice } from "./de/advice";
import { announcements } from "./de/announcements";
import { dice } from "./de/dice";
import { frame } from "./de/frame";
import { games } from "./de/games";
import { home } from "./de/home";
import { lessons } from "./de/lessons";
import { names } from "./de/names";
import { position } from "./de/position";
import { refusals } from "./de/refusals";
import { review } from "./de/review";
import { rules } from "./de/rules";
import { setup } from "./de/setup";
import { share } from "./de/share";
import { table } from "./de/table";
import { verify } from "./de/verify";
import { shared } from "./shared";
import type { Catalogue } from "./types";

export const de: Catalogue = {
  ...advice,
  ...announcements,
  ...dice,
  ...frame,
  ...games,
  ...home,
  ...lessons,
  ...names,
  ...position,
  ...refusals,
  ...review,
  ...rules,
  ...setup,
  ...share,
  ...table,
  ...verify,
  ...shared.de,
};
