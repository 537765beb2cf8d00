"""Retention: how long the server keeps what is no longer used. `RULES` is the whole table.

An operator changes a duration with `fivedice serve --keep unfinished=30d`; 0 keeps for ever. docs/operating.md says the
same in prose.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from fivedice.base.errors import MalformedError, UnknownError, shown, suggest
from fivedice.storage.rows.activity import Stage

DAY = 86_400.0
"""Seconds."""
MAX_DAYS = 36_500


@dataclass(frozen=True, slots=True)
class Rule:
    """What is deleted after `days` days without use; 0 is never. `stage` is that of the tables it applies to, if any.

    `what` names what is deleted in plain words, `since` what the days are counted from.
    """

    name: str
    days: int
    stage: Stage | None
    what: str
    since: str

    def before(self, now: float) -> float | None:
        """What was last used before this time, in seconds since 1970, is deleted; None if nothing is."""
        return now - self.days * DAY if self.days else None


# fmt: off
_ACTED = "a person acted there or had it open"
RULES = (
    #    name         days  stage        what                                     since
    Rule("new",          7, Stage.NEW,   "tables at which nobody has rolled",     _ACTED),
    Rule("unfinished",  90, Stage.BEGUN, "unfinished games",                      _ACTED),
    Rule("finished",   365, Stage.OVER,  "finished games",                        "a player of the game visited"),
    Rule("imported",   365, None,        "imported records, lessons and tries",   "their browser visited"),
    Rule("browsers",    30, None,        "browsers without a game or one of these", "they visited"),
)
# fmt: on


@dataclass(frozen=True, slots=True)
class Retention:
    """The rules of a server."""

    rules: tuple[Rule, ...] = RULES

    def __getitem__(self, name: str) -> Rule:
        return next(rule for rule in self.rules if rule.name == name)


DEFAULT_RETENTION = Retention()


def parse_keep(given: Iterable[str]) -> Retention:
    """The rules with these durations replaced, as in `unfinished=30d`; `0` or `0d` keeps for ever.

    Raises `MalformedError` or `UnknownError`.
    """
    names = tuple(rule.name for rule in RULES)
    chosen: dict[str, int] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise MalformedError(f"keep {shown(text)}: want NAME=DAYS, as in unfinished=30d")
        if name not in names:
            raise UnknownError(f"there is no rule {shown(name)}: {suggest(name, names)}")
        if not re.fullmatch("0|[0-9]{1,5}d", value) or int(value.rstrip("d")) > MAX_DAYS:
            raise MalformedError(f"keep {shown(text)}: want days up to {MAX_DAYS:,}, as in {name}=30d, or 0 for ever")
        chosen[name] = int(value.rstrip("d"))
    return Retention(
        tuple(Rule(one.name, chosen.get(one.name, one.days), one.stage, one.what, one.since) for one in RULES)
    )
