"""What a card and its dice show under unusual rules: faces above nine, and a total that the rules convert."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Opener
from tests.browser.player import HERE
from tests.browser.site import Site
from tests.waiting import wait_for

TWENTY = 'id = "twenty"\nname = "Twenty"\ndice = 5\nfaces = 20\n[categories]\nany = { scorer = "any_dice" }\n'


def test_dice_with_twenty_faces_are_labelled_by_their_numbers(opened: Opener, site: Site) -> None:
    table, cookie = site.create(rules="x", toml=TWENTY, seats=[{**HERE, "name": "Ann"}])
    dice: list[int] = []
    while not any(face > 9 for face in dice):
        site.command(table, cookie, type="roll", seat=0, kept=[False] * len(dice))
        dice = site.get(f"/api/tables/{table}")["view"]["turn"]["dice"]
    page = opened(f"/t/{table}", cookie=cookie)
    shown = page.locator(".dock [data-face]")
    expect(shown).to_have_count(len(dice))
    for place, face in enumerate(dice):
        expect(shown.nth(place)).to_have_accessible_name(re.compile(rf"\b{place + 1}: {face}\b"))
        if face > 9:
            expect(shown.nth(place).locator("text")).to_have_text(str(face))
    expect(page.get_by_text("NaN")).to_have_count(0)


def test_the_card_of_balut_says_what_its_points_are_converted_to(opened: Opener, site: Site) -> None:
    table, _ = site.create(rules="balut", seats=[{"kind": "greedy"}])
    wait_for(lambda: site.get(f"/api/tables/{table}")["view"]["state"] == "over", "the game ends")
    update = site.get(f"/api/tables/{table}?rules=true")
    card, awards = update["view"]["seats"][0]["card"], update["rules"]["awards"]
    page = opened(f"/t/{table}")
    rows = page.locator("tfoot tr")
    expect(rows.first).to_contain_text(str(card["sum"]))
    shown = [f"{row.locator('td').inner_text()}" for row in rows.all()[1:-1]]
    earned = [points for points in card["awards"] if points]
    assert [int(text.replace("\u2212", "-")) for text in shown] == earned
    assert sum(earned) == card["total"]
    names = [
        award["name"] for award, points in zip(awards, card["awards"], strict=True) if points and award["category"]
    ]
    for name in names:
        expect(rows.filter(has_text=f"→ {name}")).to_have_count(1)
    expect(rows.last).to_contain_text(str(card["total"]).replace("-", "\u2212"))
