"""Reminders over a fake push service, which decrypts what it gets as a browser does."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDSA,
    SECP256R1,
    EllipticCurvePublicKey,
    derive_private_key,
)
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from fivedice.server.config.settings import PUSH_SERVICES
from fivedice.server.live import reminders
from fivedice.server.live.reminders import is_service
from fivedice.storage.rows.reminders import MAX_REMINDED
from tests.server.serving import TINY, Browser, Serving, serving
from tests.waiting import wait_for

AUTH = bytes(range(16))
PRIVATE = derive_private_key(7, SECP256R1())
"""What encrypts messages for the browsers of these tests."""

TWO: list[dict[str, Any]] = [{"kind": "person", "name": "Ann", "here": True}, {"kind": "person"}]


def text(data: bytes) -> str:
    """Bytes in base64 for URLs."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def raw(data: str) -> bytes:
    """The bytes of a text in base64 for URLs."""
    return urlsafe_b64decode(data + "=" * (-len(data) % 4))


KEY = text(PRIVATE.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


class Push:
    """A push service on a port of its own; `messages` are those that came, with their path and headers."""

    def __init__(self) -> None:
        self.messages: list[tuple[str, dict[str, str], Any]] = []
        self.status = 201
        push = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                told = http_ece.decrypt(body, private_key=PRIVATE, auth_secret=AUTH, version="aes128gcm")
                headers = {name.lower(): value for name, value in self.headers.items()}
                push.messages.append((self.path, headers, json.loads(told)))
                self.send_response(push.status)
                if push.status == 302:
                    self.send_header("location", f"{push.origin}/elsewhere")
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self._server.server_port}"
        Thread(target=self._server.serve_forever, daemon=True).start()

    def to(self, path: str) -> list[tuple[dict[str, str], Any]]:
        """The messages to an address, with their headers, once there are any."""

        def found() -> list[tuple[dict[str, str], Any]]:
            return [(headers, told) for to, headers, told in self.messages if to == path]

        return wait_for(found, f"{path} is reminded")

    def close(self) -> None:
        """Stop it."""
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(scope="module")
def service() -> Iterator[Push]:
    push = Push()
    yield push
    push.close()


@pytest.fixture
def push(service: Push) -> Push:
    """The push service, which has received nothing."""
    service.messages.clear()
    service.status = 201
    return service


@pytest.fixture(scope="module")
def server(service: Push, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(reminders.Reminders.__init__, "__defaults__", (0.05,))
        with serving(tmp_path_factory.mktemp("reminders"), push_services=(service.origin,)) as running:
            yield running


def ask(browser: Browser, address: str, lang: str = "en") -> Any:
    """Ask for reminders at an address."""
    body = {"address": address, "key": KEY, "auth": text(AUTH), "lang": lang}
    return browser.http.post("/api/me/reminders", json=body)


@contextmanager
def seated(server: Serving, rules: str = TINY) -> Iterator[tuple[Browser, Browser, str]]:
    """Two browsers with a seat each at a table that has begun; neither is connected."""
    ann, ben = server.visit(), server.visit()
    table = ann.create(TWO, toml=rules)
    ben.do(table, "sit", seat=1, name="Ben")
    yield ann, ben, table


def test_the_player_to_move_is_reminded_once_unless_connected(server: Serving, push: Push) -> None:
    with seated(server) as (ann, ben, table):
        assert ask(ben, f"{push.origin}/ben", "de").status_code == 204
        assert ask(ann, f"{push.origin}/ann").status_code == 204
        ann.do(table, "roll", seat=0, kept=[])
        ann.do(table, "score", seat=0, box="any")
        [(headers, told)] = push.to("/ben")
        assert told == {"title": "Du bist am Zug", "body": "Tiny", "tag": f"fivedice {table}", "path": f"/t/{table}"}
        assert headers["content-encoding"] == "aes128gcm"
        assert 0 < int(headers["ttl"]) <= 86_400
        it_is_signed_by_the_key_that_browsers_are_given(headers, ann.get("/api/reminders/key")["key"], push.origin)
        ben.do(table, "roll", seat=1, kept=[])
        ben.do(table, "score", seat=1, box="any")
        ben.do(table, "rematch", seat=1)
        assert [told["title"] for _, told in push.to("/ann")][-1] == "Ben wants to play another game with you"
        assert push.to("/ann")[-1][1]["path"] == f"/t/{ann.view(table)['rematch']}"
        assert len(push.to("/ben")) == 1


def it_is_signed_by_the_key_that_browsers_are_given(headers: dict[str, str], key: str, origin: str) -> None:
    scheme, _, pairs = headers["authorization"].partition(" ")
    given = dict(pair.strip().split("=", 1) for pair in pairs.split(","))
    assert (scheme, given["k"]) == ("vapid", key)
    signed, _, signature = given["t"].rpartition(".")
    claims = json.loads(raw(signed.split(".")[1]))
    assert (claims["aud"], claims["sub"][:17]) == (origin, "https://127.0.0.1")
    numbers = [int.from_bytes(raw(signature)[part : part + 32]) for part in (0, 32)]
    public = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), raw(key))
    public.verify(encode_dss_signature(*numbers), signed.encode(), ECDSA(SHA256()))


