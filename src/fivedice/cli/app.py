"""The `fivedice` command: each subcommand is a file of `commands/`, imported when it is called."""

import errno
import os
import sys
from collections.abc import Sequence

from cyclopts import App, CycloptsError, UnusedCliTokensError

from fivedice.cli.text.output import fail
from fivedice.errors import shown

app = App(
    name="fivedice",
    help="Play Yahtzee and its whole family by exactly the rules you choose.",
    help_epilogue="A ruleset is an id with any options, as in yahtzee[joker=free], or a TOML file.",
    version_flags=["--version"],
)
COMMANDS = {
    "play": "Play a game in this terminal, or as lines of text.",
    "serve": "Serve the game to browsers, until Ctrl-C.",
    "backup": "Write all that a server keeps to one file, also while it is being played on.",
    "restore": "Make a server's database of a backup, of the same kind or of the other.",
    "rules": "List the rulesets, or explain one so that a family could play from it.",
    "legal": "List every legal action of a position, with the points that each box would take.",
    "advise": "Show what each action in a position is worth.",
    "solve": "Solve a ruleset exactly: its expected score under optimal play.",
    "review": "Review a game: the luck of every roll and the loss of every decision, exactly.",
    "stats": "Show long-run figures of every player in many records, and whether the dice look fair.",
    "learn": "Learn from your dearest mistakes: each is asked again before you forget it.",
    "quiz": "Answer positions of good play in which the obvious choice is a bad one.",
    "replay": "Check a record and print the game.",
    "verify": "Make every die of a record again from its secret: whether the dice were fixed before the first roll.",
}
for name, about in COMMANDS.items():
    # Named, not imported: a command pays only for what it uses.
    app.command(f"fivedice.cli.commands.{name}:{name}", name=name, help=about)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line, the process's own by default; bad input ends with one sentence and exit status 2."""
    _open_streams()
    try:
        try:
            app(sys.argv[1:] if arguments is None else arguments, print_error=False, exit_on_error=False)
        finally:
            sys.stdout.flush()  # here, where it is known what to do if nobody reads it, or the disk is full
    except CycloptsError as error:
        fail(_sentence(error))
    except ValueError as error:
        fail(str(error))
    except BrokenPipeError:
        _drop_output()
        sys.exit(141)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        _drop_output()
        fail(f"the output cannot be written: {error.strerror}")
    except KeyboardInterrupt:
        sys.exit(130)


def _open_streams() -> None:
    """Give every standard stream something behind it, and let it show what it can rather than fail."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by whoever started the command
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
        getattr(sys, name).reconfigure(errors="replace")  # a stranger's terminal or pipe may not be UTF-8


def _drop_output() -> None:
    """Let Python's own last flush succeed: what is left in the buffer has nowhere to go."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _sentence(error: CycloptsError) -> str:
    """A command-line error on one line, with where to read on."""
    said = " ".join(str(error).split())
    if isinstance(error, UnusedCliTokensError):
        said = f"there is no place for {', '.join(map(shown, error.unused_tokens or ()))} here"
    return f"{said} ({' '.join(['fivedice', *(error.command_chain or ())])} --help tells more)"
