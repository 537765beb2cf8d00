"""The built client: its files, compressed and cached."""

import gzip
from collections.abc import Iterator

import pytest

from tests import clients
from tests.server.serving import serving

SCRIPT = "console.log(1);" * 200


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[clients.Client]:
    folder = tmp_path_factory.mktemp("page")
    (folder / "web" / "assets").mkdir(parents=True)
    (folder / "secret.txt").write_text("nobody's business")
    for name in ("index.html", "sw.js", "manifest.webmanifest", "assets/app-1a2b.css", "favicon.ico", "robots.txt"):
        (folder / "web" / name).write_text(f"this is {name}")
    (folder / "web" / "assets" / "app-1a2b.js").write_text(SCRIPT)
    (folder / "web" / "icon.png").write_bytes(b"png" * 1_000)
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


@pytest.mark.parametrize("path", ["/icon.png", "/sw.js"])
def test_pictures_and_short_texts_are_not_compressed(page: clients.Client, path: str) -> None:
    assert "content-encoding" not in page.get(path).headers


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
