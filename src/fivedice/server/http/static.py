"""The built client: its files, and its index page for every other path outside the HTTP interface."""

import mimetypes
from dataclasses import dataclass
from pathlib import Path

from litestar import HttpMethod, Response, route
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

NOT_BUILT = (
    "The page is not built: run `make web` in the source folder of fivedice. The HTTP interface is at /api/docs.\n"
)

_IMMUTABLE = "public, max-age=31536000, immutable"
_REVALIDATE = "no-cache"


@dataclass(frozen=True, slots=True)
class _File:
    content: bytes
    media_type: str
    cache_control: str


def static_handler(folder: Path) -> HTTPRouteHandler:
    """The handler of all paths outside `/api`. It reads the files once, so that no request can reach other files."""
    files = {path.relative_to(folder).as_posix(): _read(path, folder) for path in folder.rglob("*") if path.is_file()}
    index = files.get("index.html")

    @route(["/", "/{path:path}"], http_method=[HttpMethod.GET, HttpMethod.HEAD], include_in_schema=False)
    async def show_page(path: FromPath[str] = "") -> Response[bytes]:
        name = path.strip("/")
        if name == "api" or (name.startswith(("api/", "assets/")) and name not in files):
            raise NotFoundException(f"there is nothing at /{name[:80]}")
        file = files.get(name, index)
        if file is None:
            return Response(NOT_BUILT.encode(), media_type="text/plain", status_code=503)
        return Response(file.content, media_type=file.media_type, headers={"cache-control": file.cache_control})

    return show_page


def _read(path: Path, folder: Path) -> _File:
    media_type = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    if path.suffix == ".webmanifest":
        media_type = "application/manifest+json"
    # The name of an asset contains a hash of its content.
    is_asset = path.relative_to(folder).parts[0] == "assets"
    return _File(path.read_bytes(), media_type, _IMMUTABLE if is_asset else _REVALIDATE)
