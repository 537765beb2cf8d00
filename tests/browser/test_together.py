"""Several people, each on a page of their own: clubs, the same dice for all, and an opponent found in the lobby."""

from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from tests.browser.conftest import Opener, also_translated, check
from tests.browser.player import ANN, PHONE, change_rules, hold, sit_down, status, take_turn
from tests.browser.site import Site


def join(page: Page, name: str) -> None:
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Join the club").click()
    expect(page.get_by_text(f"You are in this club as {name}.")).to_be_visible()


def enter_the_result(page: Page, reason: str) -> None:
    """Enter scores of Ann and Ben by hand."""
    page.get_by_role("button", name="Enter the result").click()
    dialog = page.get_by_role("dialog")
    for name, score in (("Ann", "243"), ("Ben", "198")):
        dialog.get_by_label(f"Score of {name}").fill(score)
    dialog.get_by_label("Reason").fill(reason)
    dialog.get_by_role("button", name="Enter").click()


@also_translated
def test_a_club_plans_an_evening_draws_it_and_shows_the_standings(opened: Opener, site: Site) -> None:
    ann, ben = opened("/club"), opened(None, width=390)
    ann.get_by_label("Name of the club").fill("Dice & Friends")
    ann.get_by_role("button", name="Found a club").click()
    join(ann, "Ann")
    invitation = ann.get_by_label("Link to the club").first.input_value()
    assert "organise" not in invitation
    ben.goto(invitation)
    join(ben, "Ben")
    expect(ben.get_by_text("Plan a tournament")).to_have_count(0)
    ann.get_by_label("Name", exact=True).fill("Thursday")
    ann.get_by_role("button", name="Put in the calendar").click()
    ann.get_by_role("button", name="Take part").click()
    expect(ann.get_by_text("You take part.")).to_be_visible()
    ben.route("**/api/clubs/*", lambda route: route.abort(), times=1)
    ben.goto(ann.url)
    expect(ben.get_by_role("button", name="Draw round 1")).to_have_count(0)
    ben.get_by_role("button", name="Take part").click()
    check(ben)
    ann.reload()
    ann.get_by_role("button", name="Draw round 1").click()
    table = ann.get_by_role("link", name="To your table").get_attribute("href")
    ben.reload()
    expect(ben.get_by_role("link", name="To your table")).to_have_attribute("href", table or "")
    enter_the_result(ann, "played with real dice")
    dialog = ann.get_by_role("dialog")
    expect(dialog).to_have_count(0)
    expect(ann.get_by_role("table").locator("tbody tr").first).to_contain_text("Ann")
    check(ann)
    ben.reload()
    expect(ben.get_by_text("played with real dice")).to_be_visible()
    ann.get_by_role("button", name="Draw round 2").click()
    earlier = ann.locator("section", has=ann.get_by_role("heading", name="Round 1"))
    expect(earlier).to_contain_text("played with real dice")
    earlier.get_by_role("button", name="Correct").click()
    dialog.get_by_label("Score of Ann").fill("123")
    ann.route("**/commands", lambda route: route.abort(), times=1)
    dialog.get_by_role("button", name="Enter").click()
    expect(dialog.get_by_role("alert")).to_contain_text("cannot be reached")
    dialog.get_by_role("button", name="Enter").press("Enter")
    cross = ann.get_by_role("region", name="Cross table")
    expect(cross.get_by_role("row").nth(2)).to_contain_text("123 (1)")
    check(ann)
    ben.goto(invitation)
    expect(ben.get_by_role("heading", level=1)).to_have_text("Dice & Friends")
    check(ben)


