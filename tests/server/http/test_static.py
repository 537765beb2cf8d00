"""Files of the page, caches, and compression."""

import gzip
import re
from collections.abc import Iterator
from typing import Any

import pytest

from fivedice.server.http.app import ENDPOINTS
from fivedice.server.http.pages import RELOAD
from tests import clients
from tests.server.serving import TWO, Browser, serving

SCRIPT = "console.log(1);" * 200


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[clients.Client]:
    folder = tmp_path_factory.mktemp("page")
    names = ("index.html", "sw.js", "manifest.webmanifest", "assets/app-1a2b.css", "favicon.ico", "robots.txt")
    files = {name: f"this is {name}".encode() for name in names}
    files |= {f"assets/{name}": SCRIPT.encode() for name in ("app-1a2b.js", "worker-1a2b.js", "index-n3-W.js")}
    files["index.html"] = b'<script type="module" src="/assets/index-n3-W.js"></script>'
    files |= {"icon.png": b"png" * 1_000, "local/python.wasm.gz": gzip.compress(b"wasm" * 1_000)}
    for name, content in {**files, "../secret.txt": b"nobody's business"}.items():
        (folder / "web" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "web" / name).write_bytes(content)
    with serving(folder, page=folder / "web") as server, clients.Client(base_url=server.url) as client:
        yield client


@pytest.mark.parametrize(
    ("path", "media_type", "cache"),
    [
        ("/sw.js", "text/javascript; charset=utf-8", "no-cache"),
        ("/manifest.webmanifest", "application/manifest+json", "no-cache"),
        ("/favicon.ico", "image/vnd.microsoft.icon", "no-cache"),
        ("/robots.txt", "text/plain; charset=utf-8", "no-cache"),
        ("/assets/app-1a2b.css", "text/css; charset=utf-8", "public, max-age=31536000, immutable"),
    ],
)
def test_files_have_a_media_type_and_assets_are_cached(
    page: clients.Client, path: str, media_type: str, cache: str
) -> None:
    answer = page.get(path)
    assert answer.text == f"this is {path[1:]}"
    assert (answer.headers["content-type"], answer.headers["cache-control"]) == (media_type, cache)


def test_texts_are_compressed_for_clients_that_take_it(page: clients.Client) -> None:
    packed = page.get("/assets/app-1a2b.js", headers={"accept-encoding": "br, gzip"})
    assert (packed.text, packed.headers["content-encoding"]) == (SCRIPT, "gzip")
    assert int(packed.headers["content-length"]) == len(gzip.compress(SCRIPT.encode(), 9)) < len(SCRIPT) / 10
    plain = page.get("/assets/app-1a2b.js", headers={"accept-encoding": "identity"})
    assert (plain.text, int(plain.headers["content-length"])) == (SCRIPT, len(SCRIPT))
    assert "content-encoding" not in plain.headers
    assert packed.headers["vary"] == plain.headers["vary"] == "accept-encoding"
    for path in ("/icon.png", "/sw.js"):  # a picture, and a short text
        assert "content-encoding" not in page.get(path).headers


def test_a_file_that_is_kept_compressed_is_sent_under_its_own_name(page: clients.Client) -> None:
    packed = page.get("/local/python.wasm", headers={"accept-encoding": "gzip"})
    plain = page.get("/local/python.wasm", headers={"accept-encoding": "identity"})
    assert packed.content == plain.content == b"wasm" * 1_000
    assert (packed.headers["content-encoding"], "content-encoding" in plain.headers) == ("gzip", False)
    assert packed.headers["content-type"] == plain.headers["content-type"] == "application/wasm"
    assert page.get("/local/python.wasm.gz").headers["content-type"] != "application/gzip"


def test_only_the_worker_that_plays_without_the_server_may_run_webassembly(page: clients.Client) -> None:
    paths = "/", "/sw.js", "/local/python.wasm", "/assets/app-1a2b.js", "/assets/worker-1a2b.js", "/api/none"
    policies = {path: page.get(path).headers["content-security-policy"] for path in paths}
    assert [path for path, policy in policies.items() if "wasm" in policy] == ["/assets/worker-1a2b.js"]
    assert "'unsafe-eval'" not in policies["/assets/worker-1a2b.js"]
    assert all("'unsafe-inline'" not in policy for policy in policies.values())


@pytest.mark.parametrize("path", ["/assets/app-1a2b.js", "/sw.js", "/"])
def test_content_that_the_client_has_is_not_sent_again(page: clients.Client, path: str) -> None:
    etag = page.get(path).headers["etag"]
    for known in (etag, etag.removeprefix("W/"), f'"other", {etag}'):
        again = page.get(path, headers={"if-none-match": known})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", etag)
    assert page.get(path, headers={"if-none-match": '"other"'}).status_code == 200


