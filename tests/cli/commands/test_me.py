"""`fivedice me`: progress from the user's saved games."""

import json
import re
from datetime import date
from pathlib import Path

import pytest
from rich.cells import cell_len

from fivedice.cli.commands import me as command
from tests.cli.run_command import Result, fivedice, played, refused

pytestmark = pytest.mark.usefixtures("shared_cache")

TODAY = date(2026, 11, 21)


@pytest.fixture(autouse=True)
def records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's folder of records, in which Ann plays badly, and a Ben once, one game a day until today."""
    folder = tmp_path / "data" / "records"
    folder.mkdir(parents=True)
    monkeypatch.setattr(command, "local_day", lambda: TODAY)
    for number in range(12):
        name = "Ben" if number == 11 else "Ann"
        file = played(folder / f"{number:02}.txt", "crag", f"{name}=random,greedy", number)
        text = file.read_text().replace(f"{name}=random", f"{name}=human")
        file.write_text(re.sub(r"date: .*", f"date: 2026-11-{10 + number}T12:00:00+00:00", text))
    return folder


def me(*arguments: str) -> Result:
    return fivedice("me", *arguments)


@pytest.mark.parametrize("columns", [80, 60])
def test_the_text_says_how_the_person_plays_and_fits(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    result = me("--full")
    assert result.status == 0
    lines = result.out.splitlines()
    assert max(map(cell_len, lines)) <= columns
    words = " ".join(result.out.split())
    assert words.startswith("Ann, 11 games: Crag Your streak: 11 days.")
    assert "In your last 10 games with these rules you lost" in words
    assert "most nearly as Newcomer does" in words
    assert "No strength yet" in words, "a game without a proof says nothing of its help"
    assert "The first and the second half of your games" in words or "In the second half of your games" in words
    assert re.search(r"Choice of a box \d+ \d+\.\d\d ± \d+\.\d\d \w+", words), words
    assert re.search(
        r"Perfect play averages 1[45]\d\.\d, and scores more than your average in 100 of 100 games\.", words
    )
    assert "Your luck adds up to" in words
    assert re.search(r"Best score: \d+, 2026-11-\d\d", words)
    assert "Longest streak: 11 days" in words


def test_a_person_without_a_name_is_one_person_in_every_language(records: Path) -> None:
    for file, name in zip(sorted(records.glob("*.txt")), ["You", "Du"] * 6, strict=True):
        file.write_text(re.sub(r"(Ann|Ben)=human", f"{name}=human", file.read_text()))
    assert me().out.startswith("You, 12 games: Crag")
    assert me("--lang", "de").out.startswith("Du, 12 ")


def test_the_json_has_all_figures_and_the_streak() -> None:
    data = json.loads(me("--json").out)
    [figures] = data["figures"]
    assert (figures["player"], figures["games"]) == ("Ann", 11)
    assert data["streak"] == {"days": 11, "longest": 11, "is_today_played": False}
    assert [period["lost"]["num"] for period in figures["progress"]["lost_over_time"]] == [5, 6]
    assert figures["progress"]["scores"]["perfect_mean"] == pytest.approx(150.5, abs=1)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--player", "Anna"), "--player 'Anna' has finished no game: did you mean 'Ann'?"),
        (("--rules", "yahtzee"), "--rules yahtzee: Ann has finished no such game"),
    ],
)
def test_an_unknown_player_or_ruleset_gets_one_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    assert sentence in refused("me", *arguments)


def test_without_a_finished_game_there_is_one_sentence(records: Path) -> None:
    for file in records.iterdir():
        file.unlink()
    assert "no finished game of a person in" in refused("me")
