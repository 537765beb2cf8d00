"""`fivedice advise --batch`: the same answers from few lines and from many, at once, in order, and without remains."""

import json
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from fivedice.analysis.advice import advise_unsolved
from fivedice.cli.many_lines import ManyLines
from fivedice.cli.saved_advice import LineByLine, table_of
from fivedice.cli.solutions import solution_of as solved_by_commands
from fivedice.game.notation import parse_position
from fivedice.rulesets import load_ruleset
from fivedice.solver.saved.store import SOLUTION
from fivedice.testing import playthrough
from tests.amount import cases
from tests.cli.run_command import fivedice
from tests.solutions import solution_of

VARIANTS = (
    "generala[first_roll_generala=wins]",
    "crag[saved_rolls=true]",
    "yahtzee_wild[first_yahtzee=in_box,rounds=4,wild_cards=from_second,zeros=last]",
)
# A joker, a flush, pairs of boxes, an outright win, saved rolls and zeros in order, each solved by several processes.
REFS = ("yahtzee", "kismet", "generala", *VARIANTS)
ODD_LINES = (
    "yahtzee yahtzee=50,ones=3 66666 r1",
    "yahtzee - - r3",
    "crag - 445 r0",
    "crag - 44 r0",
    "65433",
    "crag 136 r0",
    "yahtzee - 63345 r2",
    "nonsense",
    "",
)


def lines_of(ref: str, num_games: int = 1) -> list[str]:
    games = (playthrough(load_ruleset(ref), random.Random(seed)) for seed in range(num_games))
    return [str(position) for game in games for position in game.positions]


@pytest.mark.parametrize("top", [None, 2])
def test_many_lines_get_the_answers_of_few_lines_byte_for_byte(top: int | None) -> None:
    few = LineByLine(lambda rules: (solution_of(str(rules)).states, solution_of(str(rules)).float_values), top)
    many = ManyLines(lambda rules: solution_of(str(rules)), top)
    lines = [*ODD_LINES, *(line for ref in REFS for line in lines_of(ref))]
    random.Random(1).shuffle(lines)
    assert many.answer(lines) == few.answer(lines)
    assert few.answer(lines)[1] is True
    assert many.answer(lines_of("yahtzee"))[1] is False


@pytest.mark.parametrize("id", ["balut", "triple_yahtzee", "yamb"])
def test_late_positions_of_games_without_a_solution_are_answered(id: str) -> None:
    games = (playthrough(load_ruleset(id), random.Random(seed)) for seed in range(2))
    late = [str(p) for game in games for p in game.positions if not p.is_over and p.card.turns_left == 1]
    few, has_errors = LineByLine(table_of, None).answer(late)
    assert not has_errors
    assert [json.loads(line)["value"] for line in few.splitlines()] == [
        advise_unsolved(parse_position(line)).value for line in late
    ]
    assert ManyLines(solved_by_commands, None).answer(late) == (few, False)
    new = [f"{id} - - r{load_ruleset(id).rolls}"]
    text, has_errors = ManyLines(solved_by_commands, None).answer(new)
    assert (json.loads(text)["exact"], has_errors) == (False, False)
    assert LineByLine(table_of, None).answer(new) == (text, False)


def test_many_lines_are_answered_in_order_and_each_ruleset_is_solved_once(tmp_path: Path, cache: Path) -> None:
    lines = [*lines_of("crag", 20), "nonsense", *lines_of("crag", 20)]
    file = tmp_path / "lines.txt"
    file.write_text("\n".join(lines))
    assert file.stat().st_size > 50_000
    result = fivedice("advise", "--batch", str(file))
    assert (result.status, result.err) == (1, "")
    crag = solution_of("crag")
    expected, _ = LineByLine(lambda _: (crag.states, crag.float_values), None).answer(lines)
    assert result.out == expected
    assert len(list(cache.iterdir())) == 1


def start(*options: str, cache: Path) -> subprocess.Popen[str]:
    SOLUTION.save(solution_of("crag").ruleset, solution_of("crag"), cache)
    return subprocess.Popen(  # noqa: S603
        [sys.executable, "-m", "fivedice", "advise", "--batch", *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_program_that_waits_for_each_answer_gets_it(cache: Path) -> None:
    with start("-", cache=cache) as process:
        assert process.stdin
        assert process.stdout
        for line in lines_of("crag")[1:5]:
            process.stdin.write(f"{line}\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["position"] == line
        process.stdin.close()
        assert process.wait() == 0


@pytest.mark.parametrize("ends_by", cases(["Ctrl-C"], full=["Ctrl-C", "closed pipe"]))
def test_an_end_amid_a_batch_leaves_no_traceback(tmp_path: Path, cache: Path, ends_by: str) -> None:
    file = tmp_path / "lines.txt"
    file.write_text("\n".join(lines_of("crag", 20) * 20))
    with start(str(file), cache=cache) as process:
        assert process.stdout
        assert process.stderr
        assert json.loads(process.stdout.readline())["value"] > 100
        if ends_by == "Ctrl-C":
            process.send_signal(signal.SIGINT)
        else:
            process.stdout.close()
        assert process.wait() == (130 if ends_by == "Ctrl-C" else 141)
        assert process.stderr.read() == ""
