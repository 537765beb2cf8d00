"""The built client: its files, compressed once, and answers with them."""

import gzip
import hashlib
import mimetypes
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from litestar import Response

from fivedice.server.http.handling.params import IMMUTABLE, AnyRequest

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
