"""The HTML page of a review: accessible, no wider than a phone, and usable with the keyboard."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.amount import cases
from tests.browser.axe import check_accessibility
from tests.browser.conftest import VIEWS
from tests.cli.run_command import fivedice

pytestmark = pytest.mark.slow

SEATS = {
    "solo": "greedy",
    "three_seats": "<script>alert(1)</script>=random,Ben=greedy,optimal",
    "six_seats": "Ann=greedy,Ben=greedy,Cy=greedy,Di=random,Ed=random,WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW=random",
    "german": "Ann=greedy,Ben=random",
    "swedish": "Ann=greedy,Ben=random",
}
LANGUAGES = {"german": "de", "swedish": "sv"}


@pytest.fixture(scope="module")
def pages(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The page of a game for each choice of seats."""
    folder = tmp_path_factory.mktemp("pages")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FIVEDICE_CACHE", str(folder / "cache"))
        for name, seats in SEATS.items():
            record, page = folder / f"{name}.txt", folder / f"{name}.html"
            fivedice("play", "--seats", seats, "--seed", "3", "--record", str(record))
            assert fivedice("review", str(record), "--html", str(page), "--lang", LANGUAGES.get(name, "en")).status == 0
    return {name: folder / f"{name}.html" for name in SEATS}


def open_page(browser: Browser, file: Path, width: int, scheme: str) -> Page:
    page = browser.new_page(
        viewport={"width": width, "height": 800}, color_scheme="dark" if scheme == "dark" else "light"
    )
    page.goto(file.as_uri())
    return page


@pytest.mark.parametrize(
    ("seats", "width", "scheme"),
    cases(
        [("three_seats", 360, "dark"), ("solo", 1280, "light")],
        full=[(seats, *view) for seats in SEATS for view in VIEWS],
    ),
)
def test_axe_finds_no_violation(browser: Browser, pages: dict[str, Path], seats: str, width: int, scheme: str) -> None:
    page = open_page(browser, pages[seats], width, scheme)
    page.evaluate("document.querySelectorAll('details').forEach((found, i) => found.open ||= i % 5 === 0)")
    check_accessibility(page)
    page.close()


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("seats", SEATS)
def test_the_page_does_not_scroll_sideways_with_every_decision_open(
    browser: Browser, pages: dict[str, Path], seats: str, width: int
) -> None:
    page = open_page(browser, pages[seats], width, "light")
    page.evaluate("document.querySelectorAll('details').forEach(found => found.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.close()


def test_a_decision_can_be_opened_with_the_keyboard(browser: Browser, pages: dict[str, Path]) -> None:
    page = open_page(browser, pages["solo"], 360, "light")
    decision = page.locator("details[id]:not([open])").first
    id = decision.get_attribute("id")
    for _ in range(100):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.parentElement.id") == id:
            break
    page.keyboard.press("Enter")
    assert page.locator(f"#{id}").get_attribute("open") is not None
    assert page.locator(f"#{id} table").is_visible()
    page.close()


def test_a_link_to_a_costly_decision_opens_it(browser: Browser, pages: dict[str, Path]) -> None:
    page = open_page(browser, pages["solo"], 360, "light")
    page.locator("ol a").first.focus()
    page.keyboard.press("Enter")
    assert page.locator("details:target table").is_visible()
    page.close()


def test_the_data_of_the_chart_is_printed(browser: Browser, pages: dict[str, Path]) -> None:
    page = open_page(browser, pages["solo"], 1280, "light")
    values = page.locator(".data table")
    assert not values.is_visible()
    page.emulate_media(media="print")
    assert values.is_visible()
    page.close()


def test_the_page_loads_no_resources_and_runs_no_script(browser: Browser, pages: dict[str, Path]) -> None:
    page = browser.new_page()
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
    page.goto(pages["three_seats"].as_uri())
    assert requested == [pages["three_seats"].as_uri()]
    page.close()
