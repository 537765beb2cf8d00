"""A table with real dice: its people roll them, and enter what they show."""

from random import Random

import msgspec
import pytest

from fivedice.game.record import Record, parse_record
from fivedice.game.verification import verify_record
from fivedice.rulesets import ruleset_ids
from fivedice.server.table.apply import replay
from fivedice.server.table.create import NewTable, create_rematch
from fivedice.server.table.history import decode
from fivedice.server.table.state import State
from fivedice.server.table.to_record import record_of
from fivedice.server.table.verbs import AnyCommand
from fivedice.server.table.verbs.begin import AddNonce
from fivedice.server.table.verbs.end import Rematch, Resign
from fivedice.server.table.verbs.play import Announce, Enter
from fivedice.server.table.view import view
from tests.amount import amount
from tests.server.scripted import NOW, SECRET, Live, Scripted, people


def real(*names: str, rules: str = "yahtzee") -> Live:
    """A table with real dice; the program has none to roll."""
    return Live(NewTable(seats=people(*names), rules=rules, dice="real"), chance=Scripted({}))


def enter(game: Live, dice: str, kept: str = "", missing: int = 0) -> Enter:
    """A command to enter faces in their places for the seat to move; `kept` marks places, as in `x..x.`."""
    marks, seat = [mark == "x" for mark in kept], game.table.position.seat
    return game.command(Enter, seat=seat, dice=list(map(int, dice)), kept=marks, missing=missing)


def record(game: Live) -> Record:
    return record_of(game.table, game.events, SECRET)


def any_entry(game: Live, chance: Random, most_missing: int) -> AnyCommand:
    turn, position, seat = game.table.turn, game.table.position, game.table.position.seat
    dice = [chance.randint(1, position.ruleset.faces) for _ in range(position.ruleset.dice)]
    if not turn.places:
        missing = chance.randint(0, min(most_missing, position.most_missing))
        return game.command(Enter, seat=seat, dice=dice, kept=[], missing=missing)
    if position.keeps() and chance.random() < 0.4:
        kept = [chance.random() < 0.5 for _ in dice]
        stays = zip(turn.places, dice, kept, strict=True)
        shown = [old if is_kept else new for old, new, is_kept in stays]
        return game.command(Enter, seat=seat, dice=shown, kept=kept)
    if position.announcements() and (not position.offers() or chance.random() < 0.5):
        return game.command(Announce, seat=seat, box=chance.choice(position.announcements()).box)
    action = chance.choice(position.offers()).action
    return game.score(action.box, scratch=action.is_scratch)


def play(game: Live, chance: Random, most_missing: int = 0) -> None:
    while game.table.state is State.PLAYING:
        game.do(any_entry(game, chance, most_missing))


def test_a_turn_is_entered_roll_by_roll_or_only_its_last_roll() -> None:
    game = real("Ann", "Bob")
    game.do(enter(game, "33456"))
    game.do(enter(game, "33163", "xx..."))
    assert str(game.table.position) == "yahtzee -/- 13336 r1"
    game.do(game.score("threes"))
    game.do(enter(game, "66612", missing=2))
    assert str(game.table.position) == "yahtzee threes=9/- @1 12666 r0"
    game.do(game.score("sixes"))
    assert record(game).lines == ["0: 33456, keep 33, 13336, score threes = 9", "1: -, -, 12666, score sixes = 18"]


def test_who_leads_is_shown_with_the_points() -> None:
    game = real("Ann", "Bob", "Cem")
    assert view(game.table, secret=SECRET).lead is None
    for dice, box in (("66661", "sixes"), ("55551", "fives"), ("11166", "ones")):
        game.do(enter(game, dice))
        game.do(game.score(box))
    lead = view(game.table, secret=SECRET).lead
    assert lead
    assert (lead.seats, lead.points) == ([0], 4)


