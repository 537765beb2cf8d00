"""Write web/src/lib/schema.d.ts, the types of the API, from the server's OpenAPI document.

With `--check` it writes nothing, and exits with a message if the file does not match the document.
"""

import json
import sys
import tempfile
from pathlib import Path

from page import SOURCES, ready, run_npm

from fivedice.server.http.app import make_app

TYPES = SOURCES / "src" / "lib" / "schema.d.ts"


def types() -> str:
    """Return the types that openapi-typescript generates."""
    folder = ready()
    with tempfile.TemporaryDirectory() as temporary:
        described, made = Path(temporary) / "openapi.json", Path(temporary) / "schema.d.ts"
        described.write_text(json.dumps(make_app().openapi_schema.to_schema(), default=str))
        run_npm("run", "types", "--", str(described), "--output", str(made), folder=folder)
        return made.read_text()


if __name__ == "__main__":
    made = types()
    if "--check" not in sys.argv[1:]:
        TYPES.write_text(made)
    elif TYPES.read_text() != made:
        sys.exit(f"{TYPES.relative_to(SOURCES.parent)} does not match the API: run `make web-types`")
