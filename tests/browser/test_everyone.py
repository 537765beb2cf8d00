"""The page fits phones, large text, long names, forced colours and paper."""

from itertools import chain

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.amount import cases
from tests.browser.conftest import Opener, check
from tests.browser.player import ANN, HERE, PHONE, hold, roll, status
from tests.browser.site import Site
from tests.waiting import wait_for

TOO_WIDE = """() => [...document.querySelectorAll('body *')]
  .filter(one => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 1)
  .filter(one => getComputedStyle(one).position !== 'fixed' && getComputedStyle(one).clipPath === 'none')
  .filter(one => !one.closest('.frame, .scroll, .hidden, [hidden], .other'))
  .map(one => one.tagName + '.' + one.className + ' ' + Math.round(one.getBoundingClientRect().right))"""
"""Elements beyond the right edge, except in frames that scroll by themselves."""


def enlarge(page: Page, percent: int) -> None:
    """Set the size of text, as a user's setting does."""
    page.evaluate(f"document.documentElement.style.fontSize = '{percent}%'")


@pytest.mark.parametrize("is_new", [True, False])
def test_the_front_page_fits_a_phone_with_large_text(opened: Opener, site: Site, *, is_new: bool) -> None:
    seats = [{**HERE, "name": name} for name in ("Ann", "Ben", "Cai")]
    cookie = None if is_new else site.create(rules="crag", seats=seats)[1]
    page = opened("/", cookie=cookie, viewport=PHONE)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("heading", name="Games in progress")).to_have_count(0 if is_new else 1)
    for percent in (150, 200):
        enlarge(page, percent)
        assert page.evaluate(TOO_WIDE) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


BROKEN_WORDS = """() => [...document.querySelectorAll('tbody .name span')].flatMap(name => {
  const text = name.firstChild;
  return [...text.data.matchAll(/[^\\s-]+/g)].filter(word => {
    const range = new Range();
    range.setStart(text, word.index);
    range.setEnd(text, word.index + word[0].length);
    const cell = name.closest('th').getBoundingClientRect();
    return range.getClientRects().length > 1 || range.getBoundingClientRect().right > cell.right + 1;
  }).map(word => word[0]);
})"""
"""Words in names of boxes that take two lines, or that reach beyond their column."""


@pytest.mark.parametrize(
    ("width", "height", "num_seats"), [(390, 664, 1), (390, 664, 2), (1280, 800, 1), (1280, 800, 2)]
)
def test_a_table_fits_its_window_with_large_text(
    opened: Opener, site: Site, width: int, height: int, num_seats: int
) -> None:
    seats = [{**HERE, "name": name} for name in ("Ann", "Ben")[:num_seats]]
    table, cookie = site.create(rules="crag", seats=seats, help="always")
    page = opened(f"/t/{table}", cookie=cookie, viewport={"width": width, "height": height})
    roll(page)
    expect(page.locator(".meter").first).to_be_visible()  # it takes room beside the names
    for percent in (150, 200):
        enlarge(page, percent)
        wait_for(lambda: page.evaluate(BROKEN_WORDS) == [], "the names of boxes are whole")
        assert page.evaluate(TOO_WIDE) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        tops = page.locator("header .icon").evaluate_all("all => all.map(one => one.offsetTop).filter(Boolean)")
        assert len(set(tops)) == 1, "the bar has one line"


def test_forced_colours_keep_the_rolls_left_and_the_best_box(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="crag", seats=[ANN], help="always")
    page = opened(f"/t/{table}", cookie=cookie)
    page.emulate_media(forced_colors="active")
    roll(page)
    colour = "one => getComputedStyle(one).backgroundColor"
    pips = page.locator(".pips i")
    shown = [pips.nth(place).evaluate(colour) for place in range(pips.count())]
    assert len(set(shown)) == 2, shown
    dot = page.locator(".hint").first
    dot.evaluate("one => one.classList.add('on')")
    assert dot.evaluate(colour) == page.locator("body").evaluate("one => getComputedStyle(one).color")
    page.keyboard.press("r")
    best = page.locator("button.open.best").first
    expect(best).to_be_visible()
    assert best.evaluate("one => getComputedStyle(one).outlineStyle") == "solid"
    other = page.locator("button.open:not(.best)").first
    assert other.evaluate("one => getComputedStyle(one).outlineStyle") == "none"


