"""The built client: its files, and its index page for other paths."""

from collections.abc import Iterator

import httpx
import pytest

from fivedice.server.http.static import NOT_BUILT
from tests.server.serving import Browser, serving


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    folder = tmp_path_factory.mktemp("page")
    (folder / "web" / "assets").mkdir(parents=True)
    (folder / "secret.txt").write_text("nobody's business")
    for name in ("index.html", "sw.js", "manifest.webmanifest", "assets/app-1a2b.js", "assets/app-1a2b.css"):
        (folder / "web" / name).write_text(f"this is {name}")
    with serving(folder, page=folder / "web") as server, httpx.Client(base_url=server.url) as client:
        yield client


@pytest.mark.parametrize("path", ["/", "/index.html", "/t/abc", "/games", "/verify", "/position/yahtzee%20-%20-%20r3"])
def test_page_paths_return_the_index(page: httpx.Client, path: str) -> None:
    answer = page.get(path)
    assert (answer.status_code, answer.text) == (200, "this is index.html")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    head = page.head(path)
    assert (head.status_code, head.text) == (200, "")


@pytest.mark.parametrize(
    ("path", "media_type", "cache"),
    [
        ("/sw.js", "text/javascript; charset=utf-8", "no-cache"),
        ("/manifest.webmanifest", "application/manifest+json", "no-cache"),
        ("/assets/app-1a2b.js", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"),
        ("/assets/app-1a2b.css", "text/css; charset=utf-8", "public, max-age=31536000, immutable"),
    ],
)
def test_files_have_a_media_type_and_assets_are_cached(
    page: httpx.Client, path: str, media_type: str, cache: str
) -> None:
    answer = page.get(path)
    assert answer.text == f"this is {path[1:]}"
    assert (answer.headers["content-type"], answer.headers["cache-control"]) == (media_type, cache)


@pytest.mark.parametrize("path", ["/assets/none.js", "/api", "/api/", "/api/none", "/assets/..%2Findex.html"])
def test_unknown_api_and_asset_paths_are_not_found(page: httpx.Client, path: str) -> None:
    answer = page.get(path)
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown")


@pytest.mark.parametrize("path", ["/..%2Fsecret.txt", "/%2e%2e/secret.txt", "//secret.txt", "/assets/../../secret.txt"])
def test_files_outside_the_folder_are_not_served(page: httpx.Client, path: str) -> None:
    assert "nobody's business" not in page.get(path).text


def test_a_missing_build_is_explained(ann: Browser) -> None:
    answer = ann.http.get("/t/abc")
    assert (answer.status_code, answer.text) == (503, NOT_BUILT)
    assert "make web" in NOT_BUILT
