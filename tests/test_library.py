"""The library in the hand: text, lists and sources of chance are taken, anything else gets a sentence, and results are
texts of a few lines, sequences and JSON."""

import json
import pickle
import random
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import numpy as np
import pytest

import fivedice
from fivedice import IllegalError, Keep, MalformedError, Position, Score, ScoreCard, load_ruleset, parse_ruleset
from fivedice.analysis.advice import Advised, advise_unsolved, advise_without_kernels, state_index
from fivedice.game.seats import Seat
from fivedice.simulation.simulate import Experiment
from tests.cli.run_command import fivedice as run_command
from tests.repository import ROOT
from tests.solutions import breakdown_of, solution_of

CRAG = "crag - 445 r1"


@pytest.mark.parametrize("chance", [random.Random, np.random.default_rng])
def test_the_same_seed_rolls_the_same_fair_dice(chance: Callable[[int], random.Random]) -> None:
    start = Position.start("yahtzee")
    assert start.roll(chance(5)) == start.roll(chance(5))
    source = chance(6)
    faces: list[int] = []
    for _ in range(600):
        faces += start.roll(source).dice
    assert all(400 < faces.count(face) < 600 for face in range(1, 7))


def test_dice_may_be_tuples_lists_arrays_or_text_in_any_order_and_boxes_a_list() -> None:
    start = Position.start("yahtzee")
    same = [start.roll(dice) for dice in ((6, 3, 3, 4, 5), [3, 6, 3, 4, 5], np.array([3, 3, 4, 5, 6]), "63345")]
    assert {str(position) for position in same} == {"yahtzee - 33456 r2"}
    assert {str(same[0].play(Keep("643"), rolled)) for rolled in ((5, 1), [1, 5], "51")} == {"yahtzee - 13456 r1"}
    assert Keep("33") == Keep([3, 3]) == Keep((3, 3))
    assert Keep("-") == Keep([])
    crag = load_ruleset("crag")
    card = ScoreCard(crag, [None] * len(crag.boxes))  # type: ignore[arg-type]
    assert card == ScoreCard.empty(crag)
    position = Position(crag, [card], 0, [5, 4, 4], 1)  # type: ignore[arg-type]
    assert position == Position.parse(CRAG)
    assert hash(position) == hash(Position.parse(CRAG))


def test_actions_may_be_text() -> None:
    position = Position.parse(CRAG)
    assert position.play("score crag") == position.play(Score("crag"))
    assert position.play("keep 44", [6]).dice == (4, 4, 6)
    assert position.offer_for("score crag").points == 50
    assert "does not contain 6" in position.why_illegal("keep 6")


def test_the_functions_of_the_top_take_names_and_lines() -> None:
    solution = fivedice.solve("crag")
    assert solution.expected_score == solution_of("crag").expected_score
    advice = fivedice.advise(solution, CRAG)
    assert advice == fivedice.advise(solution, Position.parse(CRAG))
    assert advice.of("keep 44").loss > 0
    assert advice == fivedice.advise(solution, "544")  # a new game of the rules of the solution
    assert fivedice.chances(solution, "445").distribution.mean == pytest.approx(advice.value)
    assert len(fivedice.odds(solution, "crag -/- 445 r1").seats) == 2
    assert fivedice.why(solution, CRAG, "keep 44", "score crag", breakdown=breakdown_of("crag")).total < 0
    assert fivedice.explain("crag") == fivedice.explain(load_ruleset("crag"))
    assert advise_without_kernels(solution.states, solution.float_values, "445").best == advice.best
    end = f"crag {','.join(f'{box.id}=0' for box in load_ruleset('crag').boxes[1:])} 445 r1"
    assert advise_unsolved(end).best.action == fivedice.advise(solution, end).best.action


def test_a_line_names_a_ruleset_that_is_not_shipped_if_the_solution_is_its_own(tmp_path: Path) -> None:
    rules = fivedice.parse_ruleset(
        'id = "coin"\ndice = 1\nfaces = 2\n[categories]\nany = { scorer = "any_dice" }\n', "coin"
    )
    solution = fivedice.solve(rules)
    assert fivedice.advise(solution, "coin - 2 r0").value == 2
    assert str(fivedice.parse_ruleset(rules.file.text if rules.file else "")) == "coin"
    (tmp_path / "file.toml").write_text(rules.file.text if rules.file else "")
    of_file = load_ruleset(tmp_path / "file.toml")
    assert fivedice.advise(fivedice.solve(of_file), "coin - 2 r0").value == 2
    assert Position.parse("coin - 2 r0", of_file).ruleset is of_file
    with pytest.raises(IllegalError, match="this is the solution of coin, not of crag"):
        fivedice.advise(solution, CRAG)