def test_nobody_is_reminded_who_is_connected_or_no_longer_wants_it(server: Serving, push: Push) -> None:
    with seated(server) as (ann, ben, table), ann.socket(table) as socket:
        socket.receive()
        assert ask(ann, f"{push.origin}/ann").status_code == 204
        assert ask(ann, f"{push.origin}/phone").status_code == 204
        assert ask(ben, f"{push.origin}/ben").status_code == 204
        for browser, name in ((ann, "phone"), (ben, "ann")):  # Ben can end no reminder of Ann's
            answer = browser.http.delete("/api/me/reminders", params={"address": f"{push.origin}/{name}"})
            assert answer.status_code == 204
        ann.do(table, "roll", seat=0, kept=[])
        ann.do(table, "score", seat=0, box="any")
        push.to("/ben")
        assert [path for path, _, _ in push.messages] == ["/ben"]
        ben.do(table, "roll", seat=1, kept=[])
        ben.do(table, "score", seat=1, box="any")
    ben.do(table, "rematch", seat=1)
    push.to("/ann")
    assert {path for path, _, _ in push.messages} == {"/ben", "/ann"}


def test_a_browser_is_forgotten_once_its_service_does_not_know_it(server: Serving, push: Push) -> None:
    with seated(server) as (ann, ben, table):
        push.status = 410
        assert ask(ben, f"{push.origin}/ben").status_code == 204
        ann.do(table, "roll", seat=0, kept=[])
        ann.do(table, "score", seat=0, box="any")
        push.to("/ben")
        push.status = 302
        assert ask(ben, f"{push.origin}/moved").status_code == 204
        ben.do(table, "roll", seat=1, kept=[])
        ben.do(table, "score", seat=1, box="any")
        ann.do(table, "rematch", seat=0)
        push.to("/moved")
        assert [path for path, _, _ in push.messages] == ["/ben", "/moved"], "no redirection is followed"


def test_a_browser_asks_only_with_a_seat_and_at_a_known_service(server: Serving, push: Push) -> None:
    stranger = server.visit()
    answer = ask(stranger, f"{push.origin}/x")
    assert (answer.status_code, answer.json()["code"]) == (403, "not_yours")
    with seated(server) as (ann, _, _):
        for address in (
            "http://127.0.0.1:1/x",
            "https://example.org/x",
            "file:///etc/passwd",
            "//",
            f"{push.origin}.x/",
        ):
            answer = ask(ann, address)
            assert (answer.status_code, answer.json()["code"]) == (400, "malformed"), address
        for wrong in ({"key": "short"}, {"auth": "A" * 21 + "+"}, {"lang": "xx"}):
            body = {"address": f"{push.origin}/x", "key": KEY, "auth": text(AUTH)} | wrong
            assert ann.http.post("/api/me/reminders", json=body).status_code == 400


@pytest.mark.parametrize(
    ("address", "is_known"),
    [
        ("https://fcm.googleapis.com/fcm/send/abc", True),
        ("https://updates.push.services.mozilla.com/wpush/v2/abc", True),
        ("https://web.push.apple.com/abc", True),
        ("https://db5p.notify.windows.com/w/?token=abc", True),
        ("http://fcm.googleapis.com/fcm/send/abc", False),
        ("https://fcm.googleapis.com:8443/abc", False),
        ("https://fcm.googleapis.com@example.org/abc", False),
        ("https://fcm.googleapis.com.example.org/abc", False),
        ("https://evilnotify.windows.com/abc", False),
        ("https://x@db5p.notify.windows.com/abc", False),
        ("https://[", False),
    ],
)
def test_only_the_push_services_of_browsers_are_asked(address: str, is_known: bool) -> None:
    assert is_service(address, PUSH_SERVICES) is is_known


def test_at_most_ten_browsers_of_a_holder_are_reminded(server: Serving, push: Push) -> None:
    with seated(server) as (ann, ben, table):
        for number in range(MAX_REMINDED + 2):
            assert ask(ben, f"{push.origin}/{number}").status_code == 204
        ann.do(table, "roll", seat=0, kept=[])
        ann.do(table, "score", seat=0, box="any")
        wait_for(lambda: len(push.messages) >= MAX_REMINDED, "all are reminded")
        assert sorted(int(path[1:]) for path, _, _ in push.messages) == list(range(2, MAX_REMINDED + 2))


def test_a_server_keeps_its_key(tmp_path: Path) -> None:
    keys = []
    secrets = iter([bytes([number]) * 32 for number in range(1, 9)])
    for _ in range(2):
        with serving(tmp_path, new_secret=lambda: next(secrets), database_url=f"sqlite:///{tmp_path}/x.db") as running:
            keys.append(running.visit().get("/api/reminders/key")["key"])
    assert keys[0] == keys[1]
