"""What a cache must know of a response: whether it depends on the cookie, and on the encodings that a client takes."""

import re
from collections.abc import Iterable

from litestar.types import Scope

IMMUTABLE = "public, max-age=31536000, immutable"
"""The `cache-control` of what never changes at its address."""

_PRIVATE = "fivedice.is_private"
"""The key in the scope of a request whose response depends on the cookie."""

_WEIGHT = re.compile(r"q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)", re.IGNORECASE)

Headers = list[tuple[bytes, bytes]]


def mark_private(scope: Scope) -> None:
    """Note that the response to a request depends on its cookie."""
    scope[_PRIVATE] = True  # type: ignore[literal-required]


def with_cache_headers(headers: Iterable[tuple[bytes, bytes]], scope: Scope) -> Headers:
    """The headers of a response with `vary`, and with `cache-control` if the response must not be stored.

    A response that depends on the cookie, or sets one, is stored nowhere. One that calls itself public is the same for
    everybody.
    """
    result, varies, control, sets_cookie = Headers(), [b"accept-encoding"], b"", False
    for name, value in headers:
        match name.lower():
            case b"vary":
                varies += [one.strip().lower() for one in value.split(b",")]
            case b"cache-control":
                control = value
            case lower:
                sets_cookie = sets_cookie or lower == b"set-cookie"
                result.append((name, value))
    if (scope.get(_PRIVATE) or sets_cookie) and not control.startswith(b"public"):
        control = b"no-store"
        varies.append(b"cookie")
    if control:
        result.append((b"cache-control", control))
    return [*result, (b"vary", b", ".join(dict.fromkeys(varies)))]


def normalize_encoding(scope: Scope) -> None:
    """Reduce the `Accept-Encoding` of a request to gzip or nothing.

    Litestar looks for the word "gzip", which "gzip;q=0" contains, too.
    """
    accepted = b",".join(value for name, value in scope["headers"] if name == b"accept-encoding")
    headers = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
    if accepts_gzip(accepted.decode("latin-1")):
        headers.append((b"accept-encoding", b"gzip"))
    scope["headers"] = headers


def accepts_gzip(header: str) -> bool:
    """Whether a client takes gzip, by RFC 9110, section 12.5.3.

    >>> [accepts_gzip(text) for text in ("gzip", "br, x-gzip;q=0.5", "*", "gzip;q=0, *", "identity", "")]
    [True, True, True, False, False, False]
    """
    weights: dict[str, float] = {}
    for item in header[:1_000].split(","):
        coding, _, weight = (part.strip() for part in item.partition(";"))
        found = _WEIGHT.fullmatch(weight)
        if not weight or found:
            weights[coding.lower().removeprefix("x-")] = float(found[1]) if found else 1.0
    return weights.get("gzip", weights.get("*", 0.0)) > 0