@pytest.mark.parametrize("path", ["/assets/none.js", "/api", "/api/", "/api/none", "/assets/..%2Findex.html"])
def test_unknown_api_and_asset_paths_are_not_found(page: clients.Client, path: str) -> None:
    answer = page.get(path)
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown")


@pytest.mark.parametrize("path", ["/..%2Fsecret.txt", "/%2e%2e/secret.txt", "//secret.txt", "/assets/../../secret.txt"])
def test_files_outside_the_folder_are_not_served(page: clients.Client, path: str) -> None:
    assert "nobody's business" not in page.get(path).text


def test_a_page_learns_which_version_of_it_the_server_has(page: clients.Client, ann: Browser) -> None:
    for path in ("/", "/api/players", "/assets/index-n3-W.js"):
        assert page.get(path).headers["fivedice-page"] == "index-n3-W.js"
    # The page of another version asked for its script or words here: it is loaded again, and nothing keeps that.
    for path in ("/assets/index-0ld.js", "/assets/de-0ld.js"):
        answer = page.get(path)
        assert (answer.status_code, answer.text, answer.headers["cache-control"]) == (200, RELOAD, "no-store")
    assert page.get("/assets/index-0ld.css").status_code == 404
    # A server without a page:
    assert "fivedice-page" not in ann.http.get("/api/players").headers
    assert ann.http.get("/assets/index-0ld.js").status_code == 404


def filled(path: str, table: str) -> str:
    values = {"stream": table, "table": table, "seat": "0", "day": "2026-11-25", "kind": "ten"}
    return re.sub(r"{([^}]+)}", lambda found: values.get(found[1], "none"), path)


QUERIES = {
    "/api/positions": "?line=yahtzee+-+33456+r2",
    "/api/positions/why": "?line=yahtzee+-+33456+r2&action=keep+33&instead=keep+-",
    "/api/me/outcome": "?table={table}",
    "/api/rulesets/rules": "?ref=yahtzee",
    "/api/rulesets/explained": "?ref=yahtzee",
}


@pytest.mark.parametrize(("method", "path"), sorted({(one.method, one.path) for one in ENDPOINTS}))
def test_an_answer_about_the_browser_is_stored_nowhere_and_others_are_the_same_for_every_browser(
    ann: Browser, ben: Browser, method: str, path: str
) -> None:
    table = ann.create()
    ben.create()  # so that he has a cookie
    if path.endswith("/stream"):
        with ann.http.stream("GET", filled(path, table)) as answer:
            assert answer.headers["cache-control"] == "no-store"
        return
    address = filled(path, table) + QUERIES.get(path, "").format(table=table)
    body: Any = {"seats": TWO} if path == "/api/tables" else {}
    answer = ann.http.request(method, address, json=body if method == "POST" else None)
    if method == "GET" and not re.search("no-store|private|no-cache", answer.headers.get("cache-control", "")):
        assert ben.http.get(address).text == answer.text, "a cache between them and the server may keep it"
    is_about_browser = "/me" in path or "/seats/" in path or "set-cookie" in answer.headers
    if is_about_browser and answer.status_code < 400:
        assert answer.headers["cache-control"] == "no-store"
        assert "cookie" in answer.headers["vary"].split(", ")


def test_a_link_to_a_seat_and_an_export_have_secrets_and_are_not_compressed(ann: Browser) -> None:
    for _ in range(12):
        table = ann.create()
    link = ann.http.post(f"/api/tables/{table}/seats/0/link")
    assert link.json()["secret"]
    assert (link.headers["cache-control"], "content-encoding" in link.headers) == ("no-store", False)
    answer = ann.http.post("/api/me/export")
    assert answer.json()["key"]
    assert len(answer.content) > 1_000
    assert "content-encoding" not in answer.headers


@pytest.mark.parametrize(("accepted", "is_packed"), [("gzip", True), ("br, gzip;q=0.1", True), ("identity", False)])
@pytest.mark.parametrize("path", ["/api/rulesets", "/api/schema"])
def test_answers_are_compressed_for_who_takes_gzip(ann: Browser, path: str, accepted: str, is_packed: bool) -> None:
    answer = ann.http.get(path, headers={"accept-encoding": accepted})
    assert (answer.headers.get("content-encoding") == "gzip") is is_packed
    assert "accept-encoding" in answer.headers["vary"].split(", ")