def test_a_printed_table_has_its_card_and_the_rules_and_an_empty_card_can_be_printed(
    opened: Opener, site: Site
) -> None:
    table, cookie = site.create(rules="yatzy", seats=[ANN])
    page = opened(f"/t/{table}", cookie=cookie)
    roll(page)
    page.emulate_media(media="print")
    expect(page.locator("table").first).to_be_visible()
    for hidden in ("header", "footer", ".dock"):
        expect(page.locator(hidden).first).to_be_hidden()

    page = opened("/rules/yatzy")
    page.evaluate("window.print = () => { window.printed = document.querySelector('.blank table') !== null }")
    expect(page.locator(".blank")).to_be_hidden()
    page.emulate_media(media="print")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator("header").first).to_be_hidden()
    page.emulate_media(media="screen")
    page.get_by_role("button", name="Print an empty card").click()
    page.emulate_media(media="print")
    card = page.locator(".blank table")
    expect(card).to_be_visible()
    expect(card.get_by_role("rowheader", name="Ones")).to_be_visible()
    expect(card.get_by_role("columnheader")).to_have_count(5)
    expect(page.get_by_role("heading", level=1)).to_be_hidden()
    assert page.evaluate("window.printed")

    # A card that comes after the user has gone to another page is not printed.
    page.emulate_media(media="screen")
    page.route("**/api/rulesets/rules?*", lambda route: route.abort(), times=1)
    page.get_by_role("button", name="Print an empty card").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("cannot be reached")
    asked = hold(page, "**/api/rulesets/rules?*")
    page.get_by_role("button", name="Print an empty card").press("Enter")
    late = asked()
    page.get_by_role("link", name="All games").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Rules")
    page.evaluate("window.printed = false")
    with page.expect_response("**/api/rulesets/rules?*"):
        late.continue_()
    page.evaluate("new Promise(done => setTimeout(done, 200))")  # in which the page would have read it
    assert not page.evaluate("window.printed")


PLACES = {
    "Play": {"/": "Play", "/lobby": "Find an opponent", "/same": "Same dice"},
    "Today": {"/daily": "Daily ten"},
    "Learn": {"/learn": "Learn from your mistakes", "/position": "Analysis board", "/rules": "Rules"},
    "Clubs": {"/club": "Clubs"},
    "Me": {
        "/me": "My progress",
        "/games": "My games",
        "/dice": "Are the dice fair?",
        "/verify": "Check the dice",
        "/account": "Name and passkeys",
    },
}
"""The pages of each place, with the words of their links; the first one is the place itself."""


@pytest.mark.parametrize("width", [360, 1280])
def test_every_page_is_at_most_two_taps_away_in_one_of_five_places(width: int, opened: Opener) -> None:
    page = opened(width=width)
    places = page.get_by_role("navigation", name="fivedice").get_by_role("link")
    expect(places).to_have_text(list(PLACES))
    for place, paths in PLACES.items():
        for path, words in paths.items():
            places.get_by_text(place, exact=True).click()
            expect(page.locator("header [aria-current]")).to_have_text(place)
            if path != next(iter(paths)):
                page.locator("main, footer").get_by_role("link", name=words).first.click()
            page.wait_for_url(f"**{path}")
            expect(page.locator("header [aria-current]")).to_have_text(place)
            expect(places.first).to_be_in_viewport()
    check(page)


@pytest.mark.parametrize(("locale", "scheme"), cases([("de", "dark")], full=[("de", "dark"), ("sv", "light")]))
def test_every_page_is_accessible_and_no_wider_than_a_phone_in_any_language(
    locale: str, scheme: str, opened: Opener, site: Site
) -> None:
    table, cookie = site.create(rules="yatzy", seats=[{**HERE, "name": name} for name in ("Ann", "Ben", "Cai")])
    page = opened(width=360, locale=locale, color_scheme=scheme, cookie=cookie)
    of_table = (f"/rules?table={table}", f"/t/{table}", f"/verify?table={table}")
    for path in (*chain.from_iterable(PLACES.values()), "/rules/kismet", *of_table, "/nowhere", "/t/nowhere"):
        page.goto(site.address + path)
        expect(page.locator("main h1, main h2").first).to_be_attached()
        expect(page.locator(".loading")).to_have_count(0)  # the first page is hidden until all of it is there
        check(page)


