"""What can be had at tables of this server: its computer players, and the help that some rules allow."""

from typing import TYPE_CHECKING

from fivedice.base.errors import IllegalError
from fivedice.base.language import ENGLISH, Language
from fivedice.game.parsed_line import MAX_SEATS
from fivedice.players import KINDS, Available, available, known_kind
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.limits import MAX_CUSTOM_BYTES, MAX_GREEDY_WORK, MAX_TABLE_BOXES
from fivedice.solver.tables.states import States

if TYPE_CHECKING:
    from fivedice.server.table.event import Help

MAX_END_BYTES = 2**27
"""Last turns of a game too large to solve: seconds, once per review."""

MAX_SHIPPED_BYTES = 2 * 2**30
"""Solution of a shipped ruleset: solved once, for everybody."""

MAX_PORTABLE_BYTES = 64 * 2**20
"""Solution that is offered to browsers, which hold it in memory."""

MAX_PORTABLE_PARTS = 2 * 2**20
"""Entries of one whose breakdown is offered, too: 3.2 MB for `yahtzee`."""

COMPUTERS = tuple(kind for kind in KINDS if kind != "human")
"""The kinds of computer players at tables, where `target_300` stands for any target. Each can stand in for a person."""


def available_here(ruleset: Ruleset, to: Language = ENGLISH) -> Available:
    """What can be had under some rules, within the limits of this server."""
    return available(
        ruleset,
        memory_limit=solution_limit(ruleset),
        end_limit=MAX_END_BYTES // MAX_SEATS,
        greedy_limit=MAX_GREEDY_WORK,
        to=to,
    )


def has_browser_advice(ruleset: Ruleset) -> bool:
    """Whether a browser can advise by the solution of a shipped ruleset: plain Python values its turns, and it fits."""
    fits = 8 * States(ruleset).num_entries <= MAX_PORTABLE_BYTES
    return fits and is_shipped(ruleset) and not available_here(ruleset).solution


def has_browser_reasons(ruleset: Ruleset) -> bool:
    """Whether a browser can also keep what explains the advice on a shipped ruleset: twice as large is too large."""
    return has_browser_advice(ruleset) and States(ruleset).num_entries <= MAX_PORTABLE_PARTS


def solution_limit(ruleset: Ruleset) -> int:
    """The most bytes of a solution that is computed here."""
    return MAX_SHIPPED_BYTES if is_shipped(ruleset) else MAX_CUSTOM_BYTES


def is_shipped(ruleset: Ruleset) -> bool:
    """Whether rules are a shipped file without options, which would make any number of other rules."""
    return ruleset.is_shipped and not ruleset.options


def require_player(kind: str, here: Available) -> None:
    """Raise `UnknownError` for no kind of computer player, and `IllegalError` for one that cannot be had."""
    if refusal := here.player(known_kind(kind, COMPUTERS)):
        raise IllegalError(f"{kind} cannot play here: {refusal}")


def require_size(num_seats: int, ruleset: Ruleset) -> None:
    """Raise `IllegalError` if so many cards are more than the server shows after every step; shipped rules fit."""
    num_boxes = len(ruleset.boxes)
    if num_seats * num_boxes > MAX_TABLE_BOXES:
        raise IllegalError(
            f"{num_seats} seats with {num_boxes} boxes each are too large a table: want at most "
            f"{MAX_TABLE_BOXES // num_boxes} seats under these rules"
        )


def require_help(help: "Help", here: Available) -> None:
    """Raise `IllegalError` if a kind of help cannot be had."""
    if help != "none" and here.advice:
        raise IllegalError(f"no help can be given in this game: {here.advice}")
