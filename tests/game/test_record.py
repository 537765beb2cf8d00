"""Records: they replay, and invalid ones are refused with the line and the reason. Those of real dice say so, may lack
rolls, and prove nothing. They tell who gave up a game, in which the others play on without the seat."""

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fivedice.base.errors import IllegalError, MalformedError, UnknownError
from fivedice.game.action import Keep, Score
from fivedice.game.notation import parse_position
from fivedice.game.position import Position
from fivedice.game.record import Record, Seat, parse_game, parse_record
from fivedice.game.record_lines import outline_of, read_lines
from fivedice.game.verification import verify_record
from fivedice.game.wording import outcome
from fivedice.rulesets import load_ruleset, parse_ruleset, ruleset_ids
from fivedice.testing.conformance import random_step
from fivedice.testing.tiny import TINY, TINY_TURNS
from fivedice.views.to_dict import record_check_view
from tests.amount import amount
from tests.game.record_grammar import first_bad_line
from tests.game.table_game import table_game
from tests.repository import ROOT

DATE = "2026-11-21T10:00:00+00:00"
PAIR_GAME = """
id = "pair_game"
dice = 2
faces = 3
rolls = 2

[categories]
# one box for a face, one for a pair
ones = { scorer = "sum_of_face", face = 1 }

pair = { scorer = "n_of_a_kind", n = 2, pays = 10 }
"""


