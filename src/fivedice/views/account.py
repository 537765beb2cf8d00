"""An account as JSON: its name, passkeys and sessions."""

from typing import Any

from msgspec import Struct


class PasskeyView(Struct, frozen=True):
    """A passkey: the browser that created it, and when it was created and last used, in seconds since 1970."""

    id: str
    agent: str
    created: float
    used: float | None


class SessionView(Struct, frozen=True):
    """A browser that is signed in, since when, in seconds since 1970."""

    id: str
    agent: str
    created: float
    is_this: bool


class AccountView(Struct, frozen=True):
    """The account of this browser; `name` is null without one. `code` is a new printed code, which is shown once.

    Passkeys `is_possible` under the address of the page.
    """

    name: str | None
    passkeys: list[PasskeyView]
    sessions: list[SessionView]
    code: str | None
    is_possible: bool


class PasskeyOptionsView(Struct, frozen=True):
    """The options to give to the browser's `navigator.credentials`, in its JSON form."""

    options: dict[str, Any]
