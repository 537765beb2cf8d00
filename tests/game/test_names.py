"""Names: any visible characters are accepted as people count them, and a refusal shows nothing of the name."""

import json
import unicodedata

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from fivedice.base.errors import MalformedError
from fivedice.game.names import MAX_NAME_CHARACTERS, checked_name, graphemes, is_name, numbered
from fivedice.game.record import Record, Seat, parse_record
from fivedice.game.seats import format_seats, parse_seat, parse_seats
from fivedice.rulesets import load_ruleset
from tests.repository import ROOT

NAMES: dict[str, list[str]] = json.loads((ROOT / "web" / "src" / "lib" / "names.json").read_text())
"""The names that the test of the page judges too."""

REASONS = {
    "empty": "at least one visible",
    "long": "at most 40 characters",
    "forbidden": "a name (cannot|has at most 15)",
    "marks": "at most (4|15) marks",
}

any_text = st.text(
    st.one_of(st.characters(), st.sampled_from(' ,=:"\\\u200d\u0301\ufe0f👨👩🏽🇸🇪\u3000')), min_size=1, max_size=60
)


@st.composite
def names(draw: st.DrawFn) -> str:
    """Accepted names of any characters."""
    try:
        return checked_name(draw(any_text))
    except MalformedError:
        assume(False)
        raise


plain_names = st.text(st.characters(exclude_characters=",=:", categories=["L", "N", "P", "S"]), min_size=1, max_size=40)
"""Names that records had before there were quotes."""


def record_of(*players: str) -> Record:
    return Record.start(
        load_ruleset("yahtzee"), tuple(Seat(name, "human") for name in players), "2026-11-21T10:00:00+00:00"
    )


@pytest.mark.parametrize("name", NAMES["accepted"])
def test_a_name_of_any_script_is_accepted_and_returns_from_a_record(name: str) -> None:
    checked = checked_name(name)
    assert checked == checked_name(checked)
    assert len(list(graphemes(checked))) <= 40
    record = record_of(checked, "Ben")
    assert parse_record(str(record)) == record


@pytest.mark.parametrize(("group", "name"), [(group, name) for group in REASONS for name in NAMES[group]])
def test_a_refused_name_gets_a_sentence_without_the_name(group: str, name: str) -> None:
    with pytest.raises(MalformedError, match=REASONS[group]) as refused:
        checked_name(name)
    sentence = str(refused.value)
    assert "\\" not in sentence
    assert sentence.isascii()
    assert sentence.isprintable()


@given(names(), st.integers(1, 100_000))
@example("a" + "👨\u200d👩\u200d👧\u200d👦" * 6, 2)
def test_a_name_with_a_number_is_a_name_that_ends_with_it(name: str, number: int) -> None:
    assert checked_name(numbered(name, number)).endswith(f" {number}")


def test_names_are_normalized() -> None:
    assert checked_name(" \u3000Zoe\u0308\u00a0 Xu\u3000Li ") == "Zoë  Xu Li"


@pytest.mark.parametrize("name", NAMES["marks"])
def test_a_record_with_a_name_that_is_refused_today_is_still_read(name: str) -> None:
    record = record_of(unicodedata.normalize("NFC", name), "Ben")
    assert parse_record(str(record)) == record


@given(any_text)
def test_graphemes_divide_a_text(text: str) -> None:
    assert "".join(graphemes(text)) == text
    assert all(graphemes(text))


@given(st.text(max_size=60))
def test_an_accepted_name_cannot_control_a_terminal_or_the_direction_of_text(text: str) -> None:
    try:
        name = checked_name(text)
    except MalformedError:
        return
    assert 0 < len(name) <= MAX_NAME_CHARACTERS
    assert not {unicodedata.category(one) for one in name} & {"Cc", "Cs", "Co", "Zl", "Zp"}
    assert not set(name) & set("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    assert is_name(name)


@given(st.lists(st.one_of(names(), plain_names), min_size=1, max_size=4))
@example(['"Ann', 'Ben"', "a,b"])
@example(['"A=human', ":x,y"])
@example(["A\\", '\\",\\"', "=,:"])
def test_a_record_returns_every_name(players: list[str]) -> None:
    record = record_of(*players)
    text = str(record)
    assert parse_record(text) == record
    assert str(parse_record(text)) == text
    assert [parse_seat(str(seat)) for seat in record.seats] == list(record.seats)


def test_if_one_name_needs_quotes_all_names_have_them() -> None:
    seats = (Seat("Ann, the 1st", "human"), Seat('"Ben"', "human"), Seat("greedy", "greedy"))
    text = '"Ann, the 1st":human,"\\"Ben\\"":human,greedy'
    assert format_seats(seats) == text
    assert parse_seats(text) == seats
    assert parse_seats('"Ann, the 1st":human, "Ben":greedy , Cai=human') == (
        Seat("Ann, the 1st", "human"),
        Seat("Ben", "greedy"),
        Seat("Cai", "human"),
    )


@pytest.mark.parametrize(
    "text",
    [
        *('"Ann":', '"Ann:human', '"Ann":human,', ":human", '"":human', '"A\\n":human', '"Ann"x:human', "A:human"),
        *("", "=human", "Ann=", "Ann=hu man", "A" * 641 + "=human", "An\x1bn=human", "a:b=human"),
    ],
)
def test_a_seat_that_is_not_whole_is_malformed(text: str) -> None:
    why = r"want a kind of player|not closed|at least one visible|a name (needs|has|cannot)"
    with pytest.raises(MalformedError, match=why):
        parse_seats(text)
