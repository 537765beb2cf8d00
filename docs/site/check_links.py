"""Checks the built site: every link, picture and style of a page leads to a file of the site, and to a place in it.

`python -m docs.site.check_links FOLDER` prints each dead link, and exits with 1 if there is one. Links to other sites
are not followed.
"""

import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class _Page(HTMLParser):
    """The ids of a page and the addresses that it names."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = {"", "top"}
        self.addresses: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.ids.add(value)
            elif name in ("href", "src") and value is not None:
                self.addresses.append(value)


def dead_links(folder: Path) -> Iterator[str]:
    """Each dead link of a built site, with the page that it is on."""
    pages = {path: _Page(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.html"))}
    for path, page in pages.items():
        for address in dict.fromkeys(page.addresses):
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file():
                yield f"{path.relative_to(folder)}: {address}: there is no such file"
            elif target in pages and unquote(parts.fragment) not in pages[target].ids:
                yield f"{path.relative_to(folder)}: {address}: there is no such place"


def main(folder: str) -> None:
    """Print the dead links of a built site."""
    root = Path(folder).resolve()
    if not (root / "index.html").is_file():
        sys.exit(f"{folder} has no index.html: build the site first")
    found = list(dead_links(root))
    print("\n".join([*found, f"{len(found)} dead links in {len(list(root.rglob('*.html')))} pages"]))
    sys.exit(bool(found))


if __name__ == "__main__":
    main(sys.argv[1])
