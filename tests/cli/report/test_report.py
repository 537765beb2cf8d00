"""`fivedice review --html`: a self-contained page with every number, in valid markup."""

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from fivedice.analysis.reviews.review import review
from fivedice.analysis.reviews.seat_review import turn_reviews
from fivedice.cli.report.markup import one_decimal, signed
from fivedice.cli.report.review_page import report_page
from fivedice.cli.solutions import part_of
from fivedice.game.notation import parse_action, parse_position
from fivedice.game.wording import to_do
from fivedice.solver.solve import solve
from fivedice.testing import TINY_TURNS
from fivedice.views.review import review_view
from tests.amount import cases
from tests.cli.run_command import fivedice, played, refused
from tests.game.table_game import table_game

pytestmark = pytest.mark.usefixtures("shared_cache")

VOID = {"meta"}
HOSTILE = "<script>alert(1)</script>"
PAGES = ("crag", "yatzy", "kismet", "generala", "yacht", "yahtzee[joker=free]")
"""Cards with and without pairs, flushes, an upper bonus and a joker: a page of each takes many seconds."""
MANY = "Ann=greedy,Ben=random,optimal"


@pytest.fixture(autouse=True)
def no_large_breakdowns(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Give reasons only for small rulesets: the breakdown of a large one takes half a minute and adds no number."""
    monkeypatch.setattr("fivedice.cli.solutions.BREAKDOWN_LIMIT", 8 * 2**20)
    part_of.cache_clear()
    yield
    part_of.cache_clear()


class Parsed(HTMLParser):
    """Parses a page, and fails on tags that are not closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert not self.open, f"never closed: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        assert len(dict(attrs)) == len(attrs), f"an attribute twice: {tag} {attrs}"
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text += data

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for found, attributes in self.tags if found == tag]


def game(folder: Path, rules: str, seats: str) -> Path:
    """The file of the record of a game."""
    return played(folder / "game.txt", rules, seats, 5)


def unfinished(record: Path, turns: int, *, open_roll: bool) -> Path:
    """Cut off the record after `turns` turns, with or without the first roll of the next one."""
    head, _, rest = record.read_text().partition("\n\n")
    lines = rest.splitlines()
    kept = lines[:turns] + ([lines[turns].partition(",")[0]] if open_roll else [])
    totals = [0] * len(re.findall(r"[^ ,]+=", head))
    for line in lines[:turns]:
        points = re.findall(r"= (\d+)(?: \+(\d+))?$", line)[0]
        totals[int(line[0])] += sum(int(number or 0) for number in points)
    result = f"result: {' '.join(map(str, totals))}, unfinished"
    record.write_text(re.sub("result: .*", result, head) + "\n\n" + "\n".join(kept) + "\n")
    return record


def page_of(record: Path) -> str:
    file = record.with_suffix(".html")
    result = fivedice("review", str(record), "--html", str(file))
    assert (result.status, result.err) == (0, "")
    assert result.out == f"The review is in {file}\n"
    return file.read_text(encoding="utf-8")


def data_of(record: Path) -> Any:
    return json.loads(fivedice("review", str(record), "--json").out)


def numbers_of(data: Any) -> Iterator[str]:
    """Every number of the JSON review, formatted as on the page."""
    for seat in data["seats"]:
        yield str(seat["score"])
        yield str(seat["unforced_decisions"])
        yield f"{seat['error_rate']:.2f}"
        yield seat["level"] or ""
        if seat["luck_percentile"] is not None:
            yield f"{seat['luck_percentile']:.0f} %"
        yield signed(seat["luck"])
        yield from (one_decimal(seat[key]) for key in ("start_value", "value", "loss", "dice_neutral"))
        for roll in seat["rolls"]:
            before, after = one_decimal(roll["before"]), one_decimal(roll["after"])
            yield f"luck {signed(roll['luck'])}, value {before} before, {after} after."
        for decision in seat["decisions"]:
            yield decision["position"]
            position = parse_position(decision["position"])
            chosen, best = (to_do(position, parse_action(decision[key])) for key in ("action", "best"))
            yield f"Chosen: {chosen}, value {one_decimal(decision['value'])}."
            if decision["best"] != decision["action"]:
                yield f"Best: {best}, value {one_decimal(decision['best_value'])}."
            yield f"Loss {one_decimal(decision['loss'])}{', ' + decision['mark'] if decision['mark'] else ''}."


