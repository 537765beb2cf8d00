/** The English messages. `{name}` is a placeholder; a message with `one` and `other` has its plural chosen by `{n}`. */

import { account } from "./en/account";
import { advice } from "./en/advice";
import { club } from "./en/club";
import { daily } from "./en/daily";
import { dice } from "./en/dice";
import { frame } from "./en/frame";
import { games } from "./en/games";
import { home } from "./en/home";
import { lessons } from "./en/lessons";
import { lobby } from "./en/lobby";
import { me } from "./en/me";
import { position } from "./en/position";
import { refusals } from "./en/refusals";
import { review } from "./en/review";
import { rules } from "./en/rules";
import { same } from "./en/same";
import { setup } from "./en/setup";
import { table } from "./en/table";
import { verify } from "./en/verify";
import { shared } from "./shared/en";

export const en = {
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