def test_a_batch_is_of_positions_or_of_lines() -> None:
    crag = solution_of("crag")
    assert fivedice.advise_batch(crag, [CRAG, Position.parse(CRAG)]) == [fivedice.advise(crag, CRAG)] * 2
    assert fivedice.advise_batch(crag, []) == []


def test_positions_and_turn_states_that_cannot_arise_are_refused() -> None:
    crag, position = solution_of("crag"), Position.parse(CRAG)
    values = crag.values.copy()
    values[state_index(crag, position.card)] = np.nan
    with pytest.raises(IllegalError, match="crag - 445 r1 cannot arise"):
        fivedice.advise_batch(replace(crag, values=values), ["crag ones=1 445 r1", position])
    with pytest.raises(IllegalError, match=r"^position 1: no game of yahtzee leads to turn state 5$"):
        fivedice.advise_batch(solution_of("yahtzee"), np.array([0, 5]), np.array([2, 2]), np.array([0, 0]))


@pytest.mark.parametrize(
    ("arrays", "sentence"),
    [
        (([1.5], [2], [0]), r"turn states: want whole numbers in one dimension, not float64 of \(1,\)"),
        (([[1]], [2], [0]), r"turn states: want whole numbers in one dimension, not int64 of \(1, 1\)"),
        (([0], [2, 3], [0]), "want as many turn states as rolls .*, not 1 turn states, 2 rolls, 1 rolls left"),
        (([0, 10**9], [2, 2], [0, 0]), "position 1: turn states are from 0 to [0-9,]+, not 1,000,000,000"),
        (([0, 0], [2, -1], [0, 0]), "position 1: rolls are from 0 to 55, not -1"),
        (([0], [56], [0]), "position 0: rolls are from 0 to 55, not 56"),
        (([0], [2], [2]), "position 0: rolls left are from 0 to 1, not 2"),
    ],
)
def test_arrays_of_positions_are_checked(arrays: tuple[list[int], list[int], list[int]], sentence: str) -> None:
    with pytest.raises((MalformedError, IllegalError), match=f"^{sentence}$"):
        fivedice.advise_batch(solution_of("crag"), *map(np.array, arrays))


WRONG: list[Callable[[], object]] = [
    lambda: fivedice.solve(5),  # type: ignore[arg-type]
    lambda: fivedice.load_ruleset(None),  # type: ignore[arg-type]
    lambda: fivedice.parse_ruleset(b"id = 1"),  # type: ignore[arg-type]
    lambda: fivedice.explain(4),  # type: ignore[arg-type]
    lambda: fivedice.advise("crag", CRAG),  # type: ignore[arg-type]
    lambda: fivedice.advise_batch(solution_of("crag"), CRAG),
    lambda: fivedice.advise_batch(solution_of("crag"), [5]),  # type: ignore[list-item]
    lambda: fivedice.chances(solution_of("crag"), 3),  # type: ignore[arg-type]
    lambda: fivedice.odds(solution_of("crag"), 3),  # type: ignore[arg-type]
    lambda: fivedice.find_breakdown(load_ruleset("crag")),  # type: ignore[arg-type]
    lambda: fivedice.why(solution_of("crag"), CRAG, "keep 44", "keep 4", breakdown=3),  # type: ignore[arg-type]
    lambda: fivedice.review(solution_of("crag"), "fivedice record"),  # type: ignore[arg-type]
    lambda: fivedice.verify_record(5),  # type: ignore[arg-type]
    lambda: fivedice.parse_record(5),  # type: ignore[arg-type]
    lambda: fivedice.parse_position(5),  # type: ignore[arg-type]
    lambda: fivedice.parse_action(Keep("3")),  # type: ignore[arg-type]
    lambda: Position.start(5),  # type: ignore[arg-type]
    lambda: Position.parse(Position.start("crag")),  # type: ignore[arg-type]
    lambda: Position.start("crag").roll(5),  # type: ignore[arg-type]
    lambda: Position.parse(CRAG).play(5),  # type: ignore[arg-type]
    lambda: Position.parse(CRAG).offer_for("keep 44"),
    lambda: Position.parse(CRAG).play("keep 44", 1.5),  # type: ignore[arg-type]
    lambda: Keep(5),  # type: ignore[arg-type]
    lambda: Score(5),  # type: ignore[arg-type]
    lambda: fivedice.simulate(3),  # type: ignore[arg-type]
    lambda: fivedice.simulate("crag", players="greedy"),
    lambda: fivedice.evaluate(fivedice.Greedy(), "crag", games=2.5),  # type: ignore[arg-type]
    lambda: fivedice.evaluate("greedy", "crag", batch="all"),  # type: ignore[arg-type]
    lambda: fivedice.evaluate("greedy", "crag", solution=3),  # type: ignore[arg-type]
    lambda: fivedice.to_dict(3),
]