def test_the_program_rolls_nothing_and_proves_nothing() -> None:
    game = real("Ann", "Bob")
    shown = view(game.table, secret=SECRET)
    assert (shown.dice, shown.proof, game.table.created.commitment) == ("real", None, "")
    detail = "this table is played with real dice: roll them, and enter what they show"
    assert game.refusal(game.roll()) == ("illegal", detail)
    assert "there is no secret, and so no nonce" in game.refusal(game.command(AddNonce, seat=0, nonce="0f"))[1]
    play(game, Random(1))
    rolling = Live(NewTable(seats=people("Ann")))
    assert "this table rolls its own dice" in rolling.refusal(enter(rolling, "33456"))[1]
    assert SECRET.hex().encode() not in msgspec.json.encode(view(game.table, secret=SECRET))
    with pytest.raises(ValueError, match="real dice, entered by hand: there is nothing to verify"):
        verify_record(record(game))


@pytest.mark.parametrize(
    ("before", "dice", "kept", "missing", "why"),
    [
        (0, "33457", "", 0, "faces from 1 to 6"),
        (0, "3345", "", 0, "4 dice are rolled: want 5"),
        (0, "33456", "xx...", 0, "keeps no dice"),
        (0, "33456", "", 3, "3 rolls are missing before the first known one: want at most 2 here"),
        (1, "43456", "x....", 0, "a kept die shows another face"),
        (1, "33456", "xx...", 1, "only before the first"),
        (3, "33456", "xx...", 0, "no roll is left"),
    ],
)
def test_dice_that_cannot_be_are_refused_with_the_reason(
    before: int, dice: str, kept: str, missing: int, why: str
) -> None:
    game = real("Ann")
    for number in range(before):
        game.do(enter(game, "33456", "xx..." if number else ""))
    assert why in game.refusal(enter(game, dice, kept, missing))[1]


def test_every_entry_can_be_taken_back_to_the_beginning_also_after_the_end() -> None:
    game, chance = real("Ann", "Bob", rules="crag"), Random(3)
    tables = [game.table]
    while game.table.state is State.PLAYING:
        game.do(any_entry(game, chance, 2))
        tables.append(game.table)
    for before in reversed(tables[:-1]):
        seat = game.table.undo_seat
        assert seat is not None
        game.do(game.undo(seat))
        assert (game.table.turn, game.table.state) == (before.turn, State.PLAYING)
    assert game.table.undo_seat is None
    assert "no score to take back" in game.refusal(game.undo(0))[1]
    assert record(game).lines == []
    play(game, chance)
    assert game.table.state is State.OVER


def test_a_resignation_is_taken_back_and_nothing_after_a_rematch() -> None:
    game = real("Ann", "Bob")
    game.do(enter(game, "33456"))
    game.do(game.command(Resign, seat=1))
    assert game.table.state is State.OVER
    game.do(game.undo(0))
    assert str(game.table.position) == "yahtzee -/- 33456 r2"
    assert record(game).lines == ["0: 33456"]
    game.do(game.command(Resign, seat=1))
    game.do(game.command(Rematch, seat=0))
    assert game.table.undo_seat is None
    created = create_rematch(game.table, "rematch1", "ab" * 32, NOW)
    assert (created.dice, created.commitment) == ("real", "")


@pytest.mark.parametrize("ruleset", ruleset_ids())
def test_random_entries_replay_and_their_record_round_trips_under_all_rules(ruleset: str) -> None:
    for seed in range(amount(1, full=20)):
        chance = Random(seed)
        game = real("Ann", "Bob", rules=ruleset)
        seen = set()
        while game.table.state is State.PLAYING:
            seat = game.table.undo_seat
            if seat is not None and chance.random() < 0.1:
                game.do(game.undo(seat))
            else:
                game.do(any_entry(game, chance, 9))
            seen.add(str(game.table.position))
        stored = [decode(msgspec.json.encode(event)) for event in game.events]
        assert replay(stored) == game.table
        found = record(game)
        assert found.position == game.table.position
        assert parse_record(str(found)) == found
        decided = {str(position) for _, position, action in found.decisions() if action}
        assert decided <= seen
