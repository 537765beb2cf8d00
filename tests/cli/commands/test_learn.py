"""`fivedice learn`: mistakes are asked again, explained and saved; a learnt position is not asked twice a day."""

import json
from datetime import date
from pathlib import Path

import pytest

from fivedice.analysis.learning.deck import Deck
from fivedice.cli.commands import learn as command
from fivedice.cli.game import questions
from fivedice.game.action import Score
from fivedice.game.notation import parse_position
from fivedice.game.record import Record, Seat, parse_record
from fivedice.rulesets import load_ruleset
from tests.cli.run_command import Result, crag_record, fivedice, played, refused

pytestmark = pytest.mark.usefixtures("shared_cache")

MISTAKE = "crag - 445 r1"
OTHERS = "crag - 134 r0"
SECOND = "crag thirteen=26 113 r1"


@pytest.fixture
def records(folder: Path) -> Path:
    """The user's folder of records, with a game in which Ann made two mistakes."""
    turns = ("0: 445, score thirteen = 26", "1: 445, keep 4, 134, score threes = 3", "0: 113, keep 11, 116")
    (folder / "game.txt").write_text(crag_record("Ann=human,greedy", *turns, result="26 3, unfinished"))
    return folder


@pytest.fixture(autouse=True)
def day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "local_day", lambda: date(2026, 11, 21))


def learn(*lines: str, arguments: tuple[str, ...] = ()) -> Result:
    return fivedice("learn", *arguments, lines="".join(f"{line}\n" for line in lines))


def due(*arguments: str) -> list[str]:
    return [one["position"] for one in json.loads(fivedice("learn", *arguments, "--json").out)["due"]]


BEST = "Best is to score Crag. Scoring 26 in Thirteen loses 10.7 points."
IN_GAME = "That is what was chosen in the game, too."


@pytest.mark.usefixtures("records")
@pytest.mark.parametrize(
    ("arguments", "lines", "status", "told", "left"),
    [
        (
            [],
            ["crag", "q"],
            0,
            [
                *("2 positions to learn.", "1 of 2: Crag, round 1 of 13", "Dice: 4 4 5; 1 roll left."),
                *("Thirteen            (26)", "Right: nothing is better.\nScore 50 in Crag instead of 26 in Thirteen?"),
                *("In the game, scoring 26 in Thirteen lost 10.7 points.", "You will be asked again in "),
                "1 position learnt.\n1 is still to learn.",
            ],
            [SECOND],
        ),
        (
            [],
            ["thirteen", "13", "crag"],  # a wrong answer is asked again at the end
            0,
            [
                *(BEST, f"{IN_GAME}\nYou will be asked again at the end.", "Again: Crag, round 1 of 13"),
                "2 positions learnt.\nNothing more is due today.\n",
            ],
            [],
        ),
        ([], ["show", "q"], 0, [BEST, IN_GAME], [MISTAKE, SECOND]),
        (
            [],
            ["crag"],
            1,
            ["The input ended before the last answer.", "1 position learnt.\n1 is still to learn."],
            [SECOND],
        ),
        (
            ["--count", "1"],
            ["crag"],
            0,
            ["2 positions to learn, 1 of them now.", "1 position learnt.\n1 is still to learn.\n"],
            [SECOND],
        ),
    ],
)
def test_the_costliest_mistake_is_asked_first_and_an_answer_is_explained_and_counts(
    arguments: list[str], lines: list[str], status: int, told: list[str], left: list[str]
) -> None:
    result = learn(*lines, arguments=tuple(arguments))
    assert result.status == status
    assert [sentence for sentence in told if sentence not in result.out] == []
    assert due() == left


@pytest.mark.usefixtures("records")
def test_ctrl_c_loses_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(questions, "part_of", interrupted)
    result = learn("crag", "q")
    assert result.status == 130
    assert due() == [SECOND]


