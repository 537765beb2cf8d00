"""Rules as JSON with what can be had under them: advice, chances and computer players."""

import msgspec

from fivedice.views.rules import RulesetView
from fivedice.views.rules_page import RulesPageView


class AvailableView(msgspec.Struct, frozen=True):
    """What can be had under some rules. Each text is a sentence that says why it cannot, or empty.

    `solution` stands for exact values; `advice` for all help but "none", for lessons and for reviews of whole games, by
    exact or approximate values; `review` for reviews of at least the last turns; `chances` for the chances to win and
    of final scores; `players` has every kind of computer player.
    """

    solution: str
    advice: str
    review: str
    chances: str
    players: dict[str, str]


class OfferedRulesetView(RulesetView, frozen=True):
    """A shipped ruleset with what can be had under it."""

    available: AvailableView
    browser_advice: bool
    """Whether a browser can keep its solution, and advise by it without the server."""
    browser_reasons: bool
    """Whether it can keep its breakdown, too, and explain the advice."""


class OfferedRulesPageView(RulesPageView, frozen=True):
    """The rules of a ruleset in one language, with what can be had under them."""

    available: AvailableView


class CheckedView(msgspec.Struct, frozen=True):
    """Rules with their options, and what can be had under them. `ref` is their reference in notation."""

    ref: str
    name: str
    digest: str
    available: AvailableView


class PlayerView(msgspec.Struct, frozen=True):
    """A kind of computer player, with a description."""

    kind: str
    about: str


class TableRulesView(msgspec.Struct, frozen=True):
    """The rules of a table as a request for a new one takes them, and their name."""

    rules: str
    options: dict[str, str]
    toml: str
    name: str


class SolutionFileView(msgspec.Struct, frozen=True):
    """A file with the solution of a ruleset or its breakdown, in the format of `fivedice export --portable`.

    `digest` is that of the rules; `bytes` is the size of the file, and `sha256` its digest in hexadecimal digits. The
    file at `path` never changes.
    """

    id: str
    digest: str
    bytes: int
    sha256: str
    path: str
