"""`PlayerFigures`: statistics of a player over many reviewed games, with confidence intervals."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from fivedice.analysis.reviews.estimate import Estimate, estimate, ratio_half_width
from fivedice.analysis.reviews.marks import SHOWN_LOSS, Level, level_of
from fivedice.analysis.reviews.review import Review
from fivedice.analysis.reviews.seat_review import DecisionReview, SeatReview, solo_position
from fivedice.game.action import Keep
from fivedice.game.card import ScoreCard
from fivedice.game.record_lines import began_at
from fivedice.rulesets.ruleset import Ruleset

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

NUM_RECENT = 10
"""The last games, which tell how somebody plays now."""

KINDS = ("first keep", "second keep", "later keep", "box")
"""Kinds of decision; in longer turns all keeps after the second are one kind."""

SUBJECTS = ("upper", "kinds", "straights", "bonus", "joker")
"""What a decision can be about: `subjects_of` says when it is."""

LEAST_DECISIONS = 20
"""With fewer decisions, a kind of decision has no rate."""

NUM_OPEN_UPPER = 3
"""The upper bonus is at stake while at most so many of its boxes are open, and it is neither reached nor lost."""

_NUM_LOSSES = 2 * len(KINDS)
"""The numbers of a game's errors that are about kinds of decision, which every decision has."""

_SUBJECT_OF = {"n_of_a_kind": "kinds", "pairs": "kinds", "full_house": "kinds", "straight": "straights"}
"""The subject of a lower box, by its scorer."""


@dataclass(frozen=True, slots=True)
class ErrorTotals:
    """Points lost, the number of unforced decisions, and the points lost per unforced decision.

    The 95 % interval, from the spread between games, is error_rate ± half_width, which is null for a single game. With
    `is_told` there are enough decisions for the rate to say something.
    """

    loss: float
    unforced_decisions: int
    error_rate: float
    half_width: float | None
    is_told: bool

    @property
    def level(self) -> Level | None:
        """The level at this rate; None without an unforced decision."""
        return level_of(self.error_rate) if self.unforced_decisions else None


@dataclass(frozen=True, slots=True)
class PlayerFigures:
    """One player's finished games under one ruleset, of which the player won `num_outright` outright.

    Another player won `num_cut_short` of them outright before this player's card was complete. Then the score is that
    of the unfinished card, and luck and errors are those of the turns that were played.

    `by_kind` has the errors by kind of decision (`KINDS`), `by_subject` by what it was about (`SUBJECTS`); `by_box`
    those of decisions to fill a box, by box. `games` are all games, oldest first.
    """

    name: str
    ruleset: Ruleset
    score: Estimate
    dice_neutral: Estimate
    luck: Estimate
    errors: ErrorTotals
    by_kind: Mapping[str, ErrorTotals]
    by_subject: Mapping[str, ErrorTotals]
    by_box: Mapping[str, ErrorTotals]
    games: "tuple[GameFigures, ...]"
    num_outright: int = 0
    num_cut_short: int = 0

    @property
    def recent(self) -> tuple[float, ...]:
        """The points lost in the last `NUM_RECENT` complete games, oldest first."""
        return tuple(game.lost for game in self.complete[-NUM_RECENT:])

    @property
    def complete(self) -> "list[GameFigures]":
        """The games with a complete card, oldest first."""
        return [game for game in self.games if not game.is_cut_short]

    @property
    def is_approximate(self) -> bool:
        """Whether losses and luck are by approximate values."""
        return any(game.is_approximate for game in self.games)


@dataclass(frozen=True, slots=True)
class Example:
    """A decision that lost points: its position as a game of one seat, in notation, the action taken, its loss, and
    the table of its game, empty if that is not known."""

    line: str
    action: str
    loss: float
    table: str = ""


