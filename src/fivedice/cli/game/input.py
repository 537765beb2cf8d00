"""Reads lines from standard input and parses actions in them."""

import re
import sys
from dataclasses import replace

from fivedice.cli.text.dice import colour_marks
from fivedice.dice import parse_dice
from fivedice.errors import IllegalError, MalformedError, UnknownError
from fivedice.game.action import Action, Keep, Score
from fivedice.game.position import Position
from fivedice.game.wording import box_name
from fivedice.ruleset import Ruleset


class Quit(Exception):  # noqa: N818
    """Raised when the player quits or the input ends; `status` is the exit status."""

    def __init__(self, status: int) -> None:
        self.status = status


def read_line() -> str:
    """Print a prompt and read a line; empty only at the end of the input."""
    print("> ", end="", flush=True)
    line = sys.stdin.readline()
    if not sys.stdin.isatty():
        # A terminal echoes what is typed; piped input is echoed here, so that the output is complete.
        print(line.rstrip("\n"))
    return line


def typed_action(line: str, position: Position) -> Action | None:
    """The legal action in a line that begins with keep, score or scratch; None for any other line.

    The dice of a keep may be in any order, separated by spaces or commas; the first letters of a box are enough. To
    scratch a box where the roll scores nothing is the same as to score it. Raises `ValueError` for an invalid action.
    """
    verb, _, rest = line.partition(" ")
    if verb == "keep":
        return _parse_keep(rest, position)
    if verb in ("score", "scratch"):
        score = Score(find_box(rest, position.ruleset))
        if verb == "scratch" and not any(offer.action == score and not offer.points for offer in position.offers()):
            score = replace(score, is_scratch=True)
        return _checked(score, position)
    return None


def short_action(line: str, position: Position) -> Action:
    """Like `typed_action`, but the verb is optional: dice are kept, and a box is scored."""
    action = typed_action(line, position)
    if action:
        return action
    if is_dice(line, position.ruleset):
        return _parse_keep(line, position)
    return _checked(Score(find_box(line, position.ruleset)), position)


def is_dice(line: str, ruleset: Ruleset) -> bool:
    """Whether a line has only dice, in any order, or `-` for none; each may have the mark of its colour."""
    return bool(re.fullmatch(r"[\d\s,]+|-", _without_colours(line, ruleset)))


def _without_colours(dice: str, ruleset: Ruleset) -> str:
    """Dice without the marks of their colours: `2r 3g` becomes `2 3`."""
    marks = "|".join(map(re.escape, colour_marks(ruleset).values()))
    return re.sub(rf"(?<=\d)(?:{marks})\b", "", dice) if marks else dice


def _parse_keep(dice: str, position: Position) -> Action:
    digits = re.sub(r"[\s,]", "", _without_colours(dice, position.ruleset))
    if not digits:
        raise MalformedError("keep which dice? as in keep 33, or keep - to roll all of them")
    if digits.isdigit():
        digits = "".join(sorted(digits))
    return _checked(Keep(parse_dice("-" if digits == "nothing" else digits)), position)


def _checked(action: Action, position: Position) -> Action:
    """The action, if it is legal; raises `IllegalError` with the reason."""
    why = position.why_illegal(action)
    if why:
        name = str(action)
        if isinstance(action, Score):
            name = f"{name.partition(' ')[0]} {box_name(position.ruleset, action.box)}"
        raise IllegalError(f"{name} is not legal here: {why}")
    return action


def find_boxes(text: str, ruleset: Ruleset) -> list[str]:
    """The boxes whose id or name is `text`; if there is none, all those whose id or name begins with it."""
    wanted = re.sub(r"[\s-]+", "_", text.strip().lower())
    if wanted in ruleset.box_index:
        return [wanted]
    names = {id: re.sub(r"[\s-]+", "_", box_name(ruleset, id).lower()) for id in ruleset.box_index}
    exact = [id for id, name in names.items() if name == wanted]
    return exact or [id for id, name in names.items() if wanted and (id.startswith(wanted) or name.startswith(wanted))]


def find_box(text: str, ruleset: Ruleset) -> str:
    """The only box whose id or name begins with `text`; raises `UnknownError` if there is none, or several."""
    near = find_boxes(text, ruleset)
    if len(near) == 1:
        return near[0]
    shown = {id: box_name(ruleset, id) for id in ruleset.box_index}
    if not text.strip():
        raise MalformedError(f"score which box? {', '.join(shown.values())}")
    if near:
        raise UnknownError(f"{text!r} may mean any of {', '.join(map(shown.__getitem__, near))}: type more of it")
    raise UnknownError(f"there is no box {text!r}: {', '.join(shown.values())}")
