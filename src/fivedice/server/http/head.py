"""`Head`: the part of the page that depends on its address: its title and what sites show of a link to it."""

import re
from dataclasses import dataclass
from html import escape

from litestar.datastructures import Headers

from fivedice.server.share.picture import HEIGHT, WIDTH
from fivedice.server.share.preview import Preview
from fivedice.server.share.words import Words

SITE_PICTURE = "/pictures/site.png"

_LOCALES = {"en": "en_GB", "de": "de_DE", "sv": "sv_SE"}

_DEFAULTS = re.compile(r'\s*(?:<title>[^<]*</title>|<meta name="description"[^>]*>)')
_HOST = re.compile(r"[A-Za-z0-9._-]{1,253}(?::[0-9]{1,5})?|\[[0-9A-Fa-f:.]{2,45}\](?::[0-9]{1,5})?")


@dataclass(frozen=True, slots=True)
class Head:
    """The head of one page. `origin` is that of the request, as in https://yahtzee.example; empty if it is not known.

    `path` and `picture` begin with a slash.
    """

    title: str
    description: str
    picture: str
    path: str
    origin: str
    language: str
    is_private: bool = False
    """Whether search engines must not list the page: its address is an invitation."""

    def tags(self) -> str:
        """The tags, by the Open Graph protocol and for Twitter's cards; sites want absolute addresses."""
        named = {"description": self.description, "twitter:card": "summary_large_image"}
        if self.is_private:
            named["robots"] = "noindex"
        graph = {
            "og:site_name": "fivedice",
            "og:type": "website",
            "og:title": self.title,
            "og:description": self.description,
            "og:url": self.origin + self.path,
            "og:locale": _LOCALES[self.language],
            "og:image": self.origin + self.picture,
            "og:image:type": "image/png",
            "og:image:width": str(WIDTH),
            "og:image:height": str(HEIGHT),
            "og:image:alt": f"{self.title}. {self.description}",
        }
        lines = [f"<title>{escape(self.title)}</title>"]
        lines += [f'<meta name="{name}" content="{escape(text)}" />' for name, text in named.items()]
        lines += [f'<meta property="{name}" content="{escape(text)}" />' for name, text in graph.items()]
        return "\n    ".join(lines)

    def insert(self, index: str) -> str:
        """The index page with these tags instead of its title and description."""
        before, head_end, after = index.partition("</head>")
        return f"{_DEFAULTS.sub('', before)}    {self.tags()}\n  {head_end}{after}" if head_end else index


def table_head(table: str, version: int, preview: Preview, *, origin: str, language: str) -> Head:
    """The head of a table's page. The address of the picture has the version, so that sites fetch each one once."""
    words = Words(language)
    side = "" if preview.side is None else f"seat={preview.side}"
    return Head(
        title=words.title(preview),
        description=words.description(preview),
        picture=f"/pictures/{table}.png?lang={language}&v={version}" + (f"&{side}" if side else ""),
        path=f"/t/{table}" + (f"?{side}" if side else ""),
        origin=origin,
        language=language,
        is_private=True,
    )


def site_head(path: str, *, origin: str, language: str) -> Head:
    """The head of any other page."""
    return Head("fivedice", Words(language).site(), f"{SITE_PICTURE}?lang={language}", path, origin, language)


def origin_of(scheme: str, headers: Headers) -> str:
    """The origin that a client has used; empty if its `Host` is not valid. A trusted proxy sets the scheme."""
    host = headers.get("host", "")
    return f"{'https' if scheme == 'https' else 'http'}://{host}" if _HOST.fullmatch(host) else ""