def test_a_record_is_written_as_documented() -> None:
    page = ROOT / "docs" / "glossary.md"
    blocks = re.findall(r"```\n(fivedice record 1\n.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == 1
    record = parse_record(blocks[0])
    assert str(record) == blocks[0]
    assert record.position.card.num_filled == 0
    assert record.position.cards[0].total == 9


@pytest.mark.parametrize("line_end", ["", "\u2028", "\u2029", "\x85", "\r\n"])
def test_a_record_includes_the_text_of_a_users_rules_also_with_unusual_line_separators(line_end: str) -> None:
    ruleset = parse_ruleset(PAIR_GAME.replace("face, ", f"face,{line_end}# "), "pair.toml").but(rolls=3)
    record = table_game(ruleset_ref=ruleset, seats=(Seat("Ann", "human"),), seed=1)
    text = str(record)
    assert "rules:\n\n  id = " in text
    assert "ruleset: pair.toml\noptions: rolls=3\n" in text
    assert parse_record(text) == record


@pytest.mark.parametrize("name", ["\x1b[2J", "a b", "pair.toml[rolls=3]", "a" * 501])
def test_the_name_of_a_users_rules_must_be_valid_in_notation(name: str) -> None:
    text = str(Record.start(parse_ruleset(PAIR_GAME, "pair.toml"), (Seat("Ann", "human"),), DATE))
    with pytest.raises(MalformedError, match="line 2: ruleset '"):
        parse_record(text.replace("ruleset: pair.toml", f"ruleset: {name}"))


def test_tied_players_share_the_victory_in_a_record() -> None:
    ruleset = parse_ruleset(PAIR_GAME)
    record = Record.start(ruleset, (Seat("Ann", "human"), Seat("Ben", "human")), DATE)
    for box in ("pair", "pair", "ones", "ones"):
        record = record.roll((2, 2)).play(Score(box))
    assert record.result == "10 10, seats 0 and 1 share the victory"
    assert parse_record(str(record)) == record


GOOD = str(
    Record.start(load_ruleset("yahtzee"), (Seat("Ann", "human"),), DATE).roll((3, 3, 1, 4, 5))
    .play(Keep((3, 3)), (6, 5, 2)).play(Score("threes")).roll((6, 6, 6, 6, 6)).play(Score("yahtzee"))
)  # fmt: skip

FAULTS = [
    ("fivedice record 1", "fivedice record 9", MalformedError, "line 1: a record begins with"),
    ("options: -\n", "", MalformedError, "line 3: want 'options: …'"),
    ("ruleset: yahtzee", "ruleset: yahtze", UnknownError, "line 2: there is no ruleset 'yahtze'"),
    ("options: -", "options: joker=free", IllegalError, "line 4: digest .* is not that of yahtzee\\[joker=free\\]"),
    ("options: -", "options: joker", MalformedError, "line 2: ruleset 'yahtzee': option 'joker' is not of the form"),
    ("seats: Ann=human", "seats: =", MalformedError, "line 5: seat '='"),
    (GOOD[GOOD.index("first: 0") :], "", MalformedError, "line 6: want 'first: …', found ''"),
    ("first: 0", "first: 1", IllegalError, "line 6: seat 1 cannot begin"),
    ("first: 0", "first: one", MalformedError, "line 6: first 'one'"),
    (DATE, "yesterday", MalformedError, "line 7: date 'yesterday'"),
    ("result: 56", "result: 57", IllegalError, "line 8: result '57, .*', but the turns come to '56, unfinished'"),
    ("keep 33,", "keep 34,", IllegalError, "line 10: roll 23356 does not hold the dice of 'keep 34'"),
    ("keep 33,", "keep 33 = 9,", MalformedError, "line 10: 'keep 33 = 9': a keep scores nothing"),
    ("score threes = 6", "score threes = 9", IllegalError, "line 10: 'score threes = 9': score threes gives 6"),
    ("score threes = 6", "score thirds = 6", IllegalError, "line 10: .*the card has no box thirds"),
    ("score threes = 6", "score threes = 6, score ones = 0", MalformedError, "line 10: .* after the end of the turn"),
    (", score threes = 6", "", IllegalError, "line 11: the turn before this one is not finished"),
    ("0: 13345", "1: 13345", IllegalError, "line 10: want '0: …'"),
    ("0: 13345", "0: 1334", MalformedError, "line 10: rolled 1334: want 5 dice"),
    ("0: 66666, score yahtzee = 50", "0: 66666, keep 66", MalformedError, "line 11: after 'keep 66'"),
    ("0: 66666, score yahtzee = 50", "0: 66666, hold 66", MalformedError, "line 11: action 'hold 66'"),
    ("0: 66666, score yahtzee = 50", "0: 66666, score threes = 0", IllegalError, "line 11: .* is filled, with 6"),
]


@pytest.mark.parametrize(("old", "new", "kind", "sentence"), FAULTS)
def test_an_invalid_record_is_refused_with_line_and_reason(
    old: str, new: str, kind: type[ValueError], sentence: str
) -> None:
    assert old in GOOD
    with pytest.raises(kind, match=sentence):
        parse_record(GOOD.replace(old, new))


def test_an_oversized_record_is_refused_without_parsing() -> None:
    with pytest.raises(MalformedError, match="1,000,001 characters is too long"):
        parse_record("x" * 1_000_001)


REAL_DICE = """fivedice record 1
ruleset: yahtzee
options: -
digest: 423d5fcbe6c00ba5
seats: Ann=human,Ben=human
first: 0
date: 2026-11-21T10:00:00+00:00
result: 9 18, unfinished
dice: real

0: 33456, keep 33, 13336, score threes = 9
1: -, -, 12666, score sixes = 18
0: -, 12345
"""


def test_a_record_of_real_dice_round_trips_names_its_table_and_has_nothing_to_verify() -> None:
    record = parse_record(REAL_DICE)
    assert (record.dice, str(record)) == ("real", REAL_DICE)
    assert str(record.position) == "yahtzee threes=9/sixes=18 12345 r1"
    assert [str(position) for number, position, _ in record.decisions() if number] == [
        "yahtzee threes=9/- @1 12666 r0",
        "yahtzee threes=9/sixes=18 12345 r1",
    ]
    assert first_bad_line(REAL_DICE) is None
    assert read_lines(REAL_DICE).turns[1].rolls == ((1, 2, 6, 6, 6),)
    assert record_check_view(REAL_DICE, load_ruleset).ok
    wrong = record_check_view(REAL_DICE.replace("score threes = 9", "score threes = 8"), load_ruleset)
    assert (wrong.ok, wrong.part, wrong.line) == (False, "turn", 11)
    with pytest.raises(UnknownError, match="real dice, entered by hand: there is nothing to verify"):
        verify_record(REAL_DICE)
    at_table = REAL_DICE.replace("dice: real", "dice: real, table k7Qm2x")
    assert (parse_record(at_table).table, str(parse_record(at_table))) == ("k7Qm2x", at_table)
    assert outline_of(at_table).table == "k7Qm2x"


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("dice: real\n", "", "line 11: only rolls of real dice can be missing"),
        ("-, -, 12666", "-, -, -, 12666", "line 12: 3 rolls are missing before the first known one: want at most 2"),
        ("-, 12345", "-", "line 13: .*dice"),
        ("dice: real", "dice: loaded", "line 9"),
    ],
)
def test_a_damaged_record_of_real_dice_is_refused_with_its_line(old: str, new: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parse_game(REAL_DICE.replace(old, new, 1))


def test_no_roll_is_missing_where_a_box_must_be_announced_or_dice_lie() -> None:
    start = Position.start("yahtzee")
    assert start.most_missing == 2
    assert str(start.roll("33456", missing=1)) == "yahtzee - 33456 r1"
    assert start.roll("33456").most_missing == 0
    yamb = load_ruleset("yamb")
    others = [index for index in range(len(yamb.boxes)) if index not in yamb.announceable_boxes]
    card = ",".join(f"{yamb.boxes[index].id}={min(yamb.attainable_by_box[index])}" for index in others)
    last = Position.parse(f"{yamb} {card} - r3")
    assert last.card.must_announce
    assert last.most_missing == 0


def record(num_seats: int, ruleset: str = "yahtzee", first: int = 0) -> Record:
    seats = tuple(Seat(name, "human") for name in ("Ann", "Ben", "Cem", "Dora")[:num_seats])
    return Record.start(load_ruleset(ruleset), seats, DATE, first)


@settings(max_examples=amount(60, full=400), deadline=None)
@given(
    ruleset=st.sampled_from([*TINY, *TINY_TURNS]),
    num_seats=st.integers(1, 4),
    seed=st.integers(0, 10**6),
    share=st.sampled_from([0.02, 0.1, 0.4]),
)
def test_play_goes_on_without_the_seats_that_resigned(ruleset: str, num_seats: int, seed: int, share: float) -> None:
    chance = random.Random(seed)
    rules = (TINY | TINY_TURNS)[ruleset]
    position = Position.start(rules, num_seats, chance.randrange(num_seats))
    gone: set[int] = set()
    while not position.is_over:
        assert position.seat not in gone
        assert bool(position.actions()) == bool(position.dice)
        if chance.random() < share:
            seat = chance.choice(position.remaining)
            before, position = position, position.resign(seat)
            gone.add(seat)
            if seat != before.seat and not position.is_over:
                assert (position.seat, position.dice, position.rolls_left) == (
                    (before.seat, before.dice, before.rolls_left)
                ), "the seat to move goes on"
            else:
                assert not position.dice
        else:
            position = random_step(position, chance)[1]
        assert parse_position(str(position), rules) == position
        assert position.remaining == tuple(seat for seat in range(num_seats) if seat not in gone)
    assert not gone & set(position.winners)
    if num_seats > 1 and len(gone) == num_seats - 1:
        assert set(position.winners) == set(range(num_seats)) - gone
    elif any(card.won for card in position.cards):
        assert [position.cards[seat].won for seat in position.winners] == [True]
    else:
        best = max((position.cards[seat].total for seat in position.remaining), default=None)
        assert list(position.winners) == [seat for seat in position.remaining if position.cards[seat].total == best]
        assert all(position.cards[seat].is_complete for seat in position.remaining)


@pytest.mark.parametrize(
    ("before", "seat", "after", "winners"),
    [
        ("yahtzee -/-/- 33456 r2", 0, "yahtzee resigned/-/- @1 - r3", ()),
        ("yahtzee resigned/ones=5/- @2 12345 r2", 1, "yahtzee resigned/ones=5,resigned/- @2 - r3", (2,)),
        ("yahtzee -/-/- 33456 r2", 1, "yahtzee -/resigned/- 33456 r2", ()),
        ("yahtzee yahtzee=50/- @1 12345 r2", 0, "yahtzee yahtzee=50,resigned/- @1 - r3", (1,)),
        ("yahtzee - 33456 r2", 0, "yahtzee resigned - r3", ()),
    ],
)
def test_the_turn_passes_on_and_the_last_of_several_seats_wins_whatever_its_points(
    before: str, seat: int, after: str, winners: tuple[int, ...]
) -> None:
    position = parse_position(before).resign(seat)
    assert (str(position), position.winners) == (after, winners)


A_ROLL = (1, 1, 2, 2, 6)


@pytest.mark.parametrize(
    ("game", "written", "result"),
    [
        (record(3).roll(A_ROLL).resign(0).roll(A_ROLL), ["0: 11226, resign", "1: 11226"], "0 0 0, unfinished"),
        (
            record(3).resign(0).roll(A_ROLL).play(Score("twos")).resign(2),
            ["0: resign", "1: 11226, score twos = 4", "2: resign"],
            "0 4 0, seat 1 wins by resignation",
        ),
        (
            record(3).roll(A_ROLL).resign(2).play(Score("twos")),  # it is not to move
            ["2: resign", "0: 11226, score twos = 4"],
            "4 0 0, unfinished",
        ),
        (record(2).roll(A_ROLL).resign(1), ["0: 11226", "1: resign"], "0 0, seat 0 wins by resignation"),
        (record(1).roll(A_ROLL).resign(0), ["0: 11226, resign"], "0, given up"),
    ],
)
def test_a_resignation_ends_the_line_of_its_turn_or_has_one_before_the_turn_of_another_seat(
    game: Record, written: list[str], result: str
) -> None:
    assert (str(game).split("\n\n")[1].splitlines(), game.result) == (written, result)
    assert parse_record(str(game)) == game


def test_the_outcome_names_all_people_who_gave_up() -> None:
    people, computers = record(2).seats, (Seat("Greedy", "greedy"), Seat("Random", "random"))
    game = Record.start(load_ruleset("yahtzee"), (*people, *computers), DATE).resign(0)
    assert outcome(game) == "The game is not finished."
    assert outcome(game.resign(1)) == "Ann and Ben resigned."


@pytest.mark.parametrize(
    ("turns", "line", "message"),
    [
        ("0: 11226\n2: resign", 11, "want this line before that of the turn of another seat"),
        ("0: 11226\n0: resign", 11, "its turn is not finished: want 'resign' at the end of that line"),
        ("0: 11226, resign, score twos = 4", 10, "comes after the end of the turn"),
        ("0: resign\n0: 11226", 11, "want '1: …', the turn of that seat"),
        ("0: resign\n0: resign", 11, "seat 0 has resigned already"),
        ("0: resign\n1: resign\n2: resign", 12, "the game is over: nobody can resign"),
        ("3: resign", 10, "there is no seat 3"),
        ("Ann: resign", 10, "want the number of the seat that resigns"),
    ],
)
def test_a_resignation_in_the_wrong_place_is_refused_with_its_line(turns: str, line: int, message: str) -> None:
    start, _, _ = str(record(3)).partition("\n\n")
    with pytest.raises(ValueError, match=f"line {line}: ") as error:
        parse_record(f"{start}\n\n{turns}\n")
    assert message in str(error.value)


@pytest.mark.parametrize("id", ruleset_ids())
def test_a_game_of_every_ruleset_survives_with_its_proof_and_its_dice_are_verified(id: str) -> None:
    seats, num_resigned = tuple(Seat(name, "human") for name in ("Ann", "Ben", "Cem")), 0
    for seed in range(amount(2, full=20)):
        resigning = 0.05 if seed else 0.0
        game = table_game(ruleset_ref=id, seats=seats, seed=seed, resigning=resigning, opening="random")
        assert parse_record(str(game)) == game
        assert game.position.is_over
        assert seed or not game.resignations
        num_resigned += len(game.resignations)
        assert verify_record(game).problems == ()
        assert str(game).count("  turn ") == len(game.turns)
        at = [position for _, position, _ in game.decisions()]
        assert all(not position.card.resigned and not position.is_over for position in at)
        assert sum(len(turn.rolls) + (turn.announced is not None) for turn in game.turns) == len(at)
    assert num_resigned
