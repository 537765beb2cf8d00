"""`fivedice me`, `stats` and `review`: progress, figures over many records, and one game decision by decision."""

import json
import re
from datetime import date
from pathlib import Path

import pytest
from rich.cells import cell_len

from fivedice.analysis.dice_counts import DiceTest
from fivedice.analysis.reviews.review import review
from fivedice.base.language import ENGLISH
from fivedice.cli.commands import me as command
from fivedice.cli.commands.me import dice_lines
from fivedice.cli.commands.review import review_lines
from fivedice.game.action import Score
from fivedice.game.record import Record, Seat
from fivedice.rulesets import parse_ruleset
from fivedice.solver.solve import solve
from fivedice.views.evaluation import MeanView
from fivedice.views.figures import DiceView
from fivedice.views.review import review_view
from fivedice.views.review_words import luck_in_words
from tests.cli.run_command import crag_record, fivedice, played, refused
from tests.solutions import UNADVISED

pytestmark = pytest.mark.usefixtures("shared_cache")


@pytest.fixture
def records(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's folder of records, in which Ann plays badly, and a Ben once, one game a day until today."""
    monkeypatch.setattr(command, "local_day", lambda: date(2026, 11, 21))
    for number in range(12):
        name = "Ben" if number == 11 else "Ann"
        file = played(folder / f"{number:02}.txt", "crag", f"{name}=random,greedy", number)
        text = file.read_text().replace(f"{name}=random", f"{name}=human")
        file.write_text(re.sub(r"date: .*", f"date: 2026-11-{10 + number}T12:00:00+00:00", text))
    return folder


@pytest.mark.parametrize("columns", [80, 60])
def test_the_text_says_how_the_person_plays_and_fits(
    columns: int, records: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    result = fivedice("me", "--full")
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
    assert fivedice("me").out.startswith("You, 12 games: Crag")
    assert fivedice("me", "--lang", "de").out.startswith("Du, 12 ")


def test_the_json_has_all_figures_and_the_streak(records: Path) -> None:
    data = json.loads(fivedice("me", "--json").out)
    [figures] = data["figures"]
    assert (figures["player"], figures["games"]) == ("Ann", 11)
    assert data["streak"] == {"days": 11, "longest": 11, "is_today_played": False}
    assert [period["lost"]["num"] for period in figures["progress"]["lost_over_time"]] == [5, 6]
    assert figures["progress"]["scores"]["perfect_mean"] == pytest.approx(150.5, abs=1)


def test_an_unknown_player_or_ruleset_or_no_game_gets_one_sentence(records: Path) -> None:
    assert "--player 'Anna' has finished no game: did you mean 'Ann'?" in refused("me", "--player", "Anna")
    assert "--rules yahtzee: Ann has finished no such game" in refused("me", "--rules", "yahtzee")
    for file in records.iterdir():
        file.unlink()
    assert "no finished game of a person in" in refused("me")


@pytest.fixture
def six(folder: Path) -> Path:
    for seed in range(6):
        played(folder / f"{seed}.txt", "crag", "Ann=random,optimal", seed)
    return folder


@pytest.mark.parametrize("columns", [80, 60])
def test_the_text_of_statistics_has_every_player_and_the_dice_and_fits(
    columns: int, six: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    result = fivedice("stats", str(six))
    assert result.status == 0
    assert columns - 20 < max(map(cell_len, result.out.splitlines())) <= columns
    words = " ".join(result.out.split())
    for sentence in (
        *("Ann, 6 games of crag", "Optimal, 6 games of crag", "The dice: nothing unusual in "),
        *("level master: loses less than 0.12 points per unforced decision", "Does every face come up equally often?"),
    ):
        assert sentence in words


def test_few_games_have_no_interval_and_a_loss_is_never_below_0(tmp_path: Path) -> None:
    for number in range(3):
        played(tmp_path / f"{number}.txt", "crag", "greedy,random", number)
    assert "(too few games for an interval)" in fivedice("stats", str(tmp_path)).out
    assert str(MeanView(0.5, (0.0, 2.0))) == "0.50 (0 to 2.00)"
    assert str(MeanView(0.5, (0.2, 0.8))) == "0.50 ± 0.30"


@pytest.mark.parametrize(
    ("evidence", "text", "heading"),
    [
        (0.0004, "    under 0.01  Fair? (252 dice)", "The dice: nothing unusual in 252."),
        (1.5, "          1.50  Fair? (252 dice)", "The dice: nothing unusual in 252."),
        (123_456.0, "       123,456  Fair? (252 dice): unusual", "The dice: unusual."),
    ],
)
def test_the_dice_are_described_as_calmly_as_the_evidence_is(evidence: float, text: str, heading: str) -> None:
    test = DiceTest("faces", "Fair?", 252, evidence, is_unusual=evidence > 7_000)
    lines = list(dice_lines(DiceView(0.001, 7_000.0, 252, [], (test,))))
    assert [line.plain for line in lines[:2]] == [heading, text]
    assert "the chance that this ever happens to any of them is at most 0.1 %" in " ".join(line.plain for line in lines)
    assert not any("red" in str(part) for line in lines for part in (line.style, *(span.style for span in line.spans)))
    assert [line.plain for line in dice_lines(DiceView(0.001, 7_000.0, 0, [], ()))] == ["The dice: none was rolled."]


def test_the_json_has_means_intervals_and_tests(six: Path) -> None:
    data = json.loads(fivedice("stats", str(six), "--json").out)
    ann, optimal = data["figures"]
    assert (ann["player"], ann["ruleset"], ann["ruleset_name"], ann["games"]) == ("Ann", "crag", "Crag", 6)
    assert (ann["level"], optimal["level"]) == ("beginner", "master")
    assert [test["name"] for test in data["dice"]["tests"]] == ["faces", "pairs", "seats", "kept"]


def test_rules_too_large_to_solve_count_for_the_dice_only(tmp_path: Path) -> None:
    result = fivedice("stats", str(played(tmp_path / "game.txt", "triple_yahtzee", "random")))
    assert "triple_yahtzee is too large to solve exactly" in result.err
    assert result.err.endswith("; its games count for the dice only\n")
    assert "There are no figures: no complete game was found." in result.out
    assert "Does every face come up equally often?" in result.out


def test_without_records_there_is_one_sentence(tmp_path: Path) -> None:
    for folder in ("/no/such/file", f"/{'x' * 300}", str(tmp_path)):
        result = fivedice("stats", folder)
        assert (result.status, result.out, "there is no record in" in result.err) == (2, "", True)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    file = tmp_path / "game.txt"
    turns = ("0: 445, score crag = 50", "1: 445, keep 4, 134, score threes = 3", "0: 113")
    file.write_text(crag_record("Ann=human,Ben=human", *turns, result="50 3, unfinished"))
    return file


def test_a_review_is_short_and_names_the_costliest_decisions(record: Path) -> None:
    out = fivedice("review", str(record)).out
    lines = out.splitlines()
    assert lines[0] == "Crag (crag). The game is not finished."
    ann, ben = (" ".join(part.split()) for part in out.partition("\nAnn\n")[2].split("\nBen\n"))
    assert "0 points lost in decisions · 11 points of luck · master play" in ann
    assert "150 expected at the start + 11 luck − 0 lost = 161 expected now" in ann
    assert "best turn 1: Crag, 50 points" in ann
    assert "1 ✓ 2 ✓" in ann
    assert "beginner play" in ben
    assert "1 blunder ??" in ben
    assert "Turn 1 ?? ⚃ ⚃ ⚄ Keeping 4 lost " in ben
    assert "Best was to score Crag. Score 50 in Crag instead of keeping 4? On average it is worth " in ben
    assert "luckier than" not in out  # the game is not finished
    assert "correlation" not in out
    assert lines[-3:-1] == [
        "--full shows every turn, and explains luck and marks.",
        "The page shows every decision: import the file there under “My games” (fivedice",
    ]


@pytest.mark.parametrize("columns", [80, 60])
def test_a_review_fits_the_terminal(columns: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = played(tmp_path / "game.txt", "crag", "random", 2)
    monkeypatch.setenv("COLUMNS", str(columns))
    for options in ([], ["--full"]):
        lines = fivedice("review", str(file), *options).out.splitlines()
        assert columns - 20 < max(map(cell_len, lines)) <= columns


def test_marks_are_coloured_on_a_terminal_unless_the_user_wants_no_colour(
    record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "\x1b" not in fivedice("review", str(record)).out  # a pipe
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[1;31m" in fivedice("review", str(record)).out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[1;31m" not in fivedice("review", str(record)).out


def test_a_person_who_beat_the_computer_is_congratulated() -> None:
    rules = parse_ruleset('id = "one"\ndice = 1\nfaces = 2\nrolls = 1\n[categories]\nany = { scorer = "any_dice" }\n')
    solution, words = solve(rules), "Well done: Ann beat the computer."

    def lines(ann: int, other: int, kind: str) -> list[str]:
        record = Record.start(rules, (Seat("Ann", "human"), Seat("Ben", kind)), "2026-11-21T10:00:00+00:00")
        for face in (ann, other):
            record = record.roll((face,)).play(Score("any"))
        return [line.plain for line in review_lines(review_view(None, review(solution, record)), record)]

    assert words in lines(2, 1, "greedy")
    assert words not in lines(1, 2, "greedy")
    assert words not in lines(2, 1, "human")


def test_luck_is_said_in_tenths() -> None:
    assert [luck_in_words(percentile, ENGLISH) for percentile in (None, 1.0, 22.0, 50.0, 72.0, 99.5)] == [
        *("", "less lucky than 19 of 20 perfect games", "less lucky than 8 of 10 perfect games"),
        *("average luck", "luckier than 7 of 10 perfect games", "luckier than 19 of 20 perfect games"),
    ]


@pytest.mark.parametrize(
    ("rules", "said", "expected"),
    [
        (UNADVISED, "from turn [0-9]+ on", "expected before turn"),
        ("triple_yahtzee", "≈ [0-9]+ points lost in decisions", "expected at the start"),
    ],
)
def test_a_game_too_large_to_solve_is_reviewed_in_its_last_turns_or_whole_by_approximate_values(
    rules: str, said: str, expected: str, tmp_path: Path
) -> None:
    file = str(played(tmp_path / "game.txt", rules, "random,random"))
    found = fivedice("review", file, "--full")
    assert "Triple Yahtzee cannot be solved as a whole." in " ".join(found.out.split())
    assert len(re.findall(said, found.out)) == found.out.count(expected) == 2
    view = json.loads(fivedice("review", file, "--json").out)
    assert (view.get("exact", True), "standard_error" in view) == (
        (True, False) if rules == UNADVISED else (False, True)
    )
