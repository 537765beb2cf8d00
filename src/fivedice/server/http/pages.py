"""The pages: the files of the built client, compressed once, and its index page, with the head for its address and
status 404 for unknown addresses."""

import asyncio
import gzip
import hashlib
import mimetypes
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from html import escape
from pathlib import Path
from urllib.parse import quote

from litestar import HttpMethod, Response, route
from litestar.datastructures import Headers, State
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from fivedice.base.errors import UnavailableError, UnknownError
from fivedice.base.language import LANGUAGES
from fivedice.base.language import language as language_of
from fivedice.rulesets import ruleset_ids
from fivedice.server.http.handling.params import IMMUTABLE, UNCOMPRESSED, AnyRequest
from fivedice.server.http.security import WORKER_POLICY
from fivedice.server.live.live_table import LiveTable
from fivedice.server.services import Services
from fivedice.server.table.preview import Words, preview_of

MIN_COMPRESSED_BYTES = 1_000
"""Text of an answer that is compressed: less saves no packet."""

REVALIDATE = "no-cache"

_TEXTS = ("text/", "application/json", "application/manifest+json", "image/svg+xml")
"""Media types of text; pictures and fonts are compressed already."""

_TYPES = {
    ".ico": "image/vnd.microsoft.icon",
    ".mjs": "text/javascript",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
}
"""Media types that some versions of Python do not know, or name otherwise."""

PACKED = ".gz"
"""The ending of files that are compressed when the page is built, because that takes seconds."""


@dataclass(frozen=True, slots=True)
class Content:
    """What an answer contains. `packed` is the content compressed by gzip; empty if that is not worth it.

    `plain` is empty if it is only kept compressed. `etag` is weak, because it is the same for both.
    """

    plain: bytes
    packed: bytes
    media_type: str
    cache_control: str
    etag: str

    @classmethod
    def of(cls, plain: bytes, media_type: str, cache_control: str, level: int = 6) -> "Content":
        """Content, compressed at this level if it is text; 9 takes longest."""
        is_text = media_type.startswith(_TEXTS) and len(plain) >= MIN_COMPRESSED_BYTES
        packed = gzip.compress(plain, level, mtime=0) if is_text else b""
        return cls(plain, packed, media_type, cache_control, _etag(plain))


def read_files(folder: Path) -> dict[str, Content]:
    """All files below a folder by their paths. They are read once, so that no request can reach other files.

    NAME.gz is NAME, which is only kept compressed.
    """
    found = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix().removesuffix(PACKED): _read(path, folder) for path in found}


def answer(
    request: AnyRequest, content: Content, status_code: int = 200, headers: Mapping[str, str] | None = None
) -> Response[bytes]:
    """An answer with the content, compressed if the client takes that; 304 without it if the client has it."""
    about = {"cache-control": content.cache_control, "etag": content.etag, **(headers or {})}
    if status_code == 200 and is_known(request, content.etag):
        return Response(b"", status_code=304, headers=about)
    if content.packed and "gzip" in request.headers.get("accept-encoding", ""):
        about["content-encoding"] = "gzip"
        return Response(content.packed, media_type=content.media_type, status_code=status_code, headers=about)
    plain = content.plain or gzip.decompress(content.packed)
    return Response(plain, media_type=content.media_type, status_code=status_code, headers=about)


def is_known(request: AnyRequest, etag: str) -> bool:
    """Whether the client has the content with this entity tag, whether the tag is weak or not."""
    known = request.headers.get("if-none-match", "")[:1_000]
    return etag.removeprefix("W/") in [one.strip().removeprefix("W/") for one in known.split(",")]


def _read(path: Path, folder: Path) -> Content:
    data, is_packed = path.read_bytes(), path.suffix == PACKED
    name = path.with_suffix("") if is_packed else path
    media_type = _TYPES.get(name.suffix) or mimetypes.guess_type(name.name)[0] or "application/octet-stream"
    # The name of an asset contains a hash of its content.
    cache_control = IMMUTABLE if path.relative_to(folder).parts[0] == "assets" else REVALIDATE
    if is_packed:
        return Content(b"", data, media_type, cache_control, _etag(data))
    return Content.of(data, media_type, cache_control, level=9)


