"""The profiles that tests use one after another."""

from playwright.sync_api import expect

from tests.browser.conftest import Opener
from tests.browser.profiles import Profiles


def test_what_a_test_emulated_is_gone_in_the_next_test_with_the_profile(opened: Opener, profiles: Profiles) -> None:
    options = {"locale": "en-IE", "service_workers": "block"}
    page, give_back = profiles.take(**options)
    page.emulate_media(media="print", forced_colors="active")
    give_back()
    again = opened("/", **options)
    assert again is page
    for feature in ("print", "(forced-colors: active)"):
        assert not again.evaluate("feature => matchMedia(feature).matches", feature)
    expect(again.locator("header").get_by_role("link").first).to_be_visible()
