"""Whether the points and the result of a record follow from its turns by its rules, as JSON."""

from collections.abc import Callable
from typing import Annotated

from msgspec import Meta, Struct

from fivedice.base.errors import line_of_error
from fivedice.game.record import MAX_CHARACTERS, parse_game
from fivedice.game.record_lines import part_of
from fivedice.rulesets.ruleset import Ruleset


class RecordCheckView(Struct, frozen=True):
    """The rules of a record, its result, and `ok` if they and all points agree; the proof of its dice is not read.

    Otherwise `problem` is a sentence in English about the line with the number `line`, from 1, null if it is about the
    whole text. `part` is the key of that line in the header, such as "result", and "turn" for all lines after it.
    """

    ok: bool
    ruleset: str = ""
    name: str = ""
    digest: str = ""
    result: str = ""
    part: str = ""
    line: int | None = None
    problem: str = ""


def record_check_view(text: str, load: Callable[[str], Ruleset]) -> RecordCheckView:
    """Replay a record; `load` returns the ruleset of a name."""
    try:
        record = parse_game(text, load)
    except ValueError as error:
        line = line_of_error(error)
        sentence = str(error).removeprefix(f"line {line}: ")
        return RecordCheckView(ok=False, part=part_of(line) if line else "", line=line, problem=sentence)
    ruleset = record.ruleset
    return RecordCheckView(True, str(ruleset), ruleset.name, ruleset.digest, record.result)


class RecordText(Struct, frozen=True, forbid_unknown_fields=True):
    """The text of a record."""

    text: Annotated[str, Meta(max_length=MAX_CHARACTERS)]
