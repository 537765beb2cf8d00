"""What a cache must know of a response: whether it depends on the cookie, and on the encodings that a client takes."""

from collections.abc import Iterable

from litestar.types import Scope

IMMUTABLE = "public, max-age=31536000, immutable"
"""The `cache-control` of what never changes at its address."""

_PRIVATE = "fivedice.is_private"
"""The key in the scope of a request whose response depends on the cookie."""

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
