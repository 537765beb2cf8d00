"""An account in Chromium, whose virtual authenticator answers as a device with a fingerprint reader does."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.axe import check
from tests.browser.conftest import Opener


def with_authenticator(page: Page) -> Any:
    """Give a page a device for passkeys."""
    protocol = page.context.new_cdp_session(page)
    protocol.send("WebAuthn.enable")
    features = {"hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True}
    options = {"protocol": "ctap2", "transport": "internal", "automaticPresenceSimulation": True, **features}
    return protocol.send("WebAuthn.addVirtualAuthenticator", {"options": options}), protocol


def test_a_name_is_kept_by_a_passkey_and_found_again_with_it_and_with_the_printed_code(opened: Opener) -> None:
    page = opened("/account", width=390)
    page.goto(page.url.replace("127.0.0.1", "localhost"))
    with_authenticator(page)
    check(page)
    page.get_by_label("Name", exact=True).fill("Ann of Chromium")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Signed in as Ann of Chromium")).to_be_visible()
    expect(page.get_by_role("status")).to_have_text("This name is yours now, with the games of this browser.")
    code = page.locator(".code strong").inner_text()
    page.set_viewport_size({"width": 1280, "height": 800})
    check(page)

    session = page.get_by_role("region", name="Signed-in browsers")
    session.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="A name of your own")).to_be_visible()
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("heading", name="Signed in as Ann of Chromium")).to_be_visible()

    session.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="A name of your own")).to_be_visible()
    page.get_by_role("textbox", name="Printed code").fill(code)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Signed in as Ann of Chromium")).to_be_visible()
    expect(page.locator(".code strong")).not_to_have_text(code)

    page.get_by_role("button", name="Delete everything").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete everything").click()
    expect(page.get_by_role("status")).to_have_text("Everything is deleted.")
