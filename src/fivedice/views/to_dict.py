"""`to_dict`: a result as the JSON that the command line prints, of dictionaries, lists, texts and numbers.

>>> from fivedice import advise, solve
>>> found = to_dict(advise(solve("crag"), "crag - 445 r0"))
>>> found["position"], found["actions"][0]["action"]
('crag - 445 r0', 'score crag')
"""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from fivedice.base.errors import line_of_error, wrong_type
from fivedice.game.position import Position
from fivedice.game.proof_notes import UsedHelp
from fivedice.game.record import MAX_CHARACTERS, Record, parse_game
from fivedice.game.record_lines import part_of, read_lines
from fivedice.rulesets.ruleset import Ruleset

if TYPE_CHECKING:
    from fivedice.solver.solution import Solution  # it loads NumPy


def to_dict(result: Any) -> dict[str, Any]:
    """The JSON of a result, as `--json` prints it: of advice, chances, odds, a review or an evaluation, of a
    solution, a record, a position with its legal actions, a ruleset with its rules in English, and of `Why`.

    A review is without reasons and without chances over time. Raises `TypeError` for anything else.
    """
    # Imported here because the solver's libraries are slow to import.
    from fivedice.analysis.advice import Advice
    from fivedice.analysis.chances import Chances
    from fivedice.analysis.odds import Odds
    from fivedice.analysis.reviews.review import Review
    from fivedice.analysis.why import Why
    from fivedice.solver.solution import Solution
    from fivedice.views.advice import advised_position_view
    from fivedice.views.evaluation import Evaluation
    from fivedice.views.odds import chances_view, position_odds_view
    from fivedice.views.position import why_view
    from fivedice.views.review import review_view
    from fivedice.views.rules import explained_rules_view

    views: dict[type, Callable[[Any], Any]] = {
        Advice: advised_position_view,
        Chances: chances_view,
        Odds: position_odds_view,
        Review: partial(review_view, None),
        Solution: solution_figures_view,
        Record: record_view,
        Position: legal_view,
        Ruleset: explained_rules_view,
        Why: why_view,
    }
    if view := next((view for kind, view in views.items() if isinstance(result, kind)), None):
        result = view(result)
    elif not isinstance(result, Evaluation):
        raise wrong_type("a result of fivedice, such as advice or a review", result)
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(result))
    return found


class SolutionFiguresView(Struct, frozen=True):
    """The figures of an exact solution. `seconds` is the time that the search took, now or when it was saved, and
    `loading` that before it in which kernels were loaded."""

    ruleset: str
    digest: str
    expected_score: float
    turn_states: int
    seconds: float
    loading: float


class LegalActionView(Struct, frozen=True):
    """An action in notation. A score has the points that it writes and the extra bonus that it pays."""

    action: str
    points: int | UnsetType = UNSET
    bonus: int | UnsetType = UNSET


class LegalView(Struct, frozen=True):
    """A position and its legal actions, scores first."""

    position: str
    actions: list[LegalActionView]


class CardOfSeatView(Struct, frozen=True):
    """A seat with its card in notation."""

    name: str
    kind: str
    total: int
    card: str


class RecordView(Struct, frozen=True):
    """A record; dice and actions are in notation, and seats count from 0."""

    ruleset: str
    digest: str
    date: str
    first: int
    seats: list[CardOfSeatView]
    winners: list[int]
    is_over: bool
    position: str
    turns: list[str]


def solution_figures_view(solution: "Solution") -> SolutionFiguresView:
    """The figures of a solution."""
    ruleset, seconds = solution.ruleset, solution.seconds
    return SolutionFiguresView(
        str(ruleset), ruleset.digest, solution.expected_score, solution.num_turn_states, seconds, solution.loading
    )


def legal_view(position: Position) -> LegalView:
    """The position and its legal actions."""
    others = [LegalActionView(str(action)) for action in (*position.announcements(), *position.keeps())]
    scores = [LegalActionView(str(offer.action), offer.points, offer.bonus) for offer in position.offers()]
    return LegalView(str(position), [*scores, *others])


def record_view(record: Record) -> RecordView:
    """The record of a game."""
    position = record.position
    return RecordView(
        str(record.ruleset),
        record.ruleset.digest,
        record.date,
        record.first,
        [
            CardOfSeatView(seat.name, seat.kind, card.total, str(card))
            for seat, card in zip(record.seats, position.cards, strict=True)
        ],
        list(position.winners),
        record.is_over,
        str(position),
        list(record.lines),
    )


class UndoneView(Struct, frozen=True):
    """A turn taken back: its number from 0, the action, the seats that had rolled since, and whether a person was among
    them, who then knew dice before they came up again."""

    turn: int
    action: str
    rolled: list[int]
    foreseen: bool


class RecordCheckView(Struct, frozen=True):
    """The rules of a record, its result, and `ok` if they and all points agree; no dice are compared with a secret.

    Otherwise `problem` is a sentence in English about the line with the number `line`, from 1, null if it is about the
    whole text. `part` is the key of that line in the header, such as "result", and "turn" for all lines after it.
    `undone` and `help` are what its proof says of the people, which nothing proves; `help` is null if it says nothing.
    """

    ok: bool
    ruleset: str = ""
    name: str = ""
    digest: str = ""
    result: str = ""
    undone: list[UndoneView] = []
    help: UsedHelp | None = None
    part: str = ""
    line: int | None = None
    problem: str = ""


def record_check_view(text: str, load: Callable[[str], Ruleset]) -> RecordCheckView:
    """Replay a record; `load` returns the ruleset of a name."""
    try:
        record, lines = parse_game(text, load), read_lines(text)
    except ValueError as error:
        line = line_of_error(error)
        sentence = str(error).removeprefix(f"line {line}: ")
        return RecordCheckView(ok=False, part=part_of(line) if line else "", line=line, problem=sentence)
    ruleset, proof = record.ruleset, lines.proof
    undone = [
        UndoneView(one.turn, str(one.action), list(one.rolled), one.is_foreseen(lines.kinds))
        for one in (proof.undone if proof else ())
    ]
    used = proof.help if proof else None
    return RecordCheckView(True, str(ruleset), ruleset.name, ruleset.digest, record.result, undone, used)


class RecordText(Struct, frozen=True, forbid_unknown_fields=True):
    """The text of a record."""

    text: Annotated[str, Meta(max_length=MAX_CHARACTERS)]
