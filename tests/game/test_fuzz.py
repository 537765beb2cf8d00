"""Fuzzing: every parser returns a value that round-trips, or raises an error of one sentence.

Each parser gets mutated inputs from a seeded generator: 1,000, or 10,000 in `make test-full`.
`tests/rulesets/test_refusals.py` has inputs written by hand.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

import pytest

from fivedice.base.errors import IllegalError, MalformedError, UnknownError
from fivedice.game.notation import parse_action, parse_position
from fivedice.game.position import Position
from fivedice.game.record import parse_record
from fivedice.rulesets import load_ruleset, parse_ruleset
from fivedice.testing import TINY, random_step
from tests.amount import amount
from tests.rulesets.test_explanation import ATTIC
from tests.rulesets.test_refusals import BOXES, OPTION

NUM_INPUTS = amount(1_000, full=10_000)
ODD = [*"²３٣é\0\u2028\u202e\ud800\ufeff😀\r\n\t\\'\"", "\x1b[2J"]

LINES = [
    "yahtzee - - r3",
    "yahtzee - 33456 r2",
    "yahtzee yahtzee=50,threes=9,+1 33333 r0",
    "yahtzee ones=3/-/- @1 12345 r1",
    "yahtzee[joker=free,rolls=4] ones=3,yahtzee=0/twos=6,threes=9 11122 r3",
    "yahtzee[saved_rolls=true] ones=3,saved=2 - r5",
    "generala[first_roll_generala=wins] generala=50,won=1/- @1 - r3",
    "triple_yahtzee - 11111 r0",
]
LINE_PLACES = {
    r"[a-z_]+": ["ones", "chance", "won", "saved", "yahtzee", "crag", "../yahtzee.toml", "joker", "rounds", "a" * 5000],
    r"\d+": ["0", "1", "2", "3", "5", "12", "50", "99", "007", "-1", "+1", "1_0", "1e3", "0x1", "²", "３", "9" * 5000],
    r"\s+": [" @0 ", " @1 ", " @12 ", "/- ", "/ones=1 ", "[rounds=1] ", "[order=up] ", " - ", ",", "\t\n", " " * 5000],
    r"[^a-z\d\s]": [*"=,/+-@[]", "[a=1" + ",a=1" * 999 + "]", "-/" * 2000, "1" * 5000],
}
"""Replacements: a regular expression, and words for its matches."""

ACTIONS = ["keep 33", "keep -", "keep 12345", "score full_house", "scratch ones"]
ACTION_PLACES = {
    r"[a-z_]+": ["keep", "score", "scratch", "ones", "Ones", "_", "a" * 5000],
    r"\d+|-": ["-", "0", "9", "21", "²", "３", "3" * 5000],
}

DIGEST = load_ruleset("crag").digest
HEAD = "fivedice record 1\nruleset: crag\noptions: -\ndigest: {}\nseats: Ann=human,greedy\nfirst: 0\ndate: 2026-11-21\n"
RECORDS = [
    f"{HEAD.format(DIGEST)}result: 50 3, unfinished\n\n"
    "0: 445, score crag = 50\n1: 445, keep 4, 134, score threes = 3\n0: 113, keep 11, 116\n",
    f"{HEAD.format(DIGEST)}result: 26 0, unfinished\n\n0: 256, score thirteen = 26\n1: 123\n\nproof:\n"
    f"  scheme: fivedice dice 1\n  table: t\n  commitment: {'0' * 64}\n  faces: 6\n  nonce: seat 0 5f\n"
    f"  secret: {'0' * 64}\n  turn 0: 625\n  turn 1: 213\n",
    f'{HEAD.format(DIGEST)}result: 0 0, unfinished\n\n0: 123\n\nrules:\n  like = "crag"\n  id = "crag"\n',
]
RECORD_PLACES = {
    r"(?<=: )[^\n]+": ["-", "0", "50", "a" * 5000, "9" * 5000, "\x1b[2J", "Ann,Ben", "joker=free", "445"],
    r"[a-z_]+": ["keep", "score", "scratch", "ones", "crag", "proof", "rules", "secret", "turn", "a" * 5000],
    r"\d+": ["0", "1", "2", "12", "99", "445", "456", "111111", "-1", "²", "３", "9" * 5000],
    r"[,:=] ?": [", ", ": ", " = ", " = 0, ", ", keep -, 123, ", ", keep 1 = 3, ", "," * 3000, "\n", "\r\n", "\u2028"],
}

TEXTS = [
    *(ruleset.file.text for ruleset in TINY.values() if ruleset.file),
    'like = "yahtzee"\nid = "mine"\ndrop = ["ones", "chance"]\n[categories]\npair = { scorer = "pairs", n = 1 }\n',
    ATTIC,
    f'id = "x"\n{BOXES}{OPTION}',
]
TEXT_PLACES = {
    r"\w+(?= =)": [
        "default",
        *("id", "like", "drop", "dice", "faces", "rolls", "rounds", "order", "options", "columns", "choices"),
        *("about", "scorer", "joker", "colours", "saved", "won", "n", "face", "length", "a." * 300 + "a", '"²"', '""'),
    ],
    r"(?<== )(?:\w+|\"[^\"\n]*\"|\[[^\]\n]*\])": [
        *("nan", "-inf", "1e999", "0.5", "-1", "0", "1", "2", "3", "9", "10", "11", "true", "9" * 30, "9" * 5000),
        *("0x" + "f" * 5000, "0b1", "1979-05-27", "07:32:00", "1979-05-27T07:32:00Z", "2023-02-30", "0000-00-00"),
        *("[]", "{}", "[[]]", "[{}]", "[1, 2]", '["ones"]', '["a", "a"]'),
        *("[" + "0," * 3000 + "]", "[" * 900 + "]" * 900),
        *('""', '"a"', '"\\u0000"', '"\\ud800"', '"²"', '"35@10"', '"３@３"', '"5@3/4@9"', '"0@0"', '"99999@99999"'),
        *('"total"', '"matched"', '"free"', '"wild"', '"down"', '"lower"', '"upper"', f'"{"a" * 3000}"', "'\x1b[2J'"),
        *('"n_of_a_kind"', '"pairs"', '"flush"', '"straight"', '"sum_is"', '"any_dice"', '"full_house"', '"eval"'),
    ],
    r"\n": [
        *("\n[[examples]]\n", "\n[columns.c]\n", "\n[options.x]\n", "\n[colours]\n", "\n[categories]\n", "\n" * 5000),
        *("\ndrop = ['ones']\n", "\nlike = 'crag'\n", "\nrolls = 1\n", "\nupper_bonus = '1@1'\n", "\njoker = 'free'\n"),
        "\n".join(["", *(f"c{i} = {{}}" for i in range(200)), ""]),
    ],
}


def mutated(texts: Sequence[str], places: dict[str, list[str]], generator: Random) -> str:
    """One to three mutations of one of the texts."""
    text = generator.choice(texts)
    for _ in range(generator.choice((1, 1, 2, 3))):
        kind = generator.random()
        if kind < 0.15:
            text = "".join(changed(list(text), [*ODD, *"0159=[]{}.,-+/@ \"'\nar"], generator))
        elif kind < 0.3:
            text = "".join(changed(re.findall(r"\w+|\s+|.", text), ODD, generator))
        elif kind < 0.35:
            other = generator.choice(texts)
            text = text[: generator.randint(0, len(text))] + other[generator.randint(0, len(other)) :]
        else:
            text = replaced(text, *generator.choice(list(places.items())), generator)
    return text


def replaced(text: str, place: str, words: list[str], generator: Random) -> str:
    """The text with one match replaced by another match or by one of the words."""
    found = list(re.finditer(place, text))
    if not found:
        return text
    match = generator.choice(found)
    word = generator.choice(words) if generator.random() < 0.7 else generator.choice(found)[0]
    return text[: match.start()] + word + text[match.end() :]


def changed(parts: list[str], others: Sequence[str], generator: Random) -> list[str]:
    """The parts with one deleted, replaced or inserted, which may be a copy of another."""
    if not parts:
        return [generator.choice(others)]
    index, copied, other = generator.randrange(len(parts)), [generator.choice(parts)], [generator.choice(others)]
    length, new = generator.choice(((1, []), (5, []), (0, copied), (1, copied), (1, other), (0, other)))
    parts[index : index + length] = new
    return parts


def outcome(parse: Callable[[str], None], text: str) -> str:
    """The class of the parser's error, or `value`; fails if the error is not a clear sentence."""
    try:
        parse(text)
    except (MalformedError, IllegalError, UnknownError) as error:
        sentence = str(error)
        assert sentence.isprintable(), f"{text[:500]!r} is answered with {sentence!r}"
        assert 10 < len(sentence) < 1_000, f"{text[:500]!r} is answered with {len(sentence)} characters"
        return type(error).__name__
    except Exception as error:
        raise AssertionError(f"{text[:2_000]!r} ({len(text)} characters) ends in {error!r:.300}") from error
    return "value"


