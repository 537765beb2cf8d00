"""`fivedice solve` and `fivedice advise`: figures, JSON, batches, and an unusable cache."""

import json
from pathlib import Path

import pytest

from fivedice.cli.solutions import solution_of
from fivedice.rulesets import load_ruleset
from tests.cli.run_command import Result, fivedice, refused


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FIVEDICE_CACHE", str(tmp_path / "cache"))
    solution_of.cache_clear()
    return tmp_path / "cache" / "solutions"


def test_solve_gives_the_expected_score_and_caches_it(cache: Path) -> None:
    first = json.loads(fivedice("solve", "crag", "--json").out)
    assert first["ruleset"] == "crag"
    assert first["digest"] == load_ruleset("crag").digest
    assert first["cached"] is False
    assert 0 < first["seconds"] < 60
    again = json.loads(fivedice("solve", "crag", "--json").out)
    assert (again["cached"], again["seconds"]) == (True, first["seconds"])
    assert again["expected_score"] == first["expected_score"]
    assert again["turn_states"] == first["turn_states"] > 1_000
    fresh = json.loads(fivedice("solve", "crag", "--fresh", "--json").out)
    assert fresh["cached"] is False
    assert len(list(cache.iterdir())) == 1


def test_the_text_of_solve_has_six_decimals() -> None:
    out = fivedice("solve", "crag").out
    assert "Crag (crag), solved in" in out
    assert "expected score        149.847593" in out
    assert "read from the cache" in fivedice("solve", "crag").out


def test_a_ruleset_too_large_is_refused_with_its_size() -> None:
    sentence = "triple_yahtzee is too large to solve exactly: it needs more memory than any computer has;"
    assert sentence in refused("solve", "triple_yahtzee")


def test_a_damaged_solution_is_reported_and_solved_again(cache: Path) -> None:
    before = json.loads(fivedice("solve", "crag", "--json").out)
    [file] = cache.iterdir()
    data = bytearray(file.read_bytes())
    data[-100] ^= 1
    file.write_bytes(data)
    result = fivedice("solve", "crag", "--json")
    assert result.err == f"fivedice: {file} is damaged: its checksum does not match; computing it again\n"
    assert json.loads(result.out)["expected_score"] == before["expected_score"]
    assert fivedice("solve", "crag", "--json").err == ""


def test_a_solution_that_cannot_be_saved_stays_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("FIVEDICE_CACHE", str(tmp_path / "file"))
    result = fivedice("advise", "crag - 445 r1", "--top", "1")
    assert result.status == 0
    assert "score Crag" in result.out
    assert "and stays in memory only" in result.err


def test_top_limits_the_actions_shown() -> None:
    lines = fivedice("advise", "crag - 445 r1", "--top", "2").out.splitlines()
    assert lines[0].split() == ["value", "loss", "points"]
    assert lines[1].split()[:2] == ["score", "Crag"]
    assert len(lines) == 4
    assert lines[3].startswith("and 17 more, each at least ")


def test_actions_are_named_as_on_the_card_in_aligned_columns() -> None:
    lines = fivedice("advise", "kniffel yahtzee=50 33345 r0").out.splitlines()
    assert any(line.startswith("score Dreierpasch ") for line in lines)
    assert any(line.startswith("scratch Große Straße ") for line in lines)
    assert len({line.index(".") for line in lines[1:]}) == 1


@pytest.mark.parametrize(
    ("position", "sentence"),
    [
        ("crag - - r2", "Before the roll: the expected final score is"),
        ("crag " + ",".join(f"{box.id}=0" for box in load_ruleset("crag").boxes) + " - r2", "over: the score is 0."),
    ],
)
def test_advise_without_a_decision_gives_the_value(position: str, sentence: str) -> None:
    assert sentence in fivedice("advise", position).out
    assert json.loads(fivedice("advise", position, "--json").out)["actions"] == []


def batch(text: str, *options: str) -> tuple[Result, list[dict[str, object]]]:
    result = fivedice("advise", "--batch", "-", *options, lines=text)
    return result, [json.loads(line) for line in result.out.splitlines()]


def test_a_bad_line_of_a_batch_gets_an_error_and_status_1() -> None:
    result, answers = batch("crag - 445 r1\nnonsense\n\ntriple_yahtzee - 33456 r2\ncrag - 123 r0")
    assert result.status == 1
    assert result.err == ""
    assert [("error" in answer) for answer in answers] == [False, True, True, False, False]
    assert answers[1]["position"] == "nonsense"
    assert "there is no ruleset 'nonsense'" in str(answers[1]["error"])
    assert answers[3]["exact"] is False


def test_a_batch_file_may_have_any_line_endings(tmp_path: Path) -> None:
    file = tmp_path / "positions.txt"
    file.write_bytes(b"crag - 445 r1\r\n\xff\xfe\ncrag - 123 r0")
    result = fivedice("advise", "--batch", str(file), "--top", "1")
    answers = [json.loads(line) for line in result.out.splitlines()]
    assert ["error" in answer for answer in answers] == [False, True, False]
    assert len(answers[0]["actions"]) == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["advise"], "want either a position"),
        (["advise", "crag - 445 r1", "--batch", "-"], "want either a position"),
        (["advise", "crag - 445 r1", "--top", "0"], 'Invalid value "0" for --top. Must be >= 1.'),
        (["advise", "crag - 444 r5"], "r5: after a roll it is r0 to r1"),
        (["advise", "--batch", "/no/such/file"], "--batch /no/such/file cannot be read: No such file"),
        (["solve", "cragg"], "did you mean 'crag'"),
        (["solve"], "requires an argument"),
    ],
)
def test_bad_input_gets_status_2_and_one_sentence(arguments: list[str], sentence: str) -> None:
    assert sentence in refused(*arguments)


def test_values_that_come_with_the_program_are_not_learned_again() -> None:
    found = json.loads(fivedice("solve", "triple_yahtzee", "--approximate", "--json").out)
    assert found["exact"] is False
    assert 1700 < found["mean_score"] < 1750
    assert 0 < found["standard_error"] < 3 < found["error"]
    assert f"≈ {found['mean_score']:,.2f}" in fivedice("solve", "triple_yahtzee", "--approximate").out


def test_nothing_is_learned_of_rules_that_are_solved() -> None:
    assert "Crag is solved exactly, so that nothing is learned" in refused("solve", "crag", "--approximate")


def test_advice_on_rules_without_any_values_says_how_to_learn_them(tmp_path: Path) -> None:
    rules = tmp_path / "two.toml"
    rules.write_text('like = "yahtzee"\nid = "two"\n[columns.a]\nname = "1"\n[columns.b]\nname = "2"\n')
    sentence = refused("advise", f"{rules} - 12346 r2")
    assert f'`fivedice solve --approximate "{rules}"` learns approximate values' in sentence