def check_markup(page: str) -> Parsed:
    """Check the page for one title, unique ids, working links and ordered headings; return it parsed."""
    parsed = Parsed(page)
    assert page.startswith("<!doctype html>\n")
    assert parsed.named("html") == [{"lang": "en"}]
    ids = [attributes["id"] for _, attributes in parsed.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    for link in parsed.named("a"):
        assert (link["href"] or "").removeprefix("#") in ids
    levels = [int(tag[1]) for tag, _ in parsed.tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert all(heading.get("scope") in {"row", "col"} for heading in parsed.named("th"))
    assert len(parsed.named("caption")) == len(parsed.named("table"))
    return parsed


@pytest.mark.parametrize(
    ("rules", "seats"),
    cases(
        [
            ("crag", MANY),
            ("kismet[rounds=2]", "random"),
            ("yahtzee", "Ann=greedy,Ben=random"),
        ],
        full=[(rules, seats) for rules in PAGES for seats in ("random", MANY)],
    ),
)
def test_a_page_is_valid_and_has_every_number_of_the_review(tmp_path: Path, rules: str, seats: str) -> None:
    record = game(tmp_path, rules, seats)
    parsed = check_markup(page_of(record))
    data = data_of(record)
    assert [number for number in numbers_of(data) if number not in parsed.text] == []
    num_decisions = sum(len(seat["decisions"]) for seat in data["seats"])
    # Each chart has its numbers in a table: the value over time, and the chances to win of several seats, except where
    # their moments are as large as a large breakdown.
    has_odds = len(data["seats"]) > 1 and rules in ("crag", "generala", "yacht")
    assert ("Chances to win, turn by turn" in parsed.text) == has_odds
    assert len(parsed.named("details")) == num_decisions + 1 + has_odds
    assert "not independent" in parsed.text


@pytest.mark.parametrize("id", TINY_TURNS)
def test_a_page_has_every_decision_of_turns_with_announcements(id: str) -> None:
    solution, record = solve(TINY_TURNS[id]), table_game(ruleset_ref=TINY_TURNS[id])
    reviewed = review(solution, record)
    parsed = check_markup(report_page(reviewed, review_view(None, reviewed)))
    for number, seat in enumerate(reviewed.seats):
        for turn in turn_reviews(record, number, seat):
            assert turn.values[-1] == turn.value
            assert [decision for _, decision in turn.steps] == [*turn.decisions]
            for roll, decision in turn.steps:
                assert decision
                assert roll.dice == decision.position.dice
        for decision in seat.decisions:
            assert f"Chosen: {to_do(decision.position, decision.action)}" in parsed.text


@pytest.mark.parametrize(("turns", "open_roll"), [(0, True), (1, False), (5, True)])
def test_an_unfinished_game_has_a_page(tmp_path: Path, turns: int, open_roll: bool) -> None:
    record = unfinished(game(tmp_path, "crag", "Ann=greedy,Ben=greedy"), turns, open_roll=open_roll)
    parsed = check_markup(page_of(record))
    assert "The game is not finished." in parsed.text
    assert "Value where the record ends" in parsed.text
    assert ("is not yet decided" in parsed.text) == open_roll
    assert [number for number in numbers_of(data_of(record)) if number not in parsed.text] == []


def test_a_page_begins_with_the_summary_of_the_text_and_ends_with_the_figures(tmp_path: Path) -> None:
    record = game(tmp_path, "crag", "Ann=greedy,Ben=random")
    text = " ".join(fivedice("review", str(record)).out.split())
    short, rest = Parsed(page_of(record)).text.split("The costliest decisions")
    sentences = re.findall(r"\d+ points? lost in decisions · .*? play, .*?(?= \d+ expected)", text)
    assert len(sentences) == 2
    assert all(sentence in " ".join(short.split()) for sentence in sentences)
    assert "Error rate" not in short
    assert "Error rate" in rest.split("All figures")[1]


def test_a_page_loads_nothing_and_has_no_script(tmp_path: Path) -> None:
    page = page_of(game(tmp_path, "crag", f"{HOSTILE}=greedy,Ben=random"))
    parsed = Parsed(page)
    assert "//" not in page
    assert "http:" not in page
    assert "url(" not in page
    assert "@import" not in page
    assert {tag for tag, _ in parsed.tags}.isdisjoint({"script", "link", "img", "iframe", "object", "base"})
    for _, attributes in parsed.tags:
        assert "src" not in attributes
        assert not any(name.startswith("on") for name in attributes)


def test_names_are_escaped(tmp_path: Path) -> None:
    names = [HOSTILE, '"><b onclick="x"', "</title></style>", "&lt;"]
    record = game(tmp_path, "crag", "one=random,two=random,three=random,four=random")
    text = record.read_text()
    for place, name in zip(["one", "two", "three", "four"], names, strict=True):
        # A name cannot contain an equals sign.
        text = text.replace(f"{place}=random", f"{name.replace('=', '')}=random")
    record.write_text(text)
    parsed = check_markup(page_of(record))
    assert all(name.replace("=", "") in parsed.text for name in names)
    assert parsed.named("script") == []
    assert parsed.named("b") == [{"class": "dice"}] * len(parsed.named("b"))


def test_the_chart_and_its_table_have_the_value_after_every_roll_and_choice(tmp_path: Path) -> None:
    record = game(tmp_path, "crag", "greedy")
    page = page_of(record)
    [seat] = data_of(record)["seats"]
    steps = [value for roll, choice in zip(seat["rolls"], seat["decisions"], strict=True) for value in (roll, choice)]
    values = [step.get("after", step.get("value")) for step in steps]
    chart, table = page.split("<figure>")[1].split("</figure>")[0], page.split("The numbers of the chart")[1]
    assert len(re.findall(r'points="([^"]*)"', chart)[0].split()) == len(values) + 1
    assert chart.count('class="mark"') == 14 + 3  # the start, 13 turns, and three in the legend
    cells = re.findall(r"<tr><th scope=\"row\">([^<]*)</th><td>([^<]*)</td></tr>", table.split("</table>")[0])
    assert [cell for _, cell in cells] == [one_decimal(value) for value in (seat["start_value"], *values)]
    assert [name for name, _ in cells[:4]] == ["Start", "1, roll 1", "1, choice 1", "1, roll 2"]


def test_a_turn_on_the_axis_of_the_odds_is_one_of_every_seat(tmp_path: Path) -> None:
    page = page_of(game(tmp_path, "crag", "greedy,random"))
    chart = page.split('id="odds-title"')[1].split("</svg>")[0]
    labels = [int(label) for label in re.findall(r">(\d+)</text>", chart)]
    assert max(labels) == 12  # every second one of 13 turns is labelled
    for points in re.findall(r'points="([^"]*)"', chart):
        assert len(points.split()) == 1 + 2 * 13


def test_the_costliest_decisions_are_linked_and_open(tmp_path: Path) -> None:
    parsed = Parsed(page_of(game(tmp_path, "crag", "random")))
    links = [link["href"] for link in parsed.named("a")]
    assert len(links) == 3
    assert sorted(f"#{found['id']}" for found in parsed.named("details") if "open" in found) == sorted(links, key=str)


def test_a_page_never_overwrites_a_file(tmp_path: Path) -> None:
    record = game(tmp_path, "crag", "random")
    before = record.read_text()
    sentence = refused("review", str(record), "--html", str(record))
    assert sentence == f"fivedice: --html {record} already exists: give a new name, or remove it\n"
    assert record.read_text() == before


@pytest.mark.parametrize(("name", "sentence"), [("nowhere/page.html", "does not exist"), (".", "is a folder")])
def test_a_bad_path_gets_one_sentence(tmp_path: Path, name: str, sentence: str) -> None:
    record = game(tmp_path, "crag", "random")
    assert sentence in refused("review", str(record), "--html", str(tmp_path / name))


def test_html_and_json_exclude_each_other(tmp_path: Path) -> None:
    record = game(tmp_path, "crag", "random")
    sentence = refused("review", str(record), "--json", "--html", str(tmp_path / "page.html"))
    assert sentence == "fivedice: give --json or --html, not both\n"


def test_numbers_have_one_decimal_and_a_minus_sign() -> None:
    assert [one_decimal(number) for number in (254.58, -3.0, -0.04)] == ["254.6", "−3.0", "0.0"]
    assert [signed(number) for number in (3, -3.0, 0.01)] == ["+3.0", "−3.0", "0.0"]
