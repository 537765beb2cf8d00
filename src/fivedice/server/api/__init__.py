"""The HTTP interface, one file a noun; docs/http.md and `/api/docs` describe it."""