def _etag(data: bytes) -> str:
    return f'W/"{hashlib.sha256(data).hexdigest()[:32]}"'


PREVIEW_SECONDS = 1.0
"""Reading a table for the head of its page, which is general after that."""

PICTURE = "link.png"
"""The picture beside every link. What is special about a page is in the text."""

_LOCALES = {"en": "en_GB", "de": "de_DE", "sv": "sv_SE"}

_DEFAULTS = re.compile(r'\s*(?:<title>[^<]*</title>|<meta name="description"[^>]*>)')
_HOST = re.compile(r"[A-Za-z0-9._-]{1,253}(?::[0-9]{1,5})?|\[[0-9A-Fa-f:.]{2,45}\](?::[0-9]{1,5})?")


@dataclass(frozen=True, slots=True)
class Head:
    """The head of one page. `origin` is that of the request, as in https://yahtzee.example; empty if it is not known.

    `path` begins with a slash.
    """

    title: str
    description: str
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
            "og:image": f"{self.origin}/{PICTURE}",
            "og:image:type": "image/png",
            "og:image:width": "1200",
            "og:image:height": "630",
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


def accepted_language(header: str) -> str:
    """The first language of an `Accept-Language` header that there are messages for; English if there is none."""
    weighted: list[tuple[float, str]] = []
    for item in header[:200].split(","):
        tag, _, weight = item.partition(";")
        try:
            weighted.append((-float(weight.strip().removeprefix("q=") or 1), tag.strip().lower().split("-")[0]))
        except ValueError:
            continue
    ordered = sorted(weighted, key=lambda found: found[0])
    return next((tag for weight, tag in ordered if weight and tag in LANGUAGES), "en")


def origin_of(scheme: str, headers: Headers) -> str:
    """The origin that a client has used; empty if its `Host` is not valid. A trusted proxy sets the scheme."""
    host = headers.get("host", "")
    return f"{'https' if scheme == 'https' else 'http'}://{host}" if _HOST.fullmatch(host) else ""


NOT_BUILT = (
    "The page is not built: run `make web` in the source folder of fivedice. The HTTP interface is at /api/schema.\n"
)

EMBEDDED = {"cross-origin-resource-policy": "cross-origin"}
"""Sites that show a link embed its picture."""

RELOAD = "setTimeout(() => location.reload(), 1000);\n"
"""In place of the script or the words of a page that a process of another version has sent, while that is installed."""

_SCRIPT = re.compile(r"assets/index-[\w-]+\.js")
"""The script of a page. Its name has a hash of its content."""

_WORDS = re.compile(rf"assets/(?:{'|'.join(LANGUAGES)})-[\w-]+\.js")
"""The words of a language of the page."""

_WORKER = re.compile(r"assets/worker-[\w-]+\.js")
"""The script of the worker that plays without the server (`web/vite.config.ts`)."""

PAGES = re.compile(
    r"/|/lobby|/games|/me|/account|/learn|/dice|/verify|/rules|/rules/(?P<rules>[^/]+)|/position|/position/.*"
    r"|/daily|/daily/(?:ten|game|storm|streak|archive)|/daily/archive/[0-9-]{10}"
    r"|/same|/same/[A-Za-z0-9_-]{1,32}|/club|/club/[A-Za-z0-9_-]{1,32}|/tournament/[A-Za-z0-9_-]{1,32}"
)
"""The addresses of the client's pages other than tables."""

_INVITATION = re.compile("/(?:t|d|same|club|tournament)/")
"""What begins the addresses that people send each other."""

_RESULT = re.compile(r"/d/(?P<id>[A-Za-z0-9_-]{1,32})/?")
_TABLE = re.compile(r"/t/(?P<table>[^/]+)/?")

READING = [HttpMethod.GET, HttpMethod.HEAD]
"""Some programs that preview links ask for the head of an answer first."""

LEGAL = ("privacy", "imprint", "terms")
"""What an operator may have to publish: NAME.html in a folder of theirs, linked at the foot of every page."""


