"""The language of the command line: `--lang`, or else FIVEDICE_LANG, or else the language of the user's locale."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from fivedice.base.errors import MalformedError
from fivedice.base.language import CARD_LANGUAGES, ENGLISH, LANGUAGES, Language, language
from fivedice.rulesets.explanation.boxes import box_title
from fivedice.rulesets.ruleset import Ruleset

OPTION = "--lang"
VARIABLE = "FIVEDICE_LANG"

_chosen: ContextVar[Language] = ContextVar("language", default=ENGLISH)


def chosen() -> Language:
    """The language of the running command. A new thread speaks English, unless it runs in a copy of the context."""
    return _chosen.get()


def say(message: str, /, **values: object) -> str:
    """A message in the language of the command, as `Language.say`."""
    return chosen().say(message, **values)


def numbered(one: str, many: str, n: int, /, **values: object) -> str:
    """A message with a number in digits in the language of the command, as `Language.numbered`."""
    return chosen().numbered(one, many, n, **values)


def language_for(option: str, environ: Mapping[str, str]) -> Language:
    """The language of a command: that of `--lang`, of FIVEDICE_LANG, or of the user's locale, else English.

    Raises `UnknownError` for a language that is asked for by name and does not exist.
    """
    if tag := option or environ.get(VARIABLE):
        return language(tag)
    locale = next(filter(None, map(environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "C")
    if locale.partition(".")[0] in ("C", "POSIX"):
        return ENGLISH  # also where LANGUAGE names another one, as in every program that uses gettext
    for name in [*environ.get("LANGUAGE", "").split(":"), locale]:
        tag = re.split("[_.@]", name)[0]
        tag = "nb" if tag in ("nn", "no") else tag
        if tag in LANGUAGES or tag in CARD_LANGUAGES:
            return language(tag)
    return ENGLISH


def box_name(ruleset: Ruleset, id: str) -> str:
    """The name of a box in the language of the command, with its column where boxes share the name."""
    return box_title(ruleset, id, chosen())


@contextmanager
def speaking(arguments: Sequence[str]) -> Iterator[list[str]]:
    """Take `--lang` out of the arguments of any command, and use the language of `language_for` in the block.

    Raises `MalformedError` for `--lang` without a value, and `UnknownError` for an unknown language.
    """
    tag, rest = _split(arguments)
    token = _chosen.set(language_for(tag, os.environ))
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