@pytest.mark.parametrize("call", WRONG, ids=range(len(WRONG)))
def test_wrong_types_are_told_what_was_expected(call: Callable[[], object]) -> None:
    with pytest.raises(TypeError, match=r"^want .+, not .+$"):
        call()


@pytest.mark.parametrize("dice", ["x", "3 3", (0,), (21,), [-1]])
def test_keeps_of_impossible_dice_are_refused_at_once(dice: str | tuple[int, ...]) -> None:
    with pytest.raises(MalformedError, match="dice"):
        Keep(dice)


def test_the_version_is_that_of_the_distribution() -> None:
    assert fivedice.__version__ == version("fivedice")
    assert "__version__" in dir(fivedice)


def test_no_package_or_module_hides_a_public_function() -> None:
    """Importing a module of a package binds the name of the package in `fivedice`."""
    assert not {module.name for module in iter_modules(fivedice.__path__)} & set(fivedice.__all__)


def test_why_takes_the_best_action_against_the_next_and_any_other_against_the_best() -> None:
    solution = solution_of("crag")
    found = fivedice.why(solution, "445 r0")
    assert str(found.position) == "crag - 445 r0"
    assert (str(found.action), str(found.instead_of)) == ("score crag", "score thirteen")
    assert str(fivedice.why(solution, "445 r0", "score fours").instead_of) == "score crag"
    filled = ",".join(f"{box.id}=0" for box in solution.ruleset.boxes[:-1])
    with pytest.raises(IllegalError, match="has one legal action only: score crag"):
        fivedice.why(solution, f"crag {filled} 445 r0")


def test_results_are_the_json_of_the_command_line(tmp_path: Path) -> None:
    rules = load_ruleset("crag")
    game = fivedice.Record.start(rules, (Seat("Ann", "human"), Seat("Ben", "greedy")), "2026-11-26T10:00:00+00:00")
    chance = random.Random(1)
    for _ in range(2):
        game = game.roll(game.position.roll(chance).dice)
        game = game.play(game.position.offers()[0].action)
    file = tmp_path / "game.txt"
    file.write_text(str(game))
    solution, line = solution_of("crag"), "crag ones=1 445 r1"
    results: list[tuple[object, list[str]]] = [
        (solution, ["solve", "crag"]),
        (rules, ["rules", "crag"]),
        (game, ["replay", str(file)]),
        (Position.parse(line), ["legal", line]),
        (fivedice.advise(solution, line), ["advise", line]),
        (fivedice.chances(solution, line), ["chances", line]),
        (fivedice.odds(solution, "crag -/- 445 r1"), ["odds", "crag -/- 445 r1"]),
        (fivedice.review(solution, game), ["review", str(file)]),
        (
            fivedice.evaluate("level_5", "crag", games=20, solution=solution),
            ["evaluate", "crag", "--agent", "level_5", "--games", "20"],
        ),
    ]
    for result, arguments in results:
        shown = run_command(*arguments, "--json")
        assert shown.status == 0, shown.err
        printed, found = json.loads(shown.out), fivedice.to_dict(result)
        for key in ("seconds", "loading", "cached"):  # of this run
            printed.pop(key, None), found.pop(key, None)
        assert found.keys() <= printed.keys(), arguments
        differing = {key for key in found if found[key] != printed[key]}
        assert differing <= ({"seats", "odds"} if arguments[0] == "review" else set()), arguments


def test_advice_is_a_sequence_of_its_actions() -> None:
    advice = fivedice.advise(solution_of("crag"), "crag - 445 r0")
    assert (advice[0], len(advice)) == (advice.best, len(list(advice)))
    assert [advised.loss for advised in advice] == sorted(advised.loss for advised in advice)
    first_two: Sequence[Advised] = advice[:2]
    assert (list(first_two), advice.index(advice[1])) == ([advice[0], advice[1]], 1)
    over = fivedice.advise(solution_of("crag"), "crag - - r2")
    assert (len(over), bool(over)) == (0, True)