def test_somebody_new_runs_an_evening_from_one_page_with_one_button(opened: Opener, site: Site) -> None:
    page = opened("/club", width=390)
    page.get_by_label("Name of the club").fill("Thursday")
    page.get_by_role("button", name="Found a club").click()
    page.locator("summary", has_text="Organiser’s link").click()
    old, failed = page.get_by_label("Organiser’s link").input_value(), page.get_by_role("alert")
    page.route("**/commands", lambda route: [route.fetch(), route.abort()], times=1)
    for lost in (1, 0):
        page.get_by_role("button", name="Replace the organiser’s link").click()
        page.get_by_role("dialog").get_by_role("button", name="Replace").click()
        expect(failed).to_have_count(lost)
    page.goto(old)
    expect(failed).to_have_text("This organiser’s link has been replaced. Ask for the new one.")
    page.reload()
    page.get_by_label("Name", exact=True).fill("Evening")
    page.get_by_role("button", name="Put in the calendar").click()
    following = page.locator("#organise ~ .actions .main")
    expect(following).to_have_text("Add players")
    following.click()
    page.get_by_role("button", name="QR code").click()
    code = page.get_by_role("dialog").get_by_role("img", name="QR code")
    expect(code).not_to_have_js_property("naturalWidth", value=0)
    check(page)
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    page.get_by_label("Names, one a line").fill("Ann\nBen\nBen")
    page.get_by_role("button", name="Add players").click()
    expect(following).to_have_text("Draw round 1")
    check(page)
    page.locator("#organise ~ details").evaluate("details => (details.open = true)")
    join(opened(page.locator("a[href^='/club/']").get_attribute("href")), "Zoe")
    names, player = page.get_by_label("Names, one a line"), page.locator("li", has=page.get_by_role("button"))
    for added, left in (("Cleo\nAnn", "Cleo\nAnn"), ("Cleo", "")):
        names.fill(added)
        page.get_by_role("button", name="Add players").click()
        expect(page.get_by_role("alert")).to_have_count(1 if left else 0)
        expect(names).to_have_value(left)
    expect(player.filter(has_text="Zoe")).to_have_count(0)
    for name in ("Cleo", "Ben"):
        player.filter(has_text=name).get_by_role("button").click()
    member = page.get_by_label("Add a member")
    member.select_option("Ben")
    expect(following).to_have_text("Draw round 1")
    expect(member).to_have_value("")
    following.click()
    expect(following).to_have_text("Enter 1 result")
    enter_the_result(page, "real dice")
    expect(following).to_have_text("Draw round 2")
    expect(page.get_by_role("region", name="Cross table").get_by_role("row").nth(1)).to_contain_text("243 (2)")
    page.emulate_media(media="print")
    expect(page.get_by_role("region", name="Cross table")).to_be_visible()
    expect(following).to_be_hidden()
    page.emulate_media(media="screen")


def play(page: Page, site: Site, name: str) -> None:
    """Enter with the keyboard, score once, and play the rest by requests."""
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Play", exact=True).press("Enter")
    page.wait_for_url("**/t/*")
    take_turn(page)
    site.play(page.url.rpartition("/")[2], page.context.cookies(), 12)
    page.get_by_role("link", name="Standings").click()


@also_translated
def test_two_people_play_the_same_dice_and_compare_their_games(opened: Opener, site: Site) -> None:
    ann, ben = opened("/", viewport=PHONE), opened(None, viewport=PHONE)
    ann.get_by_role("link", name="Same dice").press("Enter")
    ann.get_by_label("Rules").select_option(label="Crag")
    ann.get_by_label("People, at most").fill("2")
    check(ann)
    ann.get_by_role("button", name="Open a game").press("Enter")
    invitation = ann.get_by_role("textbox", name="Invite by link").input_value()
    ben.goto(invitation)
    play(ann, site, "Ann")
    expect(ben.get_by_role("row").filter(has_text="Ann")).to_contain_text("done")
    expect(ben.get_by_role("link", name="Ann")).to_have_count(0)
    check(ben)
    play(ben, site, "Ben")
    ben.get_by_role("button", name="Compare with Ann").press("Enter")
    expect(ben.get_by_role("heading", name="You – Ann")).to_be_visible()
    expect(ben.locator(".all tbody tr")).to_have_count(13)
    expect(ben.get_by_role("row").filter(has_text="Ann").first).to_contain_text("1")
    check(ben)
    ben.locator("summary", has_text="Check the dice").click()
    ben.get_by_role("link", name="Check the dice").first.click()
    expect(ben.get_by_text("match the secret").first).to_be_visible()
    check(ben)


