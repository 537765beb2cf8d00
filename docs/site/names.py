"""The reference of Python names, from the docstrings of the package."""

import inspect
from importlib import import_module

import fivedice


def home_of(name: str) -> str:
    """The module of a public name, such as `fivedice.game.position`."""
    return f"fivedice.{fivedice._HOME[name]}"


def name_table() -> str:
    """A table of all names of `fivedice`: each links to its entry, with the first sentence of its docstring."""
    rows = [
        f"| {{py:obj}}`{name} <fivedice.{name}>` | {_summary(getattr(fivedice, name))} |" for name in fivedice.__all__
    ]
    return "\n".join(["| name | |", "|---|---|", *rows])


def name_reference(words: list[str]) -> str:
    """Entries for names with their documentation.

    A word that is a room, such as `game`, stands for the names that `fivedice` has from it and from rooms below, and
    `module:Name,Name` for names of a module, without those that `fivedice` has too. Functions come before classes.
    """
    entries = []
    for word in words:
        module, colon, names = word.partition(":")
        if colon:
            entries += [_entry(module, name) for name in names.split(",") if not _is_public(module, name)]
        else:
            found = [name for name in fivedice.__all__ if in_room(name, word)]
            entries += [_entry("fivedice", name) for name in sorted(found, key=_is_class)]
    return "\n\n".join(entries)


def in_room(name: str, room: str) -> bool:
    """Whether a public name comes from a room of the package, or from a room below it."""
    return f"{home_of(name)}.".startswith(f"fivedice.{room}.")


def as_rst(lines: list[str]) -> list[str]:
    """The lines of a docstring in reStructuredText: those of environments have the Markdown of Gymnasium's pages.

    Headings become titles without an entry in the contents, and fenced code an indented block.
    """
    found, indent = [], ""
    for line in lines:
        if line.startswith("```"):
            found += [] if indent else [f".. code-block:: {line[3:] or 'text'}", ""]
            indent = "" if indent else "    "
        elif line.startswith("## ") and not indent:
            found.append(f".. rubric:: {line[3:]}")
        else:
            found.append(indent + line if line else "")
    return found


def _is_class(name: str) -> bool:
    return inspect.isclass(getattr(fivedice, name))


def _is_public(module: str, name: str) -> bool:
    return name in fivedice.__all__ and home_of(name) == module


def _entry(module: str, name: str) -> str:
    value = getattr(import_module(module), name)
    if inspect.isclass(value):
        directive = "autoexception" if issubclass(value, BaseException) else "autoclass"
        options = ["   :members:"] if directive == "autoclass" else []
    else:
        directive, options = ("autofunction" if callable(value) else "autodata"), []
    return "\n".join(["```{eval-rst}", f".. {directive}:: {module}.{name}", *options, "```"])


def _summary(value: object) -> str:
    text = " ".join((inspect.getdoc(value) or "").split("\n\n")[0].split())
    sentence, stop, _ = text.partition(". ")
    return (sentence + stop).strip().replace("|", "\\|")
