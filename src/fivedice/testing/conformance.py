"""`check_ruleset`: a conformance test as a plain function, for any ruleset and the engine that plays it.

It computes points, bonuses and totals independently of the engine, from the ruleset's data.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random

from fivedice.dice import Dice, format_dice, rolls, sub_keeps
from fivedice.errors import IllegalError
from fivedice.game.action import Action, Keep, Offer, Score
from fivedice.game.card import ScoreCard
from fivedice.game.notation import parse_action, parse_position
from fivedice.game.position import Position
from fivedice.ruleset import Category, Ruleset
from fivedice.rulesets import load_ruleset, parse_ruleset
from fivedice.testing.playthrough import random_step


def check_ruleset(ruleset: Ruleset, *, num_games: int = 6, seed: int = 0) -> None:
    """Raises `AssertionError` with a sentence about the first violation and where it is.

    Checks the data, then the worked examples, then `num_games` random games of one to three seats, which depend only on
    `seed`.

    >>> check_ruleset(load_ruleset("yahtzee"), num_games=1)
    """
    generator = Random(seed)
    _check_data(ruleset)
    _check_examples(ruleset)
    for number in range(num_games):
        num_seats = number % 3 + 1
        _check_game(Position.start(ruleset, num_seats, generator.randrange(num_seats)), generator)


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
            can_pay = _payments(category, dice)
            assert points == 0 or points in can_pay, (
                f"{ruleset}: {category.id} scores {points} with {format_dice(dice)}; it can pay {_listed(can_pay)}"
            )


def _check_examples(ruleset: Ruleset) -> None:
    for example in ruleset.examples:
        position = parse_position(f"{ruleset} {example.card} {format_dice(example.dice)} r0", ruleset)
        if example.first_roll:
            position = replace(position, rolls_left=position.card.rolls - 1)
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
    assert bool(position.offers()) == bool(position.dice), (
        f"there are offers without dice, or dice without offers, in {position}"
    )
    offered, playable = {offer.action.box for offer in position.offers()}, _playable(position.card)
    closed, missing = sorted(offered - playable), sorted(playable - offered) if position.dice else []
    assert not closed, f"{closed[0]} is offered in {position}, where it is filled or not yet its turn"
    assert not missing or _is_extra(position.card, position.dice), f"{missing[0]} is not offered in {position}"
    for offer in position.offers():
        _check_offer(position, offer)
    can_keep = set(sub_keeps(position.dice)) if position.dice and position.rolls_left else set()
    assert {keep.dice for keep in position.keeps()} == can_keep, f"the keeps are not those of the dice in {position}"

    sizes = [generator.randint(0, ruleset.dice) for _ in range(8)]
    keeps = [Keep(tuple(sorted(generator.choices(range(1, ruleset.faces + 1), k=size)))) for size in sizes]
    scores = [Score(box.id, is_scratch) for box in ruleset.boxes for is_scratch in (False, True)]
    tried: list[Action] = [*position.actions(), *scores, *keeps]
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
    can_pay = _payments(box.category, dice, is_first_roll=position.is_first_roll)
    assert offer.points == 0 or offer.points in can_pay, (
        f"{offer.action} brings {offer.points} in {position}, where {box.id} can pay {_listed(can_pay)}"
    )
    assert not (offer.action.is_scratch and offer.points), f"{offer.action} brings points in {position}"
    earned = ruleset.extra_bonus if _is_extra(card, dice) and all(_in_joker_boxes(card)) else 0
    assert not offer.is_joker or _is_extra(card, dice), (
        f"{offer.action} is a joker in {position}, which is no extra Yahtzee"
    )
    assert offer.bonus == earned, f"{offer.action} brings the bonus {offer.bonus} in {position}, not {earned}"
    wins = box.category.first_roll_wins and position.is_first_roll and offer.points > 0
    assert offer.wins == wins, f"{offer.action} {'wins' if offer.wins else 'does not win'} in {position}"


def _check_scored(position: Position, offer: Offer, after: Position) -> None:
    """One box is written, earned bonuses are in the total at once, and the next seat is to move."""
    ruleset, old, new = position.ruleset, position.card, after.cards[position.seat]
    index = ruleset.box_index[offer.action.box]
    where = f"{offer.action} in {position}"
    written = (*old.boxes[:index], offer.points, *old.boxes[index + 1 :])
    assert new.boxes == written, f"{where} does not write exactly {offer.points} in its box"
    assert new.extras == old.extras + (offer.bonus > 0), (
        f"{where} changes the extra bonuses from {old.extras} to {new.extras}"
    )
    assert new.total == _total(new), f"{where} gives a total of {new.total}, but the card adds up to {_total(new)}"
    assert new.won == offer.wins, f"{where} {'wins' if new.won else 'does not win'} the game"
    assert new.total >= old.total, f"{where} lowers the total from {old.total} to {new.total}"
    assert new.saved == (position.rolls_left if ruleset.saved_rolls else 0), f"{where} saves {new.saved} rolls"

    others = [seat for seat in range(len(position.cards)) if seat != position.seat]
    assert all(after.cards[seat] == position.cards[seat] for seat in others), f"{where} changes another seat's card"
    assert after.seat == (position.seat + 1) % len(position.cards), f"{where} is followed by seat {after.seat}"
    assert (after.dice, after.rolls_left) == ((), ruleset.rolls + after.card.saved), f"{where} leads to {after}"


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


def _playable(card: ScoreCard) -> set[str]:
    """The open boxes; in an ordered column only the next one."""
    found: set[str] = set()
    for number, column in enumerate(card.ruleset.columns):
        is_open = [box.id for box in card.ruleset.boxes if box.column == number and card.points(box.id) is None]
        found.update({"free": is_open, "down": is_open[:1], "up": is_open[-1:]}[column.order])
    return found


def _in_joker_boxes(card: ScoreCard) -> list[int | None]:
    category = card.ruleset.joker_category
    return [card.points(box.id) for box in card.ruleset.boxes if box.category.id == category]


def _is_extra(card: ScoreCard, dice: Dice) -> bool:
    jokers = _in_joker_boxes(card)
    return len(set(dice)) == 1 and bool(jokers) and None not in jokers


def _listed(numbers: set[int]) -> str:
    return ", ".join(map(str, sorted(numbers)))


def _payments(category: Category, dice: Dice, *, is_first_roll: bool = False) -> set[int]:
    """The points that a match with these dice can pay: with `matched`, the sum of any of the dice."""
    if isinstance(category.pays, int):
        base = {category.pays}
    elif category.pays == "total":
        base = {sum(dice)}
    else:
        base = {sum(keep) for keep in sub_keeps(dice) if keep}
    plus = category.plus + (category.first_roll_bonus if is_first_roll else 0)
    return {points + plus for points in base}


def _total(card: ScoreCard) -> int:
    """The card added up, column by column."""
    ruleset = card.ruleset
    total = card.extras * ruleset.extra_bonus
    for number, column in enumerate(ruleset.columns):
        points = {"upper": 0, "lower": 0}
        for box, written in zip(ruleset.boxes, card.boxes, strict=True):
            if box.column == number:
                points[box.category.section] += written or 0
        reached = [tier.points for tier in ruleset.upper_bonus if tier.at <= points["upper"]]
        total += column.multiplier * (sum(points.values()) + max(reached, default=0))
    return total