class GameFigures(NamedTuple):
    """One finished game of a player: all that `PlayerFigures` need of a review, which is much larger.

    `lost` is the points lost in all decisions. `errors` has, for each of `KINDS`, of `SUBJECTS` and of the boxes, the
    points lost in such decisions and how many of them were unforced; the points are NaN if there were none. `examples`
    has the costliest decision of each kind and subject, if it has a mark. `has_yahtzee` says whether a box for as many
    equal dice as a roll has holds points. `num_best` counts the unforced decisions that lost nothing, as reports show
    it. `is_rated` is whether it counts for strength: the player had no advice before a decision, and took nothing back.
    `table` is where the game was played, empty for other records.
    """

    name: str
    ruleset: Ruleset
    score: int
    dice_neutral: float
    luck: float
    lost: float
    errors: tuple[float, ...]
    num_best: int = 0
    is_rated: bool = False
    is_outright: bool = False
    is_cut_short: bool = False
    date: str = ""
    examples: Mapping[str, Example] = MappingProxyType({})
    has_yahtzee: bool = False
    is_approximate: bool = False
    table: str = ""

    @property
    def lost_a_decision(self) -> float:
        """The points lost in all decisions, for each of the game."""
        return self.lost / num_decisions(self.ruleset)

    @property
    def num_unforced(self) -> int:
        """The number of unforced decisions."""
        return int(sum(self.errors[1:_NUM_LOSSES:2]))


def game_errors(
    ruleset: Ruleset,
    kinds: Mapping[str, tuple[float, int]],
    subjects: Mapping[str, tuple[float, int]] = MappingProxyType({}),
    boxes: Mapping[str, tuple[float, int]] = MappingProxyType({}),
) -> tuple[float, ...]:
    """The `errors` of a game, from the points lost and the number of unforced decisions by kind, subject and box."""
    groups = ((kinds, KINDS), (subjects, SUBJECTS), (boxes, ruleset.box_index))
    return tuple(number for found, names in groups for name in names for number in found.get(name, (nan, 0)))


def player_figures(reviews: Iterable[Review]) -> list[PlayerFigures]:
    """The figures of every player and ruleset, in order of appearance; unfinished games do not count."""
    return total_figures(game for review in reviews for game in game_figures(review))


def game_figures(review: Review) -> list[GameFigures]:
    """The figures of each seat of a review whose card is complete, or of all that played on until a seat won outright.

    A card that is incomplete because somebody resigned says nothing about scores, so it does not count; neither does a
    seat with missing rolls, whose luck and decisions are not all known.
    """
    return [found for seat in range(len(review.seats)) if (found := figures_of_seat(review, seat))]


def figures_of_seat(review: Review, seat: int) -> GameFigures | None:
    """The figures of one seat, if it counts."""
    cards, proof = review.record.position.cards, review.record.proof
    card, reviewed = cards[seat], review.seats[seat]
    has_played = card.is_complete or (any(one.won for one in cards) and not card.resigned)
    if reviewed.missing or not has_played:
        return None
    return _of_game(card, reviewed, review.record.date, is_rated=proof is not None and proof.is_unaided)


def total_figures(games: Iterable[GameFigures]) -> list[PlayerFigures]:
    """The figures of every player and ruleset over these games, in order of appearance."""
    groups: dict[tuple[Ruleset, str], list[GameFigures]] = defaultdict(list)
    for game in games:
        groups[game.ruleset, game.name].append(game)
    return [_figures(name, ruleset, group) for (ruleset, name), group in groups.items()]


def subjects_of(decision: DecisionReview) -> list[str]:
    """What a decision was about, of `SUBJECTS`; it can be about none of them, or about several.

    It is about the upper section, about kinds or about straights if the best action fills such a box; about the bonus
    if that is at stake; and about the joker if the roll is an extra Yahtzee.
    """
    position, found = decision.position, []
    card, ruleset = position.card, position.ruleset
    if not isinstance(decision.best, Keep):
        category = ruleset.boxes[ruleset.box_index[decision.best.box]].category
        subject = "upper" if category.section == "upper" else _SUBJECT_OF.get(category.scorer)
        found += [subject] if subject else []
    for column in range(len(ruleset.columns)):
        num_open = sum(card.boxes[index] is None for index in ruleset.section_boxes["upper", column])
        if 0 < num_open <= NUM_OPEN_UPPER and card.to_bonus(column) is not None:
            found.append("bonus")
            break
    return [*found, "joker"] if card.is_extra(position.dice) else found


def num_decisions(ruleset: Ruleset) -> int:
    """The decisions of a game in which every turn takes all its rolls: what losses a decision are shares of."""
    return ruleset.rounds * ruleset.rolls


def kind_of(decision: DecisionReview) -> str:
    """The kind of a decision, one of `KINDS`."""
    if not isinstance(decision.action, Keep):
        return "box"
    position = decision.position
    number = position.card.rolls - 1 - position.rolls_left
    return KINDS[min(number, len(KINDS) - 2)]


