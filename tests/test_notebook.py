"""What notebooks show: positions, cards, advice, reviews and distributions as HTML, and plots."""

import random
import sys
from xml.etree import ElementTree

import pytest

from fivedice import Greedy, advise, load_ruleset, parse_position
from fivedice.analysis.reviews.review import review
from fivedice.base.extras import MissingExtraError
from fivedice.game.record import Record, Seat
from fivedice.rulesets.notebook import dice_svg
from fivedice.solver.play.distribution import Distribution, forecast
from fivedice.solver.play.policy_transitions import Start
from tests.solutions import solution_of


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