def test_records_and_player_select_the_lessons(records: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    text = (records / "game.txt").read_text()
    other.write_text(text.replace(",greedy\n", ",Ben=human\n").replace("Ann=human", "greedy"))
    assert due(str(other)) == [MISTAKE, OTHERS]
    assert due("--player", "greedy") == [MISTAKE, OTHERS]
    assert due("--player", "Ann") == due(str(other), "--player", "greedy") == [MISTAKE, SECOND]
    learn("crag", "q")
    assert due(str(other)) == [OTHERS]


def test_a_lesson_whose_rules_have_changed_is_skipped_with_a_warning(
    records: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learn("show", "q")
    (records / "game.txt").unlink()
    other = parse_position("yatzy - - r3").ruleset
    monkeypatch.setattr("fivedice.analysis.learning.deck.load_ruleset", lambda name: other)
    result = learn()
    assert "fivedice: skipping a lesson: the rules of yatzy have changed" in result.err


def test_a_game_without_mistakes_has_nothing_to_learn(tmp_path: Path) -> None:
    game = played(tmp_path / "game.txt", "crag", "Ann=optimal")
    result = learn(arguments=(str(game), "--player", "Ann"))
    assert result.out == "No decision in 1 game cost 0.2 points or more: there is nothing to learn.\n"
    assert result.status == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "no records to learn from, and none in"),
        (("--since", "May"), "--since 'May': want a date, as in 2026-11-01"),
        (("GAME", "--player", "Anna"), "--player 'Anna' is in none of these records: did you mean 'Ann'?"),
        (("GAME",), "these records have no human player: name a player, as in --player Ann"),
    ],
)
def test_bad_input_gets_status_2_and_one_sentence(arguments: tuple[str, ...], sentence: str, tmp_path: Path) -> None:
    game = played(tmp_path / "game.txt", "crag", "Ann=random")
    assert sentence in refused("learn", *(str(game) if one == "GAME" else one for one in arguments))


@pytest.mark.usefixtures("records")
def test_a_replay_asks_the_lessons_since_a_day_again_but_none_twice_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    def replayed(day: str) -> list[str]:
        return [one["position"] for one in json.loads(learn(arguments=("--since", day, "--json")).out)["due"]]

    assert sorted(replayed("2026-11-20")) == sorted([MISTAKE, SECOND])
    assert replayed("2026-11-21") == []
    assert learn("crag", "13").status == 0
    assert replayed("2026-11-20") == []
    monkeypatch.setattr(command, "local_day", lambda: date(2026, 11, 22))
    assert json.loads(learn(arguments=("--json",)).out)["due"] == []
    assert len(replayed("2026-11-20")) == 2


def test_after_a_game_its_own_mistakes_are_asked_first(records: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (records / "game.txt").read_text()
    other = text.replace("0: 445, score thirteen = 26\n", "0: 566, keep 66, 366, score sixes = 12\n")
    other = str(parse_record(other.replace("0: 113, keep 11, 116\n", "").replace("result: 26 3", "result: 12 3")))
    monkeypatch.setattr("fivedice.analysis.learning.lessons.ACCEPTED", 0.0)
    seen: list[str] = []

    def note(deck: Deck, agenda: command.Agenda, count: int, num_games: int) -> int:
        seen.extend(str(lesson.position) for lesson in agenda.due)
        return 0

    monkeypatch.setattr(command, "_ask_due", note)
    assert command.learn_after(parse_record(other)) == 0
    assert seen[-2:] == [MISTAKE, SECOND]
    assert len(seen) > 2


def test_after_a_game_that_cannot_be_solved_nothing_is_said_about_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = Record.start(load_ruleset("triple_yahtzee"), (Seat("Ann", "human"),), "2026-11-22T10:00:00+00:00")
    assert command.learn_after(game.roll((1, 1, 1, 2, 3)).play(Score("ones_x1"))) == 0
    assert capsys.readouterr() == ("There is nothing to learn yet.\n", "")
