"""The extras of the distribution, and the sentence that says which of them, or what else, is missing.

`pip install fivedice` installs what play, advice, solving and review need. Other parts belong to an extra, such as
`pip install "fivedice[serve]"`, and their packages are imported where they are used.
"""

from collections.abc import Iterator
from contextlib import contextmanager

EXTRAS = {
    "serve": (
        "alembic",
        "cachetools",
        "confusable_homoglyphs",
        "httptools",
        "litestar",
        "networkx",
        "prometheus_client",
        "pywebpush",
        "segno",
        "sqlalchemy",
        "structlog",
        "tzdata",
        "uvicorn",
        "uvloop",
        "webauthn",
        "websockets",
    ),
    "postgres": ("psycopg",),
    "research": ("gymnasium", "pettingzoo", "pyarrow"),
    "cluster": ("dask", "distributed", "pyarrow"),
    "plot": ("matplotlib", "PIL"),
    "testing": ("hypothesis",),
}
"""Extra → the top-level modules of its packages. The extra `all` has the packages of all others."""


class MissingExtraError(ImportError):
    """A package of an extra is not installed. The message says what needs it and how to install it."""


def missing_extra(what: str, extra: str) -> MissingExtraError:
    """The error that says in one sentence what to install.

    >>> print(missing_extra("fivedice serve", "serve"))
    fivedice serve needs the extra "serve": pip install "fivedice[serve]"
    """
    return MissingExtraError(f'{what} needs the extra "{extra}": pip install "fivedice[{extra}]"')


class MissingKernelsError(ImportError):
    """The kernels of the solver were not built, and nothing else does the work. The message says how to get them."""


def missing_kernels() -> MissingKernelsError:
    """The error that says in one sentence how to get kernels.

    >>> print(missing_kernels())
    the compiled solver is missing: run `make kernels` in a checkout, elsewhere install fivedice again with a C compiler
    """
    return MissingKernelsError(
        "the compiled solver is missing: run `make kernels` in a checkout, elsewhere install fivedice again with a C"
        " compiler"
    )


@contextmanager
def needs_extra(what: str, extra: str) -> Iterator[None]:
    """Raises `MissingExtraError` if the block cannot import a module of the extra. `what` begins the sentence.

    >>> with needs_extra("fivedice.testing.strategies", "testing"):
    ...     import hypothesis
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if _top(error) in EXTRAS[extra]:
            raise missing_extra(what, extra) from None
        raise


def extra_of(error: ImportError) -> str | None:
    """The first extra that has the module that could not be imported; None for a module of no extra."""
    return next((extra for extra, modules in EXTRAS.items() if _top(error) in modules), None)


def _top(error: ImportError) -> str:
    return (error.name or "").partition(".")[0]
