"""The language of the command line: `--lang`, or else the environment variable FIVEDICE_LANG."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from fivedice.errors import MalformedError
from fivedice.explanation.boxes import box_title
from fivedice.game import wording
from fivedice.game.turn import Turn
from fivedice.language import CARD_LANGUAGES, ENGLISH, LANGUAGES, Language, language
from fivedice.ruleset import Ruleset

OPTION = "--lang"
VARIABLE = "FIVEDICE_LANG"

_chosen: ContextVar[Language] = ContextVar("language", default=ENGLISH)


def chosen() -> Language:
    """The language of the running command, English by default. The user's locale does not choose it, because most
    output is in English only."""
    return _chosen.get()


def box_name(ruleset: Ruleset, id: str) -> str:
    """The name of a box in the language of the command, with its column where boxes share the name."""
    return box_title(ruleset, id, chosen())


def filled_names(ruleset: Ruleset, turn: Turn) -> str:
    """The names of the boxes that a finished turn filled, in the language of the command."""
    return wording.filled_names(ruleset, turn, chosen())


@contextmanager
def speaking(arguments: Sequence[str]) -> Iterator[list[str]]:
    """Take `--lang` out of the arguments of any command, and use that language in the block.

    Raises `MalformedError` without a value, and `UnknownError` for an unknown language.
    """
    tag, rest = _split(arguments)
    token = _chosen.set(language(tag or os.environ.get(VARIABLE) or ENGLISH.tag))
    try:
        yield rest
    finally:
        _chosen.reset(token)


def _split(arguments: Sequence[str]) -> tuple[str, list[str]]:
    """The value of the last `--lang`, empty if there is none, and the other arguments."""
    tag, left = "", iter(arguments)
    rest: list[str] = []
    for argument in left:
        if argument == "--":
            return tag, [*rest, argument, *left]
        if argument == OPTION:
            tag = next(left, "")
        elif argument.startswith(f"{OPTION}="):
            tag = argument.removeprefix(f"{OPTION}=")
        else:
            rest.append(argument)
            continue
        if not tag:
            raise MalformedError(f"{OPTION}: want one of {', '.join([*LANGUAGES, *CARD_LANGUAGES])}")
    return tag, rest
