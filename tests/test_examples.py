"""The programs in `examples/`, which are all listed in their README, and the tutorials in `docs/`: each runs. And what
notebooks show: positions, cards, advice, reviews and distributions as HTML, and plots."""

import os
import random
import runpy
import sys
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

import nbformat
import pytest
from nbclient import NotebookClient

from fivedice import Greedy, advise, load_ruleset, parse_position
from fivedice.analysis.reviews.review import review
from fivedice.base.extras import MissingExtraError
from fivedice.game.record import Record, Seat
from fivedice.rulesets.notebook import dice_svg
from fivedice.solver.play.distribution import Distribution, forecast
from fivedice.solver.play.policy_transitions import Start
from tests.repository import ROOT
from tests.solutions import solution_of

FOLDER = ROOT / "examples"
PROGRAMS = {
    "advise.py": ((), "Keep 35 instead of scoring 6 in Sixes?"),
    "learn.py": (("--steps", "65536", "--points", "1", "--games", "256"), "points"),
    "learn_sb3.py": (("--steps", "16384", "--games", "64"), "loss a game"),
    "learn_torchrl.py": (("--steps", "13312", "--games", "64"), "loss a game"),
    "minari_dataset.py": (("{folder}", "crag", "3"), "fivedice/crag-v0: 3 episodes"),
    "own_rules.py": ((), "A perfect player scores 149.85 points in Crag, 163.34 by our rules."),
    "ppo.py": (("--steps", "32768", "--games", "64"), "points a game, scores"),
    "review_record.py": (("game.txt",), "random: 50 points, luck +36.1, lost 136.0"),
    "strategy.py": (("--games", "20"), "crag - 445 r1: keep 44 gives up 12.00 points"),
    "verify_dice.py": (("game.txt",), "105 dice compared, 0 problems"),
}
"""The arguments of each program, and a sentence that it prints."""

NEEDED = {
    "learn.py": "torch",
    "learn_sb3.py": "sb3_contrib",
    "learn_torchrl.py": "torchrl",
    "minari_dataset.py": "minari",
}
"""The package that a program needs and the development environment does not have: PyTorch is large."""


def test_every_program_has_a_run_and_a_line_in_the_readme_and_every_tutorial_is_run() -> None:
    assert sorted(path.stem for path in (ROOT / "docs" / "tutorials").glob("*.ipynb")) == sorted(NOTEBOOKS)
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert {file.name for file in FOLDER.glob("*.py")} == set(PROGRAMS)
    assert [name for name in PROGRAMS if f"| `python examples/{name}" not in readme] == []


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_prints_what_it_is_about(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    if name in NEEDED and not find_spec(NEEDED[name]):
        pytest.skip(f"{NEEDED[name]}, which examples/{name} needs, is not installed")
    arguments, sentence = PROGRAMS[name]
    monkeypatch.chdir(FOLDER)
    monkeypatch.setattr(sys, "argv", [name, *(one.format(folder=tmp_path / "set") for one in arguments)])
    status: object = 0
    try:
        runpy.run_path(name, run_name="__main__")
    except SystemExit as left:
        status = left.code
    shown = capfd.readouterr()
    assert (status, shown.err) == (0, "")
    assert sentence in shown.out


NOTEBOOKS = ("play-and-score", "simulate-and-learn", "solve-and-advise")


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_tutorial_runs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]))
    notebook = nbformat.read(ROOT / "docs" / "tutorials" / f"{name}.ipynb", as_version=4)  # type: ignore[no-untyped-call]
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    shown = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert any("text/html" in output.get("data", {}) for output in shown) or name == "simulate-and-learn"
    assert not any(output.output_type == "error" for output in shown)


def tags(html: str) -> list[str]:
    """The elements of well-formed HTML."""
    return [element.tag for element in ElementTree.fromstring(f"<all>{html}</all>").iter()]  # noqa: S314


def distribution() -> Distribution:
    return forecast(solution_of("crag"), Start(state=0, row=-1, rolls_left=2)).points


def test_dice_have_a_label_and_their_pips() -> None:
    assert 'aria-label="dice 1 6 6"' in dice_svg((1, 6, 6))
    assert tags(dice_svg((1, 6, 6))).count("circle") == 13
    assert ">12</text>" in dice_svg((12,))
    assert 'fill="red"' in dice_svg((2,), {2: "red"})


@pytest.mark.parametrize(
    "line",
    [
        "yahtzee yahtzee=50,threes=9,+1 33333 r0",
        "kismet - 12345 r2",
        "triple_yahtzee - 12345 r1",
        "crag ones=1/twos=2 @1 445 r1",
        "balut - - r3",
    ],
)
def test_a_position_shows_its_dice_and_cards(line: str) -> None:
    position = parse_position(line)
    html = position._repr_html_()
    assert tags(html).count("svg") == bool(position.dice)
    assert tags(html).count("table") == len(position.cards)
    assert f">{position.cards[0].total}<" in html
    assert position.card._repr_html_() in html


def test_advice_shows_the_best_actions() -> None:
    advice = advise(solution_of("crag"), parse_position("crag - 445 r0"))
    html = advice._repr_html_()
    assert "Expected final score with best play: 161.77" in html
    assert html.index("score crag") < html.index("score thirteen")
    tags(html)


def test_a_review_shows_its_seats_and_costliest_decisions() -> None:
    record, chance = Record.start(load_ruleset("crag"), (Seat("Ann <3", "greedy"),), "2026-11-21"), random.Random(4)
    while not (position := record.position).is_over:
        record = record.play(Greedy().choose(position), chance) if position.dice else record.roll(chance)
    found = review(solution_of("crag"), record)
    html = found._repr_html_()
    assert "<td>Ann &lt;3</td>" in html
    assert f"<td>{found.seats[0].loss:.2f}</td>" in html
    assert tags(html).count("svg") == min(5, sum(bool(one.mark) for one in found.seats[0].decisions)) > 0
    axes = found.plot().axes[0]
    times, values = axes.lines[0].get_data()
    assert (times[0], times[-1]) == (0, 13)
    assert values[0] == found.seats[0].start_value
    assert values[-1] == found.seats[0].score


def test_a_distribution_shows_its_figures_and_bars_and_its_plot_needs_one_call() -> None:
    html = distribution()._repr_html_()
    assert tags(html).count("rect") == distribution().chances.size
    assert f"<td>{distribution().mean:.2f}</td>" in html
    axes = distribution().plot().axes[0]
    assert axes.get_xlabel() == "points"
    assert len(axes.patches) > 100


def test_without_matplotlib_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r'^distribution.plot\(\) needs the extra "plot": pip install '):
        distribution().plot()