def read_position(text: str) -> None:
    position = parse_position(text)
    assert parse_position(str(position), position.ruleset) == position
    for action in position.actions()[:3]:
        assert parse_action(str(action)) == action


def read_action(text: str) -> None:
    action = parse_action(text)
    assert parse_action(str(action)) == action


def read_ruleset(text: str) -> None:
    """Parses a ruleset, plays a turn, and parses the resulting position."""
    ruleset = parse_ruleset(text)
    assert parse_ruleset(text) == ruleset
    generator = Random(len(text))
    position = Position.start(ruleset, 2)
    while not position.is_over and not position.cards[0].num_filled:
        position = random_step(position, generator)[1]
    assert parse_position(str(position), ruleset) == position


def read_record(text: str) -> None:
    record = parse_record(text)
    assert parse_record(str(record)) == record


ALL = ("value", "MalformedError", "IllegalError", "UnknownError")


@pytest.mark.parametrize(
    ("parse", "texts", "places", "share", "kinds"),
    [
        (read_position, LINES, LINE_PLACES, 0.8, ALL),
        (read_action, ACTIONS, ACTION_PLACES, 0.2, ALL[:2]),
        (read_record, RECORDS, RECORD_PLACES, 0.7, ALL),
        (read_ruleset, TEXTS, TEXT_PLACES, 1.0, (*ALL[:2], ALL[3])),
    ],
)
def test_any_text_is_a_value_or_an_error(
    parse: Callable[[str], None], texts: list[str], places: dict[str, list[str]], share: float, kinds: tuple[str, ...]
) -> None:
    for text in texts:
        parse(text)
    generator, number = Random(1), int(share * NUM_INPUTS)
    seen = Counter(outcome(parse, mutated(texts, places, generator)) for _ in range(number))
    assert min(seen[kind] for kind in kinds) > number // 100
