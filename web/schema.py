"""The types of the API: `python web/schema.py` writes web/src/lib/schema.d.ts from the server's OpenAPI document.

With `--check` it writes nothing, and exits with a sentence where the file is not what the document gives.
"""

import asyncio
import json
import sys
import tempfile
from pathlib import Path

from fivedice.server.ops.settings import Settings
from page import SOURCES, ready, run_npm

from fivedice.server.http.app import make_app
from fivedice.server.services import Services

TYPES = SOURCES / "src" / "lib" / "schema.d.ts"


async def document(database: Path) -> str:
    """The OpenAPI document of a server on this database, as JSON."""
    services = Services.start(Settings(f"sqlite:///{database}"))
    try:
        return json.dumps(make_app(services).openapi_schema.to_schema(), default=str)
    finally:
        await services.close()


def types() -> str:
    """The types, as openapi-typescript writes them."""
    folder = ready()
    with tempfile.TemporaryDirectory() as temporary:
        described, made = Path(temporary) / "openapi.json", Path(temporary) / "schema.d.ts"
        described.write_text(asyncio.run(document(Path(temporary) / "tables.db")))
        run_npm("run", "types", "--", str(described), "--output", str(made), folder=folder)
        return made.read_text()


if __name__ == "__main__":
    made = types()
    if "--check" not in sys.argv[1:]:
        TYPES.write_text(made)
    elif TYPES.read_text() != made:
        sys.exit(f"{TYPES.relative_to(SOURCES.parent)} is not what the API says: run `make web-types`")