LOW: ViewportSize = {"width": 1366, "height": 768}


@pytest.mark.parametrize(
    ("rules", "percent", "help", "viewport"),
    [
        ("yahtzee", 150, "none", LOW),
        ("yamb", 100, "none", LOW),
        ("yamb", 100, "always", LOW),
        ("maxi_yatzy", 200, "none", PHONE),
    ],
)
def test_in_a_window_lower_than_the_card_the_dice_stay_next_to_it(
    rules: str, percent: int, help: str, viewport: ViewportSize, opened: Opener, site: Site
) -> None:
    table, cookie = site.create(rules=rules, seats=[ANN], help=help)
    page = opened(f"/t/{table}", cookie=cookie, viewport=viewport)
    enlarge(page, percent)
    roll(page)
    page.evaluate("scrollTo(0, 0)")
    expect(page.locator(".roll")).to_be_in_viewport(ratio=1)
    page.locator("[data-box]").last.scroll_into_view_if_needed()
    assert page.evaluate("scrollY") > 0
    expect(page.locator(".roll")).to_be_in_viewport(ratio=1)
    if viewport == LOW:
        expect(page.locator(".dock [data-face]").first).to_be_in_viewport(ratio=0.99)  # it lies askew
    else:
        assert page.locator(".dock").evaluate("dock => dock.getBoundingClientRect().height") <= 0.4 * 664


NAMES = ("Maximiliane von Hohenstein", "Alexander Wintergerst", "Alexander Sommerlath", "Ann", "Ben", "Cai")
LONGEST = "Konstantina-Charlotte Überschwänglichst"


IS_CUT = "name => name.scrollHeight > name.clientHeight + 1 || name.scrollWidth > name.clientWidth + 1"
"""Whether a name does not fit into its lines or its column."""
TOP = "card => card.getBoundingClientRect().top + scrollY"


def open_table(site: Site, opened: Opener, width: int, *names: str) -> Page:
    """Open a table whose players share one device."""
    table, cookie = site.create(rules="yatzy", seats=[{**HERE, "name": name} for name in names])
    page = opened(f"/t/{table}", cookie=cookie, width=width)
    expect(page.locator("thead .name").first).to_be_visible()
    return page


@pytest.mark.parametrize(
    ("num_seats", "width"),
    cases([(6, 360), (3, 1280)], full=[(seats, width) for seats in (3, 6) for width in (360, 768, 1280)]),
)
def test_long_names_are_shown_in_full_on_every_card(num_seats: int, width: int, opened: Opener, site: Site) -> None:
    page = open_table(site, opened, width, *NAMES[:num_seats])
    names = page.locator("thead .name")
    shown = names.all_inner_texts()
    assert set(shown) <= set(NAMES)
    assert len(shown) >= 3
    assert not [name.inner_text() for name in names.all() if name.evaluate(IS_CUT)]
    assert page.locator("thead button").count() == 0
    expect(status(page)).to_have_text(f"{NAMES[0]}, it is your turn")
    if shown != list(NAMES[:num_seats]):
        assert page.locator(".chips .name").all_inner_texts() == list(NAMES[:num_seats])


def test_a_name_that_is_cut_is_shown_in_full_when_it_is_pressed_and_does_not_move_the_card_in_its_turn(
    opened: Opener, site: Site
) -> None:
    page = open_table(site, opened, 360, "Ann", LONGEST, NAMES[1])
    name = page.locator("thead .name").nth(1)
    button = page.get_by_role("button", name=LONGEST)
    expect(button).to_have_attribute("aria-expanded", "false")
    assert name.evaluate(IS_CUT)
    expect(page.get_by_role("columnheader", name=LONGEST)).to_have_attribute("title", LONGEST)
    before = page.locator(".card table").evaluate(TOP)
    page.keyboard.press("r")
    page.locator("[data-box=chance] button").click()
    expect(status(page)).to_have_text(f"{LONGEST}, it is your turn")
    assert page.locator(".card table").evaluate(TOP) == before
    button.press("Enter")
    expect(button).to_have_attribute("aria-expanded", "true")
    assert not name.evaluate(IS_CUT)
    check(page)
