"""The HTTP endpoints, one file per resource; docs/http.md and `/api/schema` describe them."""
