/** The German messages, in the terms of Kniffel. */

import { account } from "./de/account";
import { advice } from "./de/advice";
import { club } from "./de/club";
import { daily } from "./de/daily";
import { dice } from "./de/dice";
import { frame } from "./de/frame";
import { games } from "./de/games";
import { home } from "./de/home";
import { lessons } from "./de/lessons";
import { lobby } from "./de/lobby";
import { me } from "./de/me";
import { position } from "./de/position";
import { refusals } from "./de/refusals";
import { review } from "./de/review";
import { rules } from "./de/rules";
import { same } from "./de/same";
import { setup } from "./de/setup";
import { table } from "./de/table";
import { verify } from "./de/verify";
import { shared } from "./shared/de";
import type { Catalogue } from "./types";

export const de: Catalogue = {
  ...account,
  ...advice,
  ...club,
  ...daily,
  ...dice,
  ...frame,
  ...games,
  ...home,
  ...lessons,
  ...lobby,
  ...me,
  ...position,
  ...refusals,
  ...review,
  ...rules,
  ...same,
  ...setup,
  ...table,
  ...verify,
  ...shared,
};
