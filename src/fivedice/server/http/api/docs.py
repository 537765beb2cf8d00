"""`/api/docs`: the OpenAPI document as one HTML page without scripts or external files."""

from collections.abc import Iterator
from html import escape
from typing import Any

from litestar import Response

from fivedice.server.http.handling.params import AnyRequest
from fivedice.server.replies.endpoint import get


@get("/api/docs", cost=0, is_described=False)
async def show_docs(request: AnyRequest) -> Response[str]:
    """All endpoints with their parameters, bodies and responses."""
    app = request.app
    if "docs" not in app.state:  # cached: rendering takes about 30 ms
        app.state["docs"] = docs_page(app.openapi_schema.to_schema())
    return Response(app.state["docs"], media_type="text/html")


def docs_page(document: dict[str, Any]) -> str:
    """Render an OpenAPI document as HTML."""
    title = escape(document["info"]["title"])
    schemas = document["components"]["schemas"]
    lines = [
        "<!doctype html>",
        f'<html lang="en"><head><meta charset="utf-8"><title>{title}: HTTP interface</title>',
        '<meta name="viewport" content="width=device-width"></head><body><main>',
        f"<h1>{title}: HTTP interface</h1><p>{escape(document['info']['description'])}",
        'For programs: <a href="/api/schema">the OpenAPI document</a>. A WebSocket at',
        "<code>/api/tables/{table}/socket?since=…</code> sends the same messages as the stream and takes commands.</p>",
    ]
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            lines += _operation(path, method, operation)
    lines.append("<h2>Data</h2>")
    for name, schema in sorted(schemas.items()):
        lines += _schema(name, schema)
    return "\n".join([*lines, "</main></body></html>", ""])


def _operation(path: str, method: str, operation: dict[str, Any]) -> Iterator[str]:
    yield f"<h2><code>{method.upper()} {escape(path)}</code></h2>"
    yield f"<p>{escape(operation.get('description', ''))}</p><ul>"
    for parameter in operation.get("parameters", ()):
        about = escape(parameter.get("description", ""))
        yield f"<li><code>{escape(parameter['name'])}</code> in the {parameter['in']} {about}</li>"
    if "requestBody" in operation:
        yield f"<li>body: {_content(operation['requestBody'])}</li>"
    for status, response in operation["responses"].items():
        yield f"<li>{status}: {escape(response.get('description', ''))} {_content(response)}</li>"
    yield "</ul>"


def _schema(name: str, schema: dict[str, Any]) -> Iterator[str]:
    yield f'<h3 id="{escape(name)}"><code>{escape(name)}</code></h3>'
    yield f"<p>{escape(schema.get('description', ''))}</p><ul>"
    for key, value in schema.get("properties", {}).items():
        yield f"<li><code>{escape(key)}</code>: {_type(value)}</li>"
    yield "</ul>"


def _content(body: dict[str, Any]) -> str:
    return ", ".join(_type(content["schema"]) for content in body.get("content", {}).values())


def _type(schema: dict[str, Any]) -> str:
    """A type as HTML, with links to named schemas."""
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    if "const" in schema:
        return f"<code>{escape(str(schema['const']))}</code>"
    if "enum" in schema:
        return " or ".join(f"<code>{escape(str(value))}</code>" for value in schema["enum"])
    for union in ("oneOf", "anyOf"):
        if union in schema:
            return " or ".join(map(_type, schema[union]))
    kind = schema.get("type", "anything")
    if kind == "array":
        return f"list of {_type(schema.get('items', {}))}"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"text → {_type(schema['additionalProperties'])}"
    return escape(" or ".join(kind) if isinstance(kind, list) else kind)