def _of_game(card: ScoreCard, seat: SeatReview, date: str, *, is_rated: bool) -> GameFigures:
    kinds: dict[str, list[DecisionReview]] = defaultdict(list)
    subjects: dict[str, list[DecisionReview]] = defaultdict(list)
    boxes: dict[str, list[DecisionReview]] = defaultdict(list)
    for decision in seat.decisions:
        kinds[kind_of(decision)].append(decision)
        for subject in subjects_of(decision):
            subjects[subject].append(decision)
        if not isinstance(decision.action, Keep):
            boxes[decision.action.box].append(decision)
    costliest = {name: max(found, key=lambda one: one.loss) for name, found in {**kinds, **subjects}.items()}
    examples = {
        name: Example(str(solo_position(one.position)), str(one.action), one.loss)
        for name, one in costliest.items()
        if one.mark
    }
    return GameFigures(
        name=seat.name,
        ruleset=card.ruleset,
        score=seat.score,
        dice_neutral=seat.dice_neutral,
        luck=seat.luck,
        lost=seat.loss,
        errors=game_errors(card.ruleset, *map(_errors, (kinds, subjects, boxes))),
        num_best=sum(one.is_unforced and one.loss < SHOWN_LOSS for one in seat.decisions),
        is_rated=is_rated,
        is_outright=card.won,
        is_cut_short=not (card.is_complete or card.won),
        date=date,
        examples=examples,
        has_yahtzee=any(card.boxes[index] for index in yahtzee_boxes(card.ruleset)),
        is_approximate=seat.error > 0,
    )


def yahtzee_boxes(ruleset: Ruleset) -> list[int]:
    """The indices of the boxes for as many equal dice as a roll has."""
    return [
        index
        for index, box in enumerate(ruleset.boxes)
        if box.category.scorer == "n_of_a_kind" and box.category.arguments["n"] == ruleset.dice
    ]


def _figures(name: str, ruleset: Ruleset, group: Sequence[GameFigures]) -> PlayerFigures:
    games = tuple(sorted(group, key=lambda game: began_at(game.date)))
    totals = _totals(games)
    first_box = len(KINDS) + len(SUBJECTS)
    by_kind, by_subject, by_box = totals[: len(KINDS)], totals[len(KINDS) : first_box], totals[first_box:]
    return PlayerFigures(
        name=name,
        ruleset=ruleset,
        score=estimate([game.score for game in games]),
        dice_neutral=estimate([game.dice_neutral for game in games]),
        luck=estimate([game.luck for game in games]),
        errors=_sum([game.lost for game in games], [game.num_unforced for game in games]),
        by_kind={name: one for name, one in by_kind if one},
        by_subject={name: one for name, one in by_subject if one},
        by_box={name: one for name, one in sorted(by_box) if one},
        games=games,
        num_outright=sum(game.is_outright for game in games),
        num_cut_short=sum(game.is_cut_short for game in games),
    )


def _totals(games: Sequence[GameFigures]) -> list[tuple[str, ErrorTotals | None]]:
    """The errors of several games under one ruleset, by name; None where no game has such a decision."""
    import numpy as np

    names, columns = (*KINDS, *SUBJECTS, *games[0].ruleset.box_index), np.array([game.errors for game in games]).T
    is_known = ~np.isnan(columns[::2])
    found = zip(names, columns[::2], columns[1::2], is_known, strict=True)
    return [
        (name, _sum(losses[known], counts[known]) if known.any() else None) for name, losses, counts, known in found
    ]


def _sum(losses: "ArrayLike", counts: "ArrayLike") -> ErrorTotals:
    """The errors of several games, with the interval of their rate, which is a ratio of two sums over games."""
    import numpy as np

    loss, num, half_width = float(np.sum(losses)), int(np.sum(counts)), ratio_half_width(losses, counts)
    is_told = num >= LEAST_DECISIONS and half_width is not None
    return ErrorTotals(loss, num, loss / num if num else 0.0, half_width, is_told)


def _errors(decisions: Mapping[str, Sequence[DecisionReview]]) -> dict[str, tuple[float, int]]:
    return {name: (sum(d.loss for d in of), sum(d.is_unforced for d in of)) for name, of in decisions.items()}
