"""A page of a server behind nginx and Caddy with TLS, with the configuration in docs/deployment.md."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import TIMEOUT_MS
from tests.browser.player import rolls_left, set_table, status, take_turn, write_best
from tests.reliability.process import ServerProcess
from tests.reliability.proxy import run_proxy


@pytest.mark.slow
def test_a_page_works_over_tls_and_reconnects_after_a_restart(
    browser: Browser, proxy_kind: tuple[str, str], tmp_path: Path
) -> None:
    server = ServerProcess(f"sqlite:///{tmp_path / 'tables.db'}", "--proxy", "127.0.0.1")
    server.start()
    # The certificate of the proxy is self-signed.
    context = browser.new_context(ignore_https_errors=True, reduced_motion="reduce", locale="en-GB")
    context.set_default_timeout(TIMEOUT_MS)
    try:
        with run_proxy([server.port], *proxy_kind, tmp_path) as proxy:
            page = context.new_page()
            sockets: list[str] = []
            page.on("websocket", lambda socket: sockets.append(socket.url))
            page.goto(proxy.url)
            assert page.evaluate("performance.getEntriesByType('navigation')[0].nextHopProtocol") == "h2"
            set_table(page, "yahtzee", "Ann", "greedy")
            take_turn(page)
            expect(status(page)).to_have_text("Your turn")
            [cookie] = context.cookies()
            assert cookie["name"] == "__Host-fivedice"
            assert (cookie["secure"], cookie["httpOnly"], cookie["sameSite"]) == (True, True, "Lax")

            server.kill()
            expect(page.get_by_role("status")).to_contain_text("Connection lost")
            page.keyboard.press("r")
            server.start()
            rolls_left(page, 2)
            write_best(page)
            expect(status(page)).to_have_text("Your turn")
            take_turn(page)
            expect(status(page)).to_have_text("Your turn")
            assert len(sockets) >= 2
            assert all(socket.startswith(proxy.url.replace("https", "wss")) for socket in sockets)
    finally:
        context.close()
        server.kill()
