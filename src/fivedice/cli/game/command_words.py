"""What can be typed in plain games: commands, verbs, yes and no, in the language of the command and in English."""

from collections.abc import Iterator
from textwrap import wrap

from fivedice.base.language import ENGLISH, marked
from fivedice.cli.language import chosen, say
from fivedice.rulesets.explanation.boxes import category_name
from fivedice.rulesets.ruleset import Ruleset

COMMANDS = {
    "roll": (marked("roll"), marked("make the first roll of your turn; an empty line does the same")),
    "resign": (marked("resign"), marked("give up the game, after a question; the others play on")),
    "undo": (marked("undo"), marked("take back your last score or announcement, until your next roll")),
    "boxes": (marked("boxes"), marked("show what each open box would score now")),
    "card": (marked("card"), marked("show all score cards")),
    "hint": (
        marked("hint"),
        marked("show the best actions, what each costs, and then the chances to win before every turn"),
    ),
    "help": (marked("help"), marked("show this list")),
    "quit": (marked("quit"), marked("leave the game; it is saved")),
}
"""The commands, what to call them, and what they do."""

_ACTIONS = {
    "keep": marked("keep {dice}"),
    "score": marked("score {box}"),
    "scratch": marked("scratch {box}"),
    "announce": marked("announce {box}"),
}
"""The verbs of actions, as advice uses them."""

WIDTH = 79
"""Characters of a line of prose, to fit a terminal of 80 columns."""

AFTER = {"n": marked("new game"), "v": marked("review"), "l": marked("learn")}
"""What can follow a game, by the key or the line that chooses it."""


def command_names(command: str) -> tuple[str, ...]:
    """What to call a command: the word in the language of the command first."""
    return tuple(dict.fromkeys((say(COMMANDS[command][0]).lower(), command)))


def find_commands(line: str) -> list[str]:
    """The command with this name, and help for `?`; if there is none, all those whose names begin with it.

    A game is not given up by the first letters of a word.
    """
    if line == "?":
        return ["help"]
    exact = [command for command in COMMANDS if line in command_names(command)]
    if exact or not line:
        return exact
    return [
        command
        for command in COMMANDS
        if command != "resign" and any(name.startswith(line) for name in command_names(command))
    ]


def split_verb(line: str) -> tuple[str, str]:
    """The verb of an action in English, and the rest of the line; no verb for any other line.

    The verb may also come last, as in German advice.
    """
    for verb, message in _ACTIONS.items():
        for to in (chosen(), ENGLISH):
            word = to.say(message, dice="", box="").strip().lower()
            if line == word or line.startswith(f"{word} "):
                return verb, line.removeprefix(word).strip()
            if line.endswith(f" {word}"):
                return verb, line.removesuffix(word).strip()
    return "", line


def yes_or_no(line: str) -> bool | None:
    """What a line answers, in full or by the first letter; None for any other line."""
    for answer, english, word in ((True, "yes", say("yes")), (False, "no", say("no"))):
        if line in (english, english[0], word.lower(), word[:1].lower()):
            return answer
    return None


def what_follows(line: str) -> str:
    """What a line at the end of a game chooses, a value of `AFTER`; empty for any other line."""
    for key, what in AFTER.items():
        if line in (key, what, what.split()[0], say(what).lower()):
            return what
    return ""


def example_box(ruleset: Ruleset) -> str:
    """The name of a box as people type it."""
    return category_name(ruleset.categories[min(2, len(ruleset.categories) - 1)], ruleset, chosen()).lower()


def action_rows(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """What to type for an action, and what that does."""
    box = example_box(ruleset)
    keep = say("keep {dice}", dice="33")
    yield f"33, {keep}", say("keep these dice and roll the others; - rolls all of them")
    yield box, say("score in this box and end your turn; the first letters of the box are enough")
    yield say("score {box}", box=box), say("the same")
    yield say("scratch {box}", box=box), say("write a zero in a box instead, if the rules allow it")


def help_lines(ruleset: Ruleset) -> list[str]:
    """All that can be typed during a game, with what it does."""
    roll, *others = ((command_names(command)[0], say(about)) for command, (_, about) in COMMANDS.items())
    announce = say("announce {box}", box=example_box(ruleset)), say("announce the box that this turn must fill")
    return table_lines([roll, *action_rows(ruleset), *[announce] * bool(ruleset.announceable_boxes), *others])


def table_lines(rows: list[tuple[str, str]]) -> list[str]:
    """Two columns of text, to fit a terminal of 80 columns."""
    width = max(len(left) for left, _ in rows) + 2
    indent = " " * width
    return [
        line
        for left, right in rows
        for line in wrap(right, WIDTH, initial_indent=f"{left:<{width}}", subsequent_indent=indent)
    ]
