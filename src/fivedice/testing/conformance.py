"""`check_ruleset`: a conformance test as a plain function, for any ruleset and the engine that plays it.

It compares the engine with `fivedice.testing.second_reading`, in games of random steps (`Playthrough`).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from random import Random

from fivedice.analysis.ruleset_report import RulesetReport, report_on
from fivedice.base.errors import IllegalError
from fivedice.base.processors import default_memory_limit
from fivedice.game.action import LATER, Action, Announce, Keep, Offer, Score
from fivedice.game.notation import parse_action, parse_position
from fivedice.game.position import Position
from fivedice.rulesets import as_ruleset, load_ruleset, parse_ruleset
from fivedice.rulesets.dice import Dice, format_dice, rolls, sub_keeps
from fivedice.rulesets.options import parse_options
from fivedice.rulesets.ruleset import Ruleset
from fivedice.testing.second_reading import card_total, in_joker_boxes, is_equal, is_extra, payments, playable_boxes


@dataclass(frozen=True, slots=True)
class Playthrough:
    """`actions[i]` leads from `positions[i]` to `positions[i + 1]`; it is None for the first roll of a turn."""

    positions: tuple[Position, ...]
    actions: tuple[Action | None, ...]


def playthrough(ruleset: Ruleset, generator: Random, num_seats: int = 1, first: int = 0) -> Playthrough:
    """A complete game of random steps."""
    positions = [Position.start(ruleset, num_seats, first)]
    actions: list[Action | None] = []
    while not positions[-1].is_over:
        action, after = random_step(positions[-1], generator)
        positions.append(after)
        actions.append(action)
    return Playthrough(tuple(positions), tuple(actions))


def random_step(position: Position, generator: Random) -> tuple[Action | None, Position]:
    """The first roll of a turn (None) or a random legal action, and the position after it.

    Half of the rolls show a single face, and half of the actions are the score with the most points, so that bonuses
    and extra Yahtzees occur in every game; with fair dice and random actions they would be rare.
    """
    if not position.dice:
        return None, position.roll(_some_dice(position.ruleset, (), generator))
    action: Action
    if generator.random() < 1 / 2 and position.offers():
        action = max(position.offers(), key=lambda offer: offer.points).action
    else:
        action = generator.choice(position.actions())
    if isinstance(action, Keep):
        return action, position.play(action, _some_dice(position.ruleset, action.dice, generator))
    return action, position.play(action)


def _some_dice(ruleset: Ruleset, kept: Dice, generator: Random) -> Dice:
    num_rolled = ruleset.dice - len(kept)
    if generator.random() < 1 / 2:
        face = kept[0] if kept else generator.randint(1, ruleset.faces)
        return (face,) * num_rolled
    return tuple(generator.randint(1, ruleset.faces) for _ in range(num_rolled))


def check_ruleset(
    ruleset: Ruleset | str, *, num_games: int = 6, seed: int = 0, memory_limit: int | None = None
) -> RulesetReport:
    """A report on a ruleset; raises `AssertionError` with a sentence about the first violation and where it is.

    Checks the data, then the worked examples, then `num_games` random games of one to three seats, which depend only on
    `seed`. `memory_limit`, in bytes, is what solving may need, by default that of `solve`.

    >>> report = check_ruleset(load_ruleset("yahtzee"), num_games=1)
    >>> report.most_rolls, report.is_solvable, report.warnings
    (39, True, ())
    """
    ruleset, generator = as_ruleset(ruleset), Random(seed)
    _check_data(ruleset)
    _check_examples(ruleset)
    for number in range(num_games):
        num_seats = number % 3 + 1
        _check_game(Position.start(ruleset, num_seats, generator.randrange(num_seats)), generator)
    return report_on(ruleset, memory_limit=default_memory_limit() if memory_limit is None else memory_limit)


def _check_data(ruleset: Ruleset) -> None:
    ids = [box.id for box in ruleset.boxes]
    assert len(set(ids)) == len(ids), f"{ruleset}: two boxes share an id among {', '.join(ids)}"
    assert len(ids) == len(ruleset.categories) * len(ruleset.columns), f"{ruleset}: a column lacks a box"
    assert 1 <= ruleset.rounds <= len(ids), f"{ruleset}: {ruleset.rounds} rounds cannot fill {len(ids)} boxes"
    if ruleset.file is not None:
        again = parse_ruleset(ruleset.file.text, ruleset.file.ref, dict(ruleset.options))
        assert again.digest == ruleset.digest, f"{ruleset}: its text has the digest {again.digest}"
        assert str(again) == str(ruleset), f"{ruleset}: its text makes {again}"
        if ruleset.file.is_shipped:
            assert load_ruleset(str(ruleset)) == ruleset, f"{ruleset}: its name loads other rules"
    for dice in rolls(ruleset.dice, ruleset.faces):
        for category, points in zip(ruleset.categories, ruleset.face_scores(dice), strict=True):
            can_pay = payments(category, dice, roll=LATER)
            assert points == 0 or points in can_pay, (
                f"{ruleset}: {category.id} scores {points} with {format_dice(dice)}; it can pay {_listed(can_pay)}"
            )


def _check_examples(ruleset: Ruleset) -> None:
    for example in ruleset.examples:
        if example.options:
            _check_examples(
                replace(
                    ruleset.but(**parse_options(example.options, str(ruleset))),
                    examples=(replace(example, options=""),),
                )
            )
            continue
        position = parse_position(f"{ruleset} {example.card} {format_dice(example.dice)} r0", ruleset)
        if example.roll:
            position = replace(position, rolls_left=position.card.rolls - example.roll)
        found = [offer for offer in position.offers() if offer.action == Score(example.box)]
        expected = (example.points, example.bonus) if example.points is not None else "closed"
        actual = (found[0].points, found[0].bonus) if found else "closed"
        assert actual == expected, (
            f"{ruleset}: {example.says!r}: {example.box} is {actual} in {position}, not {expected}"
        )


def _check_game(position: Position, generator: Random) -> None:
    num_turns = [0] * len(position.cards)
    while not position.is_over:
        _check_text(position)
        _check_actions(position, generator)
        action, after = random_step(position, generator)
        if isinstance(action, Score):
            num_turns[position.seat] += 1
            _check_scored(position, position.offer_for(action), after)
        elif isinstance(action, Announce):
            _check_announced(position, action, after)
        else:
            assert after.cards == position.cards, f"{action or 'the first roll'} changes a card in {position}"
        position = after
    _check_end(position, num_turns, generator)


def _check_text(position: Position) -> None:
    assert parse_position(str(position), position.ruleset) == position, f"{position} is read as something else"
    for action in position.actions():
        assert parse_action(str(action)) == action, f"{action} is read as something else"


def _check_actions(position: Position, generator: Random) -> None:
    """Actions are legal if and only if `play` accepts them; offers are for open boxes and attainable points."""
    ruleset, actions = position.ruleset, set(position.actions())
    assert _is_accepted(lambda: position.roll((1,) * ruleset.dice)) == (not position.dice and not position.is_over), (
        f"{position} accepts a roll against the rules, or refuses a legal one"
    )
    assert len(actions) == len(position.actions()), f"an action is listed twice in {position}"
    assert bool(position.offers()) == (bool(position.dice) and bool(playable_boxes(position.card))), (
        f"there are offers without dice or an open box, or none with both, in {position}"
    )
    offered, playable = {offer.action.box for offer in position.offers()}, playable_boxes(position.card)
    closed, missing = sorted(offered - playable), sorted(playable - offered) if position.dice else []
    assert not closed, f"{closed[0]} is offered in {position}, where it is filled or not yet its turn"
    points = [offer.points for offer in position.offers()]
    is_forced = ruleset.forced_score and max(points, default=0) > 0
    assert not missing or is_forced or is_extra(position.card, position.dice), (
        f"{missing[0]} is not offered in {position}"
    )
    assert not is_forced or min(points) > 0, f"a zero is offered in {position}, which must be scored"
    for offer in position.offers():
        _check_offer(position, offer)
    may_keep = position.dice and position.rolls_left and not position.card.must_announce
    can_keep = set(sub_keeps(position.dice)) if may_keep else set()
    assert {keep.dice for keep in position.keeps()} == can_keep, f"the keeps are not those of the dice in {position}"
    assert bool(actions) == bool(position.dice), (
        f"there are actions without dice, or dice without actions, in {position}"
    )

    sizes = [generator.randint(0, ruleset.dice) for _ in range(8)]
    keeps = [Keep(tuple(sorted(generator.choices(range(1, ruleset.faces + 1), k=size)))) for size in sizes]
    scores = [Score(box.id, is_scratch) for box in ruleset.boxes for is_scratch in (False, True)]
    announcements = [Announce(box.id) for box in ruleset.boxes]
    tried: list[Action] = [*position.actions(), *scores, *announcements, *keeps]
    for action in tried:
        assert _is_accepted(partial(_play, position, action)) == (action in actions), (
            f"{action} is {'listed but refused' if action in actions else 'accepted but not listed'} in {position}"
        )


def _is_accepted(step: Callable[[], Position]) -> bool:
    try:
        step()
    except IllegalError:
        return False
    return True


def _play(position: Position, action: Action) -> Position:
    rolled = (1,) * (position.ruleset.dice - len(action.dice)) if isinstance(action, Keep) else ()
    return position.play(action, rolled)


def _check_offer(position: Position, offer: Offer) -> None:
    ruleset, card, dice = position.ruleset, position.card, position.dice
    box = ruleset.boxes[ruleset.box_index[offer.action.box]]
    attainable = ruleset.attainable(box.category)
    assert offer.points in attainable, f"{offer.action} brings {offer.points}, unattainable, in {position}"
    can_pay = payments(box.category, dice, roll=position.roll_number)
    is_announced = ruleset.columns[box.column].announced
    assert card.announced == (box.id if is_announced else ""), (
        f"{offer.action} is offered in {position}, where {card.announced or 'nothing'} is announced"
    )
    assert offer.points == 0 or offer.points in can_pay, (
        f"{offer.action} brings {offer.points} in {position}, where {box.id} can pay {_listed(can_pay)}"
    )
    assert not (offer.action.is_scratch and offer.points), f"{offer.action} brings points in {position}"
    earned = 0
    jokers = in_joker_boxes(card)
    holds_points = [points is not None if ruleset.bonus_after_zero else bool(points) for points in jokers]
    if jokers and is_equal(dice) and all(holds_points) and not (ruleset.first_in_box and card.elsewhere):
        is_paid = bool(offer.points) or not ruleset.bonus_needs_points
        if ruleset.bonus_in_upper:
            is_paid &= box.category.section == "upper" and box.category.arguments.get("face") == dice[0]
        times = ruleset.columns[box.column].multiplier if ruleset.bonus_by_column else 1
        earned = times * ruleset.extra_bonus * is_paid
    assert not offer.is_joker or is_extra(card, dice), (
        f"{offer.action} is a joker in {position}, which is no extra Yahtzee"
    )
    assert offer.bonus == earned, f"{offer.action} brings the bonus {offer.bonus} in {position}, not {earned}"
    wins = box.category.first_roll_wins and position.is_first_roll and offer.points > 0
    assert offer.wins == wins, f"{offer.action} {'wins' if offer.wins else 'does not win'} in {position}"


def _check_scored(position: Position, offer: Offer, after: Position) -> None:
    """One box is written, earned bonuses count at once, and the next seat is to move."""
    ruleset, old, new = position.ruleset, position.card, after.cards[position.seat]
    index = ruleset.box_index[offer.action.box]
    where = f"{offer.action} in {position}"
    written = (*old.boxes[:index], offer.points, *old.boxes[index + 1 :])
    assert new.boxes == written, f"{where} does not write exactly {offer.points} in its box"
    assert new.extra_bonus == old.extra_bonus + offer.bonus, (
        f"{where} changes the extra bonuses from {old.extras} to {new.extras}"
    )
    is_first = is_equal(position.dice) and set(in_joker_boxes(new)) == {None}
    is_elsewhere = old.elsewhere or (ruleset.tracks_first and is_first)
    assert new.elsewhere == is_elsewhere, (
        f"{where} {'notes' if new.elsewhere else 'does not note'} first equal dice elsewhere"
    )
    assert new.total == card_total(new), (
        f"{where} gives a total of {new.total}, but the card adds up to {card_total(new)}"
    )
    assert new.won == offer.wins, f"{where} {'wins' if new.won else 'does not win'} the game"
    assert new.announced == "", f"{where} leaves {new.announced} announced"
    assert new.total >= old.total or ruleset.lines, f"{where} lowers the total from {old.total} to {new.total}"
    assert new.saved == (position.rolls_left if ruleset.saved_rolls else 0), f"{where} saves {new.saved} rolls"

    others = [seat for seat in range(len(position.cards)) if seat != position.seat]
    assert all(after.cards[seat] == position.cards[seat] for seat in others), f"{where} changes another seat's card"
    assert after.seat == (position.seat + 1) % len(position.cards), f"{where} is followed by seat {after.seat}"
    assert (after.dice, after.rolls_left) == ((), ruleset.rolls + after.card.saved), f"{where} leads to {after}"


def _check_announced(position: Position, action: Announce, after: Position) -> None:
    """A box of an announced column is noted on the card, and only this box can be filled."""
    ruleset, where = position.ruleset, f"{action} in {position}"
    box = ruleset.boxes[ruleset.box_index[action.box]]
    assert ruleset.columns[box.column].announced, f"{where} is not of a column that is announced"
    assert position.is_first_roll, f"{where} is not right after the first roll"
    assert not position.card.announced, f"{where} comes after another announcement"
    assert after.card == replace(position.card, announced=box.id), f"{where} leads to {after}"
    same = (position.dice, position.rolls_left)
    assert (after.dice, after.rolls_left) == same, f"{where} changes the dice or rolls"
    assert {offer.action.box for offer in after.offers()} == {box.id}, f"{where} lets another box be filled"


def _check_end(position: Position, num_turns: list[int], generator: Random) -> None:
    _check_text(position)
    _check_actions(position, generator)
    if any(card.won for card in position.cards):
        return
    rounds = position.ruleset.rounds
    assert set(num_turns) == {rounds}, f"{position} ends after {num_turns} turns, not after {rounds} for every seat"
    best = max(card.total for card in position.cards)
    winners = tuple(seat for seat, card in enumerate(position.cards) if card.total == best)
    assert position.winners == winners, f"the winners of {position} are {position.winners}, not {winners}"


def _listed(numbers: set[int]) -> str:
    return ", ".join(map(str, sorted(numbers)))
