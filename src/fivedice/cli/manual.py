"""`python -m fivedice.cli.manual` prints the manual page of `fivedice`, from the help of its commands."""

from collections.abc import Iterator
from importlib.metadata import version

from fivedice.cli.app import COMMANDS, GROUPS, app
from fivedice.cli.examples import EXAMPLES, LANGUAGE, POSITION, RECORD, RULESET

FILES = (
    "Records of your games and your lessons are in your data folder, which FIVEDICE_DATA names, solutions in your "
    "cache folder, which FIVEDICE_CACHE names. fivedice serve keeps its games in the database that FIVEDICE_DATABASE "
    "or --database-url names."
)
STATUS = "0 for success, 1 if a part of the input was invalid, 2 with one sentence on standard error for bad input."


def manual() -> str:
    """The manual page in the language of man(7)."""
    lines = [
        f'.TH FIVEDICE 1 "" "fivedice {version("fivedice")}" "User Commands"',
        ".SH NAME",
        "fivedice \\- Yahtzee and its whole family, by exactly the rules you choose",
        ".SH SYNOPSIS",
        ".B fivedice",
        "[\\fB\\-\\-lang\\fR \\fILANGUAGE\\fR] \\fICOMMAND\\fR [\\fIOPTIONS\\fR]",
        ".SH DESCRIPTION",
    ]
    for text in (RULESET, POSITION, RECORD, LANGUAGE):
        lines += [".PP", _escaped(text)]
    for title, names in GROUPS.items():
        known = [name for name in names if name in COMMANDS]
        if known:
            lines.append(f'.SH "{title.upper()}"')
        for name in known:
            lines += [f".SS {name}", *_command(name)]
    for title, text in (("FILES", FILES), ("EXIT STATUS", STATUS)):
        lines += [f'.SH "{title}"', _escaped(text)]
    return "\n".join(lines) + "\n"


def _command(name: str) -> Iterator[str]:
    """The lines about one command: what it does, its arguments and options, and examples."""
    yield _escaped(COMMANDS[name])
    for argument in app[name].assemble_argument_collection(parse_docstring=True):
        if not argument.show:
            continue
        default = argument.field_info.default
        has_default = argument.parameter.show_default is not False and default not in (None, argument.field_info.empty)
        yield ".TP"
        yield f"\\fB{_escaped(', '.join(argument.names))}\\fR"
        yield _escaped(" ".join((argument.parameter.help or "").split()) + (f" [default: {default}]" * has_default))
    yield from (".PP", "Examples:", ".nf", *map(_escaped, EXAMPLES[name]), ".fi")


def _escaped(line: str) -> str:
    """A line that roff prints as it is."""
    text = line.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text.startswith((".", "'")) else text


if __name__ == "__main__":
    print(manual(), end="")