def results() -> Iterator[object]:
    """What the functions of the top return."""
    crag = solution_of("crag")
    record = fivedice.parse_record(ROOT / "examples" / "game.txt")
    yield from (crag, breakdown_of("crag"), record, record.position, record.position.card, record.ruleset)
    yield from (fivedice.advise(crag, CRAG), fivedice.advise(crag, CRAG).best, fivedice.chances(crag, CRAG))
    yield from (fivedice.chances(crag, CRAG).distribution, fivedice.odds(crag, "crag -/- 445 r1"))
    yield fivedice.why(crag, CRAG, "keep 44", "score crag", breakdown=breakdown_of("crag"))
    yield fivedice.review(solution_of(str(record.ruleset)), record)
    yield from (fivedice.simulate("crag", games=10), fivedice.evaluate(fivedice.Greedy(), "crag", games=2))


def test_results_can_be_pickled_copied_and_hashed_and_are_one_short_line() -> None:
    for result in results():
        assert repr(pickle.loads(pickle.dumps(result))) == repr(result)  # noqa: S301
        assert repr(deepcopy(result)) == repr(result)
        assert isinstance(hash(result), int)
        assert len(repr(result)) < 350
        assert "\n" not in repr(result)


def test_the_pickle_of_a_ruleset_is_its_file_unless_it_was_changed() -> None:
    text = 'id = "tiny"\ndice = 2\nfaces = 2\n[categories]\nany = { scorer = "any_dice" }\n'
    shipped, own = load_ruleset("yahtzee[joker=free]"), parse_ruleset(text, "tiny.toml")
    changed = replace(shipped, extra_bonus=50)
    for ruleset, most in ((shipped, 200), (own, len(text) + 200), (changed, 100_000)):
        _ = ruleset.boxes
        message = pickle.dumps([ruleset, ruleset])
        assert len(message) < most
        for again in pickle.loads(message):  # noqa: S301
            assert (again, again.boxes) == (ruleset, ruleset.boxes)


def test_errors_say_which_line_and_what_to_do() -> None:
    crag = solution_of("crag")
    with pytest.raises(IllegalError, match=r"^line 2: dice '447'"):
        fivedice.advise_batch(crag, [CRAG, "crag - 447 r1"])
    with pytest.raises(MalformedError, match=r"a file is given as Path\('game.txt'\)"):
        fivedice.parse_record("game.txt")
    with pytest.raises(TypeError, match="want a whole number of points, not 'x'"):
        fivedice.chances(crag, CRAG).distribution.at_least("x")  # type: ignore[arg-type]


def test_results_print_as_a_few_lines() -> None:
    crag = solution_of("crag")
    assert str(crag) == "crag: 149.847593 points expected, 8,192 turn states"
    lines = str(fivedice.advise(crag, CRAG)).splitlines()
    assert lines[2].split() == ["score", "thirteen", "151.10", "10.67"]
    assert (len(lines), len({line.index(".") for line in lines})) == (5, 1)
    assert repr(fivedice.advise(crag, CRAG)) == "<Advice crag - 445 r1: score crag, 161.77>"
    assert str(fivedice.advise(crag, "crag - - r2")) == "crag - - r2: no action, value 149.85"
    assert str(fivedice.chances(crag, "445")).startswith("crag - 445 r1: mean 161.77, deviation 25.15\n  ones ")
    record = fivedice.parse_record(ROOT / "examples" / "game.txt")
    lines = str(fivedice.review(solution_of(str(record.ruleset)), record)).splitlines()
    assert lines[1] == "random: 50 points, luck +36.11, lost 135.95"
    assert lines[2].startswith("costliest: random crag ")
    assert "<td>greedy</td>" in record._repr_html_()
    assert "seat" not in fivedice.parse_position(CRAG)._repr_html_()


def test_simulate_takes_rules_and_players_and_writes_numbers_of_numpy(tmp_path: Path) -> None:
    crag = solution_of("crag").ruleset
    games: Any = np.int64(1_000)
    found = fivedice.simulate("crag", games=games, players=["greedy"], checkpoint=tmp_path / "run.jsonl")
    assert found.to_data() == fivedice.simulate(Experiment(crag, ("greedy",), 1_000, 1)).to_data()
    lines = str(fivedice.simulate("crag", games=1_000, players=["optimal", "greedy"])).splitlines()
    assert lines[1] == "optimal: mean 148.29 ± 2.08, deviation 33.61, wins 54.2%"
    assert len(lines) == 3
