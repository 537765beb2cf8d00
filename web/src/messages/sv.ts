/** The Swedish messages, in the terms of Yatzy. */

import { account } from "./sv/account";
import { advice } from "./sv/advice";
import { club } from "./sv/club";
import { daily } from "./sv/daily";
import { dice } from "./sv/dice";
import { frame } from "./sv/frame";
import { games } from "./sv/games";
import { home } from "./sv/home";
import { lessons } from "./sv/lessons";
import { lobby } from "./sv/lobby";
import { me } from "./sv/me";
import { position } from "./sv/position";
import { refusals } from "./sv/refusals";
import { review } from "./sv/review";
import { rules } from "./sv/rules";
import { same } from "./sv/same";
import { setup } from "./sv/setup";
import { table } from "./sv/table";
import { verify } from "./sv/verify";
import { shared } from "./shared/sv";
import type { Catalogue } from "./types";

export const sv: Catalogue = {
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
