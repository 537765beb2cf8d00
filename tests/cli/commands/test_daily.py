"""`fivedice daily` and `fivedice storm`."""

import json
from dataclasses import replace
from datetime import date

import pytest

from fivedice.analysis.advice import advise
from fivedice.cli.commands.quiz import DailyTry, play_try
from fivedice.daily.days import open_secret
from fivedice.daily.puzzles import Puzzle, puzzle_of
from fivedice.daily.results import Kind, parse_share
from fivedice.game.position import Position
from fivedice.game.proof import commitment
from tests.cli.run_command import fivedice
from tests.solutions import solution_of

DAY = date(2026, 11, 25)
LINES = ["crag - 445 r1", "crag - 136 r0", "crag - 266 r1", "crag - 555 r0"]


def drawn() -> list[Puzzle]:
    puzzles = [puzzle_of(advise(solution_of("crag"), Position.parse(line))) for line in LINES]
    return [replace(puzzle, rung=rung) for rung, puzzle in enumerate(puzzles)]


def best(position: Position) -> str:
    return str(advise(solution_of(position.ruleset.id), position).best.action)


def worst(position: Position) -> str:
    return str(advise(solution_of(position.ruleset.id), position).actions[-1].action)


def local(kind: Kind, now: list[float]) -> DailyTry:
    return DailyTry(kind, DAY, drawn(), lambda: now[0])


def test_a_ten_is_graded_and_ends_with_a_line_to_share(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = iter([worst(Position.parse(LINES[0])), *(best(Position.parse(line)) for line in LINES[1:])])
    monkeypatch.setattr("fivedice.cli.game.questions.read_line", lambda: next(lines) + "\n")
    assert play_try(local("ten", [0.0])) == 0
    printed = capsys.readouterr().out.splitlines()
    share = parse_share(printed[-1])
    assert (share.number, share.rules, share.best, share.answered) == (1, "crag", 3, 4)
    assert printed.count("Right: nothing is better.") == 3


def test_three_mistakes_end_a_storm_and_one_ends_a_streak() -> None:
    for kind, mistakes in (("storm", 3), ("streak", 1)):
        one = local(kind, [0.0])  # type: ignore[arg-type]
        num = 0
        while one.position is not None:
            one.answer(advise(solution_of("crag"), one.position).actions[-1].action)
            num += 1
        assert num == mistakes
        assert parse_share(one.result()).best == 0


def test_an_answer_after_three_minutes_does_not_count() -> None:
    now = [0.0]
    one = local("storm", now)
    assert one.position is not None
    now[0] = 179.0
    one.answer(advise(solution_of("crag"), one.position).best.action)
    assert one.heading == "2, 1 s left"
    now[0] = 180.0
    assert one.answer(advise(solution_of("crag"), one.position).best.action) == "The time is over."
    assert parse_share(one.result()).best == 1


def test_who_quits_has_no_result(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fivedice.cli.game.questions.read_line", lambda: "q\n")
    assert play_try(local("ten", [0.0])) == 0
    assert "fivedice #" not in capsys.readouterr().out


def test_a_day_is_drawn_again_from_its_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def draw(kind: str, day: date, secret: bytes, rules: str | None) -> list[Puzzle]:
        calls.append((kind, day, secret, rules))
        return drawn()

    monkeypatch.setattr("fivedice.cli.commands.quiz.draw", draw)
    secret = "ab" * 32
    found = json.loads(fivedice("daily", "--day", "2026-11-25", "--secret", secret, "--json").out)
    assert found == {
        "day": "2026-11-25",
        "number": 1,
        "commitment": commitment(bytes.fromhex(secret)),
        "positions": LINES,
    }
    json.loads(fivedice("daily", "--day", "2026-11-25", "--rules", "yatzy", "--json").out)
    ladder = json.loads(fivedice("storm", "--json").out)
    assert [one["rung"] for one in ladder] == [0, 1, 2, 3]
    assert calls[:2] == [("ten", DAY, bytes.fromhex(secret), None), ("ten", DAY, open_secret(DAY), "yatzy")]