def page_version(folder: Path) -> str:
    """The name of the script of a built page, which is another one in each version; empty if the page is not built."""
    index = folder / "index.html"
    found = _SCRIPT.search(index.read_text()) if index.is_file() else None
    return found[0].removeprefix("assets/") if found else ""


@dataclass(frozen=True, slots=True)
class Page:
    """The files of the page by their paths, and the text of `index.html`; `None` if the page was not built."""

    files: dict[str, Content]
    index: str | None

    @classmethod
    def read(cls, folder: Path, legal: Path | None = None) -> "Page":
        """The page that was built into a folder, which links to those of the operator in another folder."""
        files = read_files(folder)
        index = files["index.html"].plain.decode() if "index.html" in files else None
        own = {name: legal / f"{name}.html" for name in LEGAL} if legal else {}
        there = {name: path for name, path in own.items() if path.is_file()}
        for name, path in there.items():
            files[f"{name}.html"] = Content.of(path.read_bytes(), "text/html; charset=utf-8", REVALIDATE)
        if index is not None and there:
            index = index.replace("</head>", f'  <meta name="legal" content="{" ".join(there)}" />\n  </head>', 1)
        return cls(files, index)


@route(["/", "/{path:path}"], http_method=READING, include_in_schema=False, opt=UNCOMPRESSED)
async def show_page(request: AnyRequest, state: State, path: FromPath[str] = "") -> Response[bytes]:
    """A file of the page, or the page itself with the head for its address."""
    files, index = state.page.files, state.page.index
    name = path.strip("/")
    if index is not None and (_SCRIPT.fullmatch(name) or _WORDS.fullmatch(name)) and name not in files:
        return Response(RELOAD.encode(), media_type="text/javascript", headers={"cache-control": "no-store"})
    if name == "api" or (name.startswith(("api/", "assets/")) and name not in files):
        raise NotFoundException(f"there is nothing at /{name[:80]}")
    if name in files and name != "index.html":
        own = {PICTURE: EMBEDDED}.get(name) or (WORKER_POLICY if _WORKER.fullmatch(name) else None)
        return answer(request, files[name], headers=own)
    if index is None:
        return Response(NOT_BUILT.encode(), media_type="text/plain", status_code=503)
    head, status = await _head(request, state.services, str(request.scope["path"]))
    page = Content.of(head.insert(index).encode(), "text/html", REVALIDATE)
    return answer(request, page, status, {"vary": "accept-language"})


def _side(text: str) -> int | None:
    """The seat that a shared address names; None if it names none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 3 else None


async def _head(request: AnyRequest, services: Services, path: str) -> tuple[Head, int]:
    """The head of the page at a path, and the status of the answer."""
    language = accepted_language(request.headers.get("accept-language", ""))
    words, page, status = Words(language), PAGES.fullmatch(path), 200
    head = partial(Head, origin=origin_of(request.url.scheme, request.headers), language=language)
    try:
        if found := _TABLE.fullmatch(path):
            path, live = f"/t/{found['table']}", await _find(services, found["table"])
            if live and live.table.created.duplicate is None:
                preview = preview_of(live.table, _side(request.query_params.get("seat", "")))
                shared = path if preview.side is None else f"{path}?seat={preview.side}"
                return head(words.title(preview), words.description(preview), shared, is_private=True), status
        elif found := _RESULT.fullmatch(path):
            with suppress(UnavailableError):
                attempt = await services.dailies.attempt(found["id"])
                if attempt.is_over(services.days.now, services.days.today):
                    result = await services.dailies.result_view(attempt, language_of(language))
                    return head(result.line, words.play_today(), result.path, is_private=True), status
        elif page is None or (page["rules"] and page["rules"].partition("[")[0] not in ruleset_ids()):
            path, status = "/", 404
    except UnknownError:
        path, status = "/", 404
    return head("fivedice", words.site(), quote(path), is_private=bool(_INVITATION.match(path))), status


async def _find(services: Services, table: str) -> LiveTable | None:
    """A table; None if it cannot be read soon. The page then shows that itself, as it does when it is open already."""
    with suppress(UnavailableError, TimeoutError):
        async with asyncio.timeout(PREVIEW_SECONDS):
            return await services.tables.find(table[:64])
    return None
