"""Output of commands: JSON for programs; lines with colour and dice that fit the terminal; numbers in words.

>>> counted(1, "point"), counted(0, "hard decision")
('1 point', '0 hard decisions')
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from textwrap import wrap
from typing import Any, NoReturn, TypeAlias, TypeVar

import msgspec
from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from fivedice.rulesets.dice import Dice, format_dice
from fivedice.rulesets.explanation.dice import faces_text
from fivedice.rulesets.ruleset import Ruleset

DataPackage: TypeAlias = dict[str, Any]
"""The description of a table, or of a data set, in the form of https://datapackage.org."""

Command = TypeVar("Command", bound=Callable[..., None])


def prints(*types: Any) -> Callable[[Command], Command]:
    """Say of a command what its `--json` prints: one of these types."""

    def marked(command: Command) -> Command:
        vars(command)["json_types"] = types
        return command

    return marked


def format_json(value: object, indent: int = 2) -> str:
    """A view, or plain data, as JSON text; in one line if `indent` is 0."""
    return msgspec.json.format(msgspec.json.encode(value), indent=indent).decode()


def show(value: object, lines: Iterable[Text | str], *, json: bool) -> None:
    """Print the result of a command: a view, or plain data, as indented JSON, or else lines of text."""
    if json:
        print(format_json(value))
    else:
        print_lines(lines)


def fail(sentence: str) -> NoReturn:
    """Print an error and exit with status 2."""
    print(f"fivedice: {sentence}", file=sys.stderr)
    sys.exit(2)


WIDEST = 100
"""Characters of a line; longer ones are hard to read."""

_FACES = " ⚀⚁⚂⚃⚄⚅"


def terminal_width() -> int:
    """Characters of a line: those of the terminal, or 80 where there is none, but not more than `WIDEST`."""
    return min(Console(file=sys.stdout).width, WIDEST)


def print_lines(lines: Iterable[Text | str]) -> None:
    """Print lines, in colour if standard output is a terminal and NO_COLOR is not set."""
    console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False, soft_wrap=True)
    with console.capture() as printed:
        for line in lines:
            console.print(line)
    print(printed.get(), end="")  # Rich itself would end with status 1 at a closed pipe


def draw_dice(dice: Dice, ruleset: Ruleset) -> str:
    """Dice as they look, apart from each other; in digits if they have more faces or the terminal no signs for them."""
    if ruleset.face_names:
        return faces_text(ruleset, dice)
    if not dice or max(dice) >= len(_FACES) or not _can_print("⚀"):
        return format_dice(dice)
    return " ".join(_FACES[face] for face in dice)


def tell(sentence: str) -> None:
    """Print a sentence: in a terminal in lines that fit, else in one line."""
    print("\n".join(wrapped(sentence, terminal_width())) if sys.stdout.isatty() else sentence)


def wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """The lines of a paragraph, all of them indented."""
    return wrap(text, width, initial_indent=indent, subsequent_indent=indent)


def paragraph(text: str, width: int, indent: str = "", style: str = "") -> Iterator[Text]:
    """The text in one style."""
    return (Text(line, style=style) for line in wrapped(text, width, indent))


def table(rows: Iterable[Sequence[str]], least: int = 0) -> Iterator[str]:
    """Rows in columns, two blanks apart: the first one to the left, the others to the right and at least so wide."""
    found = list(rows)
    first, *others = (max(map(cell_len, column)) for column in zip(*found, strict=True))
    widths = [max(least, width) for width in others]
    for label, *cells in found:
        texts = (cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
        yield "  ".join([set_cell_size(label, first), *texts]).rstrip()


def fit(text: str, width: int) -> str:
    """A text that is shortened if it is wider."""
    return text if cell_len(text) <= width else f"{set_cell_size(text, width - 1).rstrip()}…"


def _can_print(character: str) -> bool:
    try:
        # The terminal game replaces standard output by something without an encoding, and draws more than ASCII.
        character.encode(getattr(sys.stdout, "encoding", "utf-8") or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def counted(number: int, noun: str) -> str:
    """The number and the noun, whose plural ends in s."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
