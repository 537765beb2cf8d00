"""Tables without a server: what the page runs in the browser, which needs only the standard library and msgspec."""
