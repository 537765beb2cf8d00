"""The parts of the census: what the program says about a ruleset, as lines of text in which floats are exact.

Each part is a function of a `Subject` that yields lines. Nothing is rounded: a float is written in hexadecimal, an
array as the digest of its bytes.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cached_property
from hashlib import sha256
from random import Random
from typing import Any

import numpy as np

from benchmarks.solo_games import Policy, play_games
from fivedice.analysis.advice import Advised, advise, advise_batch, advise_without_kernels
from fivedice.analysis.chances import chances
from fivedice.analysis.endgames import advise_rival
from fivedice.analysis.odds import odds
from fivedice.analysis.reviews.review import review
from fivedice.analysis.why import why
from fivedice.base.errors import MalformedError
from fivedice.base.language import LANGUAGES, language
from fivedice.cli.commands.review import review_lines
from fivedice.cli.many_lines import ManyLines
from fivedice.cli.saved_advice import LineByLine
from fivedice.cli.text.output import format_json
from fivedice.envs import SolitaireEnv, VectorSolitaire
from fivedice.game.position import Position
from fivedice.game.record import Record, Seat, parse_record
from fivedice.game.wording import doing
from fivedice.rulesets import ruleset_ids, split_ref
from fivedice.rulesets.explanation.text import explain
from fivedice.rulesets.ruleset import Ruleset
from fivedice.simulation.mass_games import play_many
from fivedice.solver.play.breakdown import Breakdown, find_breakdown
from fivedice.solver.play.moments import find_moments
from fivedice.solver.solution import Solution
from fivedice.solver.solve import solve
from fivedice.solver.tables.states import Array
from fivedice.testing import playthrough
from fivedice.views.advice import advised_position_view
from fivedice.views.offered import rules_page_view
from fivedice.views.review import review_view
from fivedice.views.rules import explained_rules_view, ruleset_view
from fivedice.views.to_dict import record_check_view
from tests.game.table_game import table_game

Lines = Iterator[str]

DATE = "2026-11-21T10:00:00+00:00"
BREAKDOWN_STATES = 2_000_000
"""Turn states up to which the parts that list every transition of play are in the census."""


@dataclass(frozen=True, eq=False)
class Subject:
    """A ruleset, and what is solved for it: itself, or if that is too large some of its boxes."""

    ruleset: Ruleset
    solved: Ruleset
    name: str = field(default="")

    @cached_property
    def solution(self) -> Solution:
        return solve(self.solved)

    @cached_property
    def breakdown(self) -> Breakdown | None:
        return find_breakdown(self.solution) if self.has_chances else None

    @property
    def has_chances(self) -> bool:
        """Whether kernels follow the play of this solution, and soon enough."""
        return self.solution.states.has_kernels and self.solution.num_turn_states <= BREAKDOWN_STATES

    def chance(self, part: str) -> Random:
        """Random numbers for one part, so that a change of one does not move the others."""
        return Random(f"{self.name} {part}")


def exact(value: Any) -> str:
    """A value as text: floats and arrays bit for bit, dataclasses field by field."""
    match value:
        case float():
            return value.hex()
        case np.ndarray():
            return f"{value.dtype}{list(value.shape)} {digest_of(value)}"
        case str() | Position():
            return str(value)
        case dict():
            return " ".join(f"{exact(key)}={exact(each)}" for key, each in sorted(value.items()))
        case tuple() | list():
            return f"({' '.join(map(exact, value))})"
    if is_dataclass(value):
        told = {each.name: getattr(value, each.name) for each in fields(value) if each.name != "position"}
        if isinstance(value, Advised):
            del told["score"]
        return exact(tuple(told.values()))
    return str(value)


def digest_of(array: Array) -> str:
    """The digest of the bytes of an array, in which all NaN are the same."""
    if array.dtype.kind == "f":
        array = np.where(np.isnan(array), np.nan, array)
    return sha256(np.ascontiguousarray(array).tobytes()).hexdigest()[:16]


def engine(subject: Subject) -> Lines:
    """Every position of two games of two seats: what can be done, what it pays, and why boxes are closed."""
    chance = subject.chance("engine")
    for _ in range(2):
        game = playthrough(subject.ruleset, chance, num_seats=2)
        for position, action in zip(game.positions, (*game.actions, None), strict=False):
            card = position.card
            yield f"{position} {card.total} {card.result} {card.pending} {card.is_spoiled} {action}"
            for offer in position.offers():
                yield exact((offer.action, offer.points, offer.bonus, offer.is_joker, offer.wins))
            yield " ".join(map(str, position.announcements()))
            yield " ".join(map(str, position.keeps()))
            if position.dice:
                yield " | ".join(position.why_closed(box) for box in range(len(card.boxes)))


def records(subject: Subject) -> Lines:
    """Records of a game of random actions, and what its verification says."""
    for seed in range(2):
        record = table_game(ruleset_ref=subject.ruleset, seed=seed)
        yield str(record)
        assert parse_record(str(record), lambda _: subject.ruleset) == record
        yield format_json(record_check_view(str(record), lambda _: subject.ruleset))
        for number, position, action in record.decisions():
            yield f"{number} {position} {'' if action is None else doing(position, action)}"


def explanations(subject: Subject) -> Lines:
    """The rules in all languages, as text, as the page shows them, and as data."""
    yield format_json(ruleset_view(subject.ruleset))
    for code in LANGUAGES:
        yield explain(subject.ruleset, code)
        yield format_json(rules_page_view(subject.ruleset, language(code)))
        yield format_json(explained_rules_view(subject.ruleset, language(code)))


def values(subject: Subject) -> Lines:
    """The table of the solution."""
    solution = subject.solution
    yield f"{solution.ruleset} {solution.ruleset.digest} {solution.num_turn_states} {solution.expected_score.hex()}"
    yield exact(solution.values)


def advice(subject: Subject) -> Lines:
    """Advice on the positions of games: by kernels, in plain Python, in batches, and as the command prints it."""
    solution, positions = subject.solution, _positions(subject, "advice", games=3)
    together = advise_batch(solution, positions)
    for position, in_batch in zip(positions, together, strict=True):
        found = advise(solution, position)
        yield exact((found.position, found.value, found.actions))
        plain = advise_without_kernels(solution.states, solution.float_values, position)
        for other in (plain, in_batch):
            assert exact((other.value, other.actions)) == exact((found.value, found.actions)), position
        yield format_json(advised_position_view(found, None))
    rolled = [position for position in positions if position.dice and not position.is_over]
    yield str(len(rolled))


def batches(subject: Subject) -> Lines:
    """The answers to lines, from plain Python and from the kernels."""
    if split_ref(str(subject.solved))[0] not in ruleset_ids():
        return  # lines name shipped rulesets
    lines, solution = [str(position) for position in _positions(subject, "batches", games=4)], subject.solution
    few, _ = LineByLine(lambda _: (solution.states, solution.float_values), None).answer(lines)
    many, _ = ManyLines(lambda _: solution, None).answer(lines)
    assert few == many, subject.name
    yield few


def distributions(subject: Subject) -> Lines:
    """The distribution of the final score, and the chances of every box, at the start and in late positions."""
    if subject.has_chances:
        for position in _some(subject, "distributions", 4):
            yield exact((position, chances(subject.solution, position)))


def reasons(subject: Subject) -> Lines:
    """The breakdown of the value, its moments, and sentences why one action is better than another."""
    if not subject.breakdown:
        return
    yield " ".join(subject.breakdown.names)
    yield exact(subject.breakdown.columns_at(0))
    yield exact(find_moments(subject.solution).at(0))
    chance = subject.chance("reasons")
    for position in _some(subject, "reasons", 30):
        if len(position.actions()) > 1:
            found = why(subject.solution, position, *chance.sample(position.actions(), 2), breakdown=subject.breakdown)
            yield exact((position, found.parts))
            yield from (found.in_language(language(code)) for code in LANGUAGES)


def to_win(subject: Subject) -> Lines:
    """Chances to win and advice to win, near the end of games of two seats."""
    if subject.has_chances:
        late = [p for p in _positions(subject, "odds", games=3, num_seats=2) if 0 < p.card.turns_left <= 2]
        for position in late[:: max(1, len(late) // 6)]:
            yield exact((position, odds(subject.solution, position)))
            found = advise_rival(subject.solution, position)
            yield exact((found.value, found.actions))


def reviews(subject: Subject) -> Lines:
    """The review of a game, as text, page and data."""
    chance, solution = subject.chance("reviews"), subject.solution
    record = Record.start(subject.solved, (Seat("Ann", "human"), Seat("Ben", "human")), DATE)
    while not record.position.is_over:
        position = record.position
        if not position.dice:
            record = record.roll(chance)
            continue
        actions = advise(solution, position).actions
        action = (chance.choice(actions) if chance.random() < 0.3 else actions[0]).action
        record = record.play(action, chance)
    yield str(record)
    reviewed = review(solution, record)
    yield exact([(seat.start_value, seat.rolls, seat.decisions) for seat in reviewed.seats])
    shown = review_view(subject.breakdown, reviewed)
    yield from (line.plain for line in review_lines(shown, record, is_full=True))
    yield format_json(shown)


def simulation(subject: Subject) -> Lines:
    """Simulated games, one array for all of them and decision by decision."""
    if subject.solution.states.has_kernels:
        many = play_many(subject.solution, seed=7, seat=1, first=0, number=200, with_decisions=True)
        yield exact((many.scores, many.points, many.upper_bonus, many.extra_bonus, many.decisions))
        slips = Policy("slips", subject.solution, 0.2)
        games = play_games(subject.solution, slips, 50, np.random.default_rng(5))
        yield exact((games.scores, games.luck, games.loss, games.choices))


def environments(subject: Subject) -> Lines:
    """Random episodes in many environments at once, and in a single one."""
    single, chance = SolitaireEnv(subject.ruleset), subject.chance("environments")
    _, infos = single.reset(seed=3)
    has_ended = False
    while not has_ended:
        action = chance.choice(np.flatnonzero(infos["action_mask"]).tolist())
        shown, reward, has_ended, _, infos = single.step(action)
        yield exact((action, shown, reward, infos["position"]))
    try:
        many = VectorSolitaire(subject.ruleset, 32, threads=1)
    except MalformedError as error:
        yield str(error)
        return
    generator = np.random.default_rng(9)
    observed, infos = many.reset(seed=3)
    for _ in range(4 * subject.ruleset.rounds):
        mask = infos["action_mask"]
        # Half of the actions are scores, so that episodes end.
        chances = mask * np.where(np.arange(mask.shape[1]) < many.numbers.first_keep, mask.shape[1], 1)
        ended = chances.sum(axis=1) == 0
        chances[ended, 0] = 1
        sums = np.cumsum(chances, axis=1)
        actions = (sums <= generator.random(len(sums))[:, np.newaxis] * sums[:, -1:]).sum(axis=1)
        observed, rewards, over, _, infos = many.step(actions)
        yield exact((actions, observed, rewards, over))


def _positions(subject: Subject, part: str, games: int, num_seats: int = 1) -> list[Position]:
    """The positions of random games of what is solved."""
    chance = subject.chance(part)
    return [
        position
        for _ in range(games)
        for position in playthrough(subject.solved, chance, num_seats=num_seats).positions
    ]


def _some(subject: Subject, part: str, number: int) -> list[Position]:
    """Some positions of random games, from the beginning to the end."""
    found = _positions(subject, part, games=2)
    return found[:: max(1, len(found) // number)]


PARTS: dict[str, Callable[[Subject], Lines]] = {
    part.__name__: part
    for part in (
        *(engine, records, explanations, environments),
        *(values, advice, batches, reviews, simulation, distributions, reasons, to_win),
    )
}
"""Every part by name. Those from `values` on need the solution."""
