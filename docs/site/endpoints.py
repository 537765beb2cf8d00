"""The reference of HTTP endpoints, from the server's OpenAPI document."""

from collections.abc import Mapping
from inspect import cleandoc
from typing import Any

from fivedice.server.http.app import make_app

Schema = Mapping[str, Any]

_LIMITS = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
}


def openapi_document() -> dict[str, Any]:
    """The OpenAPI document of a server, as at `/api/schema`."""
    return make_app().openapi_schema.to_schema()


def endpoint_reference() -> str:
    """Markdown with a heading for each endpoint, and at the end one for each type of their JSON."""
    document = openapi_document()
    parts = ["## Endpoints"]
    for path, methods in document["paths"].items():
        for method, endpoint in methods.items():
            parts += _endpoint(f"{method.upper()} {path}", endpoint)
    parts.append("## Types")
    for name, schema in sorted(document["components"]["schemas"].items()):
        parts += type_parts(name, schema)
    return "\n\n".join(parts)


def endpoint_table() -> str:
    """A table of endpoints in Markdown, with what each does."""
    rows = [
        f"| `{method.upper()} {path}` | {_cell(endpoint['description'])} |"
        for path, methods in openapi_document()["paths"].items()
        for method, endpoint in methods.items()
    ]
    return "\n".join(["| endpoint | what it does |", "|---|---|", *rows])


def _endpoint(heading: str, endpoint: Schema) -> list[str]:
    parts = [f"### `{heading}`", endpoint.get("description", "")]
    parameters = endpoint.get("parameters", [])
    if parameters:
        rows = [
            f"| `{p['name']}` | {p['in']} | {shown_type(p['schema'])}{'' if p.get('required') else ', optional'} "
            f"| {_cell(p.get('description', ''))} |"
            for p in parameters
        ]
        parts.append("\n".join(["| parameter | in | type | meaning |", "|---|---|---|---|", *rows]))
    if "requestBody" in endpoint:
        bodies = endpoint["requestBody"]["content"]
        parts.append("Body: " + "; ".join(f"{shown_type(body['schema'])} (`{kind}`)" for kind, body in bodies.items()))
    rows = [
        f"| {status} | {_content(response)} | {_answered(response)} |"
        for status, response in endpoint["responses"].items()
    ]
    parts.append("\n".join(["| status | answer | meaning |", "|---|---|---|", *rows]))
    return parts


def _answered(response: Schema) -> str:
    text = _cell(response.get("description", ""))
    return "Done." if text == "Request fulfilled, document follows" else text  # the framework's words


def _content(response: Schema) -> str:
    return (
        "; ".join(shown_type(body["schema"]) for body in response.get("content", {}).values() if "schema" in body)
        or "–"
    )


def type_parts(name: str, schema: Schema) -> list[str]:
    """A heading for a type, what it is, and a table of its keys."""
    parts = [f"(type-{name.lower()})=\n### {name}"]
    if "description" in schema:
        parts.append(cleandoc(str(schema["description"])))
    if "properties" in schema:
        required = schema.get("required", ())
        rows = [
            f"| `{key}` | {shown_type(value)}{'' if key in required else ', optional'} | {_meaning(value)} |"
            for key, value in schema["properties"].items()
        ]
        parts.append("\n".join(["| key | type | meaning |", "|---|---|---|", *rows]))
    else:
        parts.append(shown_type(schema))
    return parts


def shown_type(schema: Schema) -> str:
    """A schema in a few words; types of our own are links."""
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        return f"[{name}](#type-{name.lower()})"
    for key in ("oneOf", "anyOf", "allOf"):
        if key in schema:
            return " or ".join(dict.fromkeys(map(shown_type, schema[key])))
    if "const" in schema:
        return f"`{schema['const']!r}`"
    if "enum" in schema:
        return " or ".join(f"`{value}`" for value in schema["enum"])
    kind = schema.get("type", "any value")
    if "prefixItems" in schema:
        return f"({', '.join(map(shown_type, schema['prefixItems']))})"
    if kind == "array":
        return f"list of {shown_type(schema['items'])}" if "items" in schema else "list"
    if kind == "object" and isinstance(schema.get("additionalProperties"), Mapping):
        return f"object with values of {shown_type(schema['additionalProperties'])}"
    if isinstance(kind, list):
        return " or ".join(kind)
    return str(kind)


def _meaning(schema: Schema) -> str:
    limits = [text.format(f"{schema[key]:g}") for key, text in _LIMITS.items() if key in schema]
    default = [f"by default `{schema['default']}`"] if schema.get("default") not in (None, "") else []
    return _cell("; ".join([*filter(None, [schema.get("description", "")]), *limits, *default]))


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
