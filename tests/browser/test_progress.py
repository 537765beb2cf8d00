"""My progress on a phone: what many games tell, what few do not, an example as a position, and a replay of misses."""

import json
import random
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from fivedice.game.record import Record, Seat
from tests.amount import cases
from tests.analysis.reviews.test_review import game, policies
from tests.browser.axe import check
from tests.browser.conftest import Opener
from tests.browser.player import PHONE
from tests.browser.test_everyone import TOO_WIDE, enlarge


def played(num: int) -> Sequence[Record]:
    """Games of crag against a perfect player, badly played by Ann, one a day until today."""
    chance = random.Random(1)
    players = policies("crag", chance)
    now = datetime.now(UTC)
    return [
        replace(
            game("crag", [players["random"], players["optimal"]], chance),
            date=(now - timedelta(days=number)).isoformat(timespec="seconds"),
            seats=(Seat("Ann", "human"), Seat("optimal", "optimal")),
        )
        for number in range(num)
    ]


def bring(page: Page, folder: Path, num: int) -> None:
    """Import so many games as one file, and open the page of progress."""
    file = folder / "export.json"
    records = [{"text": str(record), "seat": 0} for record in played(num)]
    file.write_text(json.dumps({"fivedice": "export 1", "records": records}))
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_role("status").filter(has_text="imported.")).to_be_visible()
    page.get_by_role("link", name="My progress").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("My progress")
    expect(page.get_by_role("heading", name="Where you lose")).to_be_visible()


@pytest.mark.parametrize("scheme", cases(["dark"], full=["light", "dark"]))
def test_many_games_show_charts_with_a_sentence_each_and_an_example(
    scheme: str, opened: Opener, tmp_path: Path
) -> None:
    page = opened("/games", viewport=PHONE, color_scheme=scheme)
    bring(page, tmp_path, 12)
    expect(page.locator("dl div").filter(has_text=re.compile("^Streak"))).to_contain_text("12 days")
    expect(page.get_by_role("img", name=re.compile(r"Scores\. .*Perfect play averages 1\d\d\.\d"))).to_be_visible()
    lost = page.get_by_role("img", name=re.compile(r"Points lost a decision\. In your last 10 games .* Newcomer"))
    expect(lost).to_be_visible()
    expect(
        page.get_by_role("img", name=re.compile(r"Luck\. Your luck adds up to .* points in 12 games"))
    ).to_be_visible()
    page.get_by_text("The numbers of the chart").click()
    expect(page.get_by_role("row").filter(has_text=re.compile(r"±")).first).to_be_visible()
    check(page)
    for width, percent in ((320, 100), (390, 200)):
        page.set_viewport_size({"width": width, "height": 664})
        enlarge(page, percent)
        assert page.evaluate(TOO_WIDE) == []
    enlarge(page, 100)
    row = page.get_by_role("row").filter(has_text="Choice of a box")
    expect(row).to_contain_text(re.compile(r"\d+\.\d\d\s± \d+\.\d\d"))
    row.get_by_role("link", name=re.compile(r"an example that cost \d+\.\d points")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Analysis board")


def test_one_game_shows_only_what_it_tells(opened: Opener, tmp_path: Path) -> None:
    page = opened("/games", viewport=PHONE)
    bring(page, tmp_path, 1)
    expect(page.locator("main h2")).to_have_text(["Points lost a decision", "Records", "Where you lose"])
