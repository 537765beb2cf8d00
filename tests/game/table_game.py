"""Plays a complete game with the dice of a table, like a server, and returns its record with the proof."""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from fivedice.game.action import Keep
from fivedice.game.placed_turn import PlacedTurn
from fivedice.game.proof import TableDice
from fivedice.game.record import Record, Seat
from fivedice.game.record_proof import RecordProof
from fivedice.game.seats import choose_opening
from fivedice.rulesets import as_ruleset
from fivedice.rulesets.dice import Dice
from fivedice.rulesets.ruleset import Ruleset

TABLE_DICE = TableDice(bytes(range(32)), "k7Qm2x", ("seat 0 5f3a", "watcher 0 00ff"))
SEATS = (Seat("Ann", "human"), Seat("greedy", "greedy"))
DATE = "2026-11-21T10:00:00+00:00"


def table_game(
    table_dice: TableDice = TABLE_DICE,
    *,
    ruleset_ref: Ruleset | str = "yahtzee",
    opening: str = "first",
    max_turns: int = 10_000,
    seed: int = 0,
    seats: tuple[Seat, ...] = SEATS,
    resigning: float = 0.0,
) -> Record:
    """A game by random legal actions: to its end, or to the middle of the turn numbered `max_turns`.

    `resigning` is the chance, at each step, that a seat resigns.
    """
    chance = random.Random(seed)
    ruleset = as_ruleset(ruleset_ref)

    def made(turn: int, roll: int) -> Dice:
        return table_dice.dice(turn, roll, ruleset.dice, ruleset.faces)

    first = choose_opening(opening, ruleset.dice, ruleset.faces, len(seats), table_dice.opening()).first
    record = Record.start(ruleset, seats, DATE, first)
    proof = RecordProof(
        table_dice.table, table_dice.commitment, ruleset.faces, table_dice.nonces, opening, table_dice.secret
    )
    turns: list[PlacedTurn] = []
    while not record.position.is_over:
        if chance.random() < resigning:
            record = record.resign(chance.choice(record.position.remaining))
            continue
        if not record.position.dice:
            places = made(len(turns), 0)
            record = record.roll(places)
            turns.append(PlacedTurn.start(places))
            if len(turns) > max_turns:
                break
            continue
        action = chance.choice(record.position.actions())
        if not isinstance(action, Keep):
            record = record.play(action)
            continue
        kept = any_places_of(action.dice, places, chance)
        rolled = made(len(turns) - 1, len(turns[-1].rolls))
        places = tuple(old if stays else new for old, new, stays in zip(places, rolled, kept, strict=True))
        record = record.play(action, tuple(die for die, stays in zip(places, kept, strict=True) if not stays))
        turns[-1] = turns[-1].roll(places, kept)
    return record.with_proof(replace(proof, turns=tuple(turns)))


def any_places_of(keep: Sequence[int], places: Dice, chance: random.Random) -> tuple[bool, ...]:
    """Marks on places with these dice, at random among equal dice."""
    left = list(keep)
    kept = [False] * len(places)
    for place in chance.sample(range(len(places)), len(places)):
        if places[place] in left:
            left.remove(places[place])
            kept[place] = True
    return tuple(kept)


def with_proof(record: Record, **changes: Any) -> Record:
    assert record.proof
    return record.with_proof(replace(record.proof, **changes))
