"""Reads lines from standard input and parses actions in them."""

import re
import sys
from collections.abc import Sequence
from dataclasses import replace

from fivedice.base.errors import IllegalError, MalformedError, UnknownError
from fivedice.base.language import ENGLISH
from fivedice.cli.game.command_words import command_names, split_verb
from fivedice.cli.game.lines import typed
from fivedice.cli.language import box_name, chosen, numbered, say
from fivedice.cli.text.output import tell
from fivedice.game.action import Action, Announce, Keep, Score
from fivedice.game.position import Position
from fivedice.rulesets.dice import FACES, Dice, faces_of
from fivedice.rulesets.explanation.boxes import box_title
from fivedice.rulesets.explanation.dice import colour_marks
from fivedice.rulesets.ruleset import Ruleset


class Quit(Exception):  # noqa: N818
    """Raised when the player quits or the input ends; `status` is the exit status."""

    def __init__(self, status: int) -> None:
        self.status = status


def read_line() -> str:
    """Print a prompt and read a line; empty only at the end of the input."""
    print("> ", end="", flush=True)
    line = sys.stdin.readline().removeprefix("\ufeff")  # a byte order mark, with which Windows begins a file
    if not sys.stdin.isatty():
        # A terminal echoes what is typed; piped input is echoed here, so that the output is complete.
        print(line.rstrip("\n"))
    return line


def typed_action(line: str, position: Position) -> Action:
    """The legal action in a line: keep, score, scratch or announce with dice or a box.

    The verb is that of the language or the English one. Without one, dice are a keep, and a box an announcement if that
    is legal, else a score. Dice may be in any order, separated by spaces or commas; the first letters of a box are
    enough. To scratch a box where the roll scores nothing is to score it. Raises `ValueError` for an invalid action.
    """
    verb, rest = split_verb(line)
    if verb == "keep" or (not verb and is_dice(line, position.ruleset)):
        return _parse_keep(rest, position)
    if verb == "announce":
        boxes = [action.box for action in position.announcements()]
        return _checked(Announce(_box_among(rest, position, boxes)), position)
    playable = position.card.playable()
    only = [position.ruleset.boxes[playable[0]].id] if len(playable) == 1 else []
    score = Score(_box_among(rest, position, only))
    if not verb and not position.why_illegal(Announce(score.box)):
        return Announce(score.box)
    if verb == "scratch" and not any(offer.action == score and not offer.points for offer in position.offers()):
        score = replace(score, is_scratch=True)
    return _checked(score, position)


def _box_among(text: str, position: Position, boxes: Sequence[str]) -> str:
    """The box that a text means: that among `boxes`, if there is one, else that of the card; raises `UnknownError`."""
    near = [box for box in find_boxes(text, position.ruleset) if box in boxes]
    return near[0] if len(near) == 1 else find_box(text, position.ruleset)


class RealDice:
    """The dice of a game with real dice: asks what they show."""

    commitment = ""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset

    def dice(self, turn: int, roll: int, num_dice: int, faces: int) -> Dice:
        """What is typed, until a line has as many dice as are rolled. Raises `Quit` at the end of the input."""
        while True:
            tell(numbered("Roll 1 die, and type what it shows.", "Roll {n} dice, and type what they show.", num_dice))
            line = read_line()
            if not line or line.strip().lower() in command_names("quit"):
                raise Quit(0 if line else 1)
            shown = typed_dice(line.strip().lower(), self._ruleset)
            if len(shown) == num_dice and max(shown) <= faces:
                return shown
            wanted = numbered(
                "want the face of 1 die, as in {example}",
                "want the faces of {n} dice, as in {example}",
                num_dice,
                example="1" * num_dice,
            )
            tell(wanted)