def match(page: Page, name: str) -> None:
    """Ask for a quick match, with the keyboard."""
    page.get_by_label("Your name").fill(name)
    page.get_by_label("Clock").select_option(label="30 seconds a turn")
    page.get_by_role("button", name="Quick match").press("Enter")


@also_translated
def test_two_people_find_each_other_and_play_against_the_clock(opened: Opener) -> None:
    ann, ben = (opened("/", viewport=PHONE) for _ in range(2))
    for page in (ann, ben):
        page.get_by_role("link", name="Find an opponent").press("Enter")
        expect(page.get_by_text("Nobody is waiting.")).to_be_visible()
        expect(page.get_by_role("link", name="Play today’s game")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
    match(ann, "Ann")
    expect(ann.get_by_text("Waiting for an opponent.").first).to_be_visible()
    check(ann)
    expect(ben.get_by_role("button", name="Play Ann")).to_be_visible()
    match(ben, "Ben")
    for page in (ann, ben):
        page.wait_for_url("**/t/*")
        expect(page.get_by_role("timer")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
    mover = ann if status(ann).text_content() == "Your turn" else ben
    expect(mover.get_by_role("timer")).to_contain_text("0:")


def test_whoever_stops_waiting_at_one_seat_is_taken_to_the_game_at_another(opened: Opener) -> None:
    ann, ben = opened("/lobby"), opened("/lobby")
    stop = ann.get_by_role("button", name="Stop waiting")
    match(ann, "Ann")
    expect(stop).to_have_count(1)
    ann.get_by_label("Clock").select_option(label="60 seconds a turn")
    ann.get_by_role("button", name="Quick match").press("Enter")
    expect(stop).to_have_count(2)
    ann.wait_for_timeout(1_500)  # pages look for what is new within a second
    asked = hold(ann, "**/api/lobby/seats/*")
    stop.first.click()
    expect(stop.first).to_be_disabled()  # a second click would be told that the seat is gone
    asked()
    ben.get_by_role("button", name="Play Ann").last.click()
    ann.wait_for_url("**/t/*")


OPEN = {"kind": "person"}


def test_a_friend_who_is_a_moment_late_gets_the_next_seat(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="crag", seats=[ANN, OPEN, OPEN])
    opened(f"/t/{table}", cookie=cookie)
    ben, cai = opened(f"/t/{table}"), opened(f"/t/{table}")
    sit = cai.get_by_role("button", name="Sit down")
    expect(sit).to_be_visible()
    cai.context.set_offline(True)
    ben.get_by_role("button", name="Sit down").click()
    expect(status(ben)).to_have_text("Waiting for 1 player")
    sit.click()
    cai.context.set_offline(False)
    expect(sit).to_have_count(0)
    expect(cai.locator("thead .seat").nth(2)).to_contain_text("You")
    expect(ben.locator("thead .seat").nth(2)).to_contain_text("Guest")


def test_a_friends_link_is_there_after_one_click(opened: Opener) -> None:
    page = opened(viewport={"width": 360, "height": 640})
    change_rules(page)
    page.get_by_label("Your name").fill("Ann")
    page.get_by_role("button", name="Play with a friend").click()
    link = page.get_by_role("textbox", name="Invite with this link")
    expect(link).to_be_in_viewport(ratio=1)
    ben = opened(urlsplit(link.input_value()).path)
    expect(ben.locator("form")).to_contain_text("No values, costs, best choices or chances to win are shown")
    sit_down(ben, "Ben")
    expect(status(ben)).to_have_text("Ann to move")
    expect(status(page)).to_have_text("Your turn")
