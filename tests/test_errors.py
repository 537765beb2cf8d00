"""Errors are one line each, and every door for text from outside says what is wrong with what is not UTF-8."""

import codecs
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from fivedice import load_ruleset, parse_record, parse_ruleset
from fivedice.base.errors import IllegalError, MalformedError, UnknownError, shown, suggest
from fivedice.base.extras import extra_of, needs_extra
from fivedice.base.outside_text import decoded
from fivedice.cli.files.saved_games import saved_games
from fivedice.server.replies.endpoint import read_json
from fivedice.simulation.sweep import variants_in
from tests.cli.run_command import fivedice, played

RULES = 'like = "crag"\nid = "own"\n'


def of_record_file(folder: Path, change: Callable[[str], bytes]) -> str:
    file = folder / "game.txt"
    file.write_bytes(change(played(file, "crag", "greedy").read_text()))
    done = fivedice("replay", str(file))
    return done.out + done.err


def of_saved_games(folder: Path, change: Callable[[str], bytes]) -> str:
    of_record_file(folder, change)
    games, problems = saved_games(folder)
    return "".join([*(game.ruleset for game in games), *problems])


def told(call: Callable[[], object]) -> str:
    """What a call returns, or its error."""
    try:
        return str(call())
    except MalformedError as error:
        return str(error)


def of_rules_file(folder: Path, change: Callable[[str], bytes]) -> str:
    (folder / "own.toml").write_bytes(change(RULES))
    return told(lambda: load_ruleset(folder / "own.toml").file)


def of_variants(folder: Path, change: Callable[[str], bytes]) -> str:
    (folder / "own.toml").write_bytes(change(RULES))
    return told(lambda: variants_in(folder))


def of_batch(folder: Path, change: Callable[[str], bytes]) -> str:
    (folder / "lines.txt").write_bytes(change("crag - 445 r1\n"))
    done = fivedice("advise", "--batch", str(folder / "lines.txt"), "--top", "1")
    return done.out + done.err


def of_body(folder: Path, change: Callable[[str], bytes]) -> str:
    return told(lambda: read_json(msgspec.json.Decoder(dict[str, str]), change('{"rules": "crag"}')))


DOORS = [of_record_file, of_saved_games, of_rules_file, of_variants, of_batch, of_body]


@pytest.mark.parametrize("door", DOORS)
def test_a_byte_order_mark_is_dropped_and_utf_16_named(door: Callable[..., str], tmp_path: Path) -> None:
    found = door(tmp_path, lambda text: codecs.BOM_UTF8 + text.encode())
    assert "crag" in found.lower()
    assert "error" not in found
    assert found == door(tmp_path, str.encode)
    assert "UTF-16" in door(tmp_path, lambda text: text.encode("utf-16"))
    if door is not of_batch:  # which answers each line by itself
        assert "UTF-16" in door(tmp_path, lambda text: text.encode("utf-16-be"))


def test_text_that_was_pasted_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    text = played(tmp_path / "game.txt", "crag", "greedy").read_text()
    assert parse_record(f"\ufeff{text}") == parse_record(text)
    assert parse_ruleset(f"\ufeff{RULES}") == parse_ruleset(RULES)
    typed = fivedice("play", "--rules", "crag", "--plain", "--seed", "1", lines="\ufeffroll\n")
    assert "> roll\nDice: " in typed.out


def test_another_encoding_is_refused_with_the_first_byte_that_is_wrong() -> None:
    with pytest.raises(MalformedError, match=r"x is not UTF-8 text \(byte 3\)"):
        decoded(b"abc\xe4", "x")
    with pytest.raises(MalformedError, match=r"it is not UTF-8 text \(byte 11\)"):
        read_json(msgspec.json.Decoder(dict[str, str]), b'{"rules": "\xe4"}')


@pytest.mark.parametrize("kind", [IllegalError, MalformedError, UnknownError])
def test_all_errors_are_distinct_value_errors(kind: type[ValueError]) -> None:
    others = {IllegalError, MalformedError, UnknownError} - {kind}
    assert issubclass(kind, ValueError)
    assert not any(issubclass(kind, other) for other in others)


@pytest.mark.parametrize(
    ("value", "expected"),
    [("ones", "'ones'"), (3, "3"), ([1, "a"], "[1, 'a']"), ("a\nb", "'a\\nb'"), ("\x1b[2J\0", "'\\x1b[2J\\x00'")],
)
def test_a_value_is_quoted_on_one_line(value: object, expected: str) -> None:
    assert shown(value) == expected


def test_a_long_value_is_truncated_and_one_without_a_repr_described_by_type() -> None:
    assert shown("a" * 100_000) == "'" + "a" * 58 + "…"
    assert shown("a" * 58) == repr("a" * 58)
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert shown(10**5_000) == "int too large to show"
    assert shown(deep) == "list too large to show"


def test_the_closest_name_is_suggested_first() -> None:
    assert suggest("tows", ["ones", "twos"]) == "did you mean 'twos'? known: ones, twos"
    assert suggest("crag", ["ones", "twos"]) == "known: ones, twos"
    assert suggest("crag", []) == "there are none"
    assert suggest("house", ["full_house", "ones"]) == "did you mean 'full_house'? known: full_house, ones"
    assert suggest("ho", ["full_house", "ones"]) == "known: full_house, ones"  # two letters are in many names


def test_other_missing_modules_are_not_blamed_on_an_extra() -> None:
    with pytest.raises(ModuleNotFoundError, match="numpy"), needs_extra("fivedice fly", "plot"):
        raise ModuleNotFoundError("No module named 'numpy'", name="numpy")
    assert extra_of(ModuleNotFoundError("No module named 'numpy'", name="numpy")) is None
    assert extra_of(ModuleNotFoundError("No module named 'litestar'", name="litestar")) == "serve"
