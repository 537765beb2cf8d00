"""A function for the worker process."""

from fivedice.storage.engine.unavailable import EventsMissingError


def fail() -> None:
    """Raise an error that a pickle cannot build again, because its arguments are not those of its class."""
    raise EventsMissingError(3, "fivedice.db")