def typed_dice(line: str, ruleset: Ruleset) -> Dice:
    """The dice in a line, in the order in which they were typed; none for a line with anything else."""
    if named := _by_name(line, ruleset):
        return named
    digits = re.sub(r"[\s,]", "", _without_colours(line, ruleset))
    return faces_of(digits) if set(digits) <= set(FACES) else ()


def is_dice(line: str, ruleset: Ruleset) -> bool:
    """Whether a line has only dice, in any order, or `-` for none; each may have the mark of its colour."""
    if _by_name(line, ruleset):
        return True
    faces = f"0-9{FACES[9 : ruleset.faces]}"  # a letter is a face only of dice that have so many
    return bool(re.fullmatch(rf"[{faces}\s,]+|-", _without_colours(line, ruleset)))


def _without_colours(dice: str, ruleset: Ruleset) -> str:
    """Dice without the marks of their colours: `2r 3g` becomes `2 3`."""
    marks = "|".join(map(re.escape, colour_marks(ruleset).values()))
    return re.sub(rf"(?<=\d)(?:{marks})\b", "", dice) if marks else dice


def _by_name(line: str, ruleset: Ruleset) -> Dice:
    """The dice in a line that has only names of faces; none for any other line."""
    names = {name.lower(): face for face, name in enumerate(ruleset.face_names, start=1)}
    longest_first = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    if not names or not re.fullmatch(rf"(?:(?:{longest_first})[\s,]*)+", line.strip(), re.IGNORECASE):
        return ()
    return tuple(names[name.lower()] for name in re.findall(longest_first, line, re.IGNORECASE))


def _parse_keep(dice: str, position: Position) -> Action:
    kept = typed_dice(dice, position.ruleset)
    if not kept and dice not in ("-", "nothing", say("nothing")):
        some, none = say("keep {dice}", dice="33"), say("keep {dice}", dice="-")
        raise MalformedError(say("keep which dice? as in {some}, or {none} to roll all of them", some=some, none=none))
    return _checked(Keep(tuple(sorted(kept))), position)


def _checked(action: Action, position: Position) -> Action:
    """The action, if it is legal; raises `IllegalError` with the reason."""
    why = position.why_illegal(action, chosen())
    if why:
        raise IllegalError(say("{action} is not legal here: {why}", action=typed(action, position.ruleset), why=why))
    return action


def find_boxes(text: str, ruleset: Ruleset) -> list[str]:
    """The boxes whose id or name is `text`; if there is none, all those whose id or name begins with it.

    Names in the language of the command come before English ones, and these before ids.
    """
    wanted = _as_id(text.strip())
    if wanted in ruleset.box_index:
        return [wanted]
    languages = (chosen(), ENGLISH)
    names = {id: [*(_as_id(box_title(ruleset, id, to)) for to in languages), id] for id in ruleset.box_index}
    for kind in range(len(languages)):
        if exact := [id for id, known in names.items() if known[kind] == wanted]:
            return exact
    for kind in range(len(languages) + 1):
        if near := [id for id, known in names.items() if wanted and known[kind].startswith(wanted)]:
            return near
    return []


def _as_id(name: str) -> str:
    return re.sub(r"[\s-]+", "_", name.lower())


def find_box(text: str, ruleset: Ruleset) -> str:
    """The only box whose id or name begins with `text`; raises `UnknownError` if there is none, or several."""
    near = find_boxes(text, ruleset)
    if len(near) == 1:
        return near[0]
    shown = {id: box_name(ruleset, id) for id in ruleset.box_index}
    if not text.strip():
        raise MalformedError(say("score which box? {boxes}", boxes=", ".join(shown.values())))
    if near:
        raise ambiguous(text, [shown[id] for id in near])
    raise UnknownError(say("there is no box {text}: {boxes}", text=repr(text), boxes=", ".join(shown.values())))


def ambiguous(text: str, names: Sequence[str]) -> UnknownError:
    """The error for the first letters of several names."""
    return UnknownError(say("{text} may mean any of {names}: type more of it", text=repr(text), names=", ".join(names)))
