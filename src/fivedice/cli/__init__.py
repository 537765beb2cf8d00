"""The `fivedice` command: each subcommand is a file of this room, imported when it is called."""

import sys
from collections.abc import Sequence

from cyclopts import App, CycloptsError

from fivedice.cli.output import fail

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
    app.command(f"fivedice.cli.{name}:{name}", name=name, help=about)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line, the process's own by default; bad input ends with one sentence and exit status 2."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        # A stranger's terminal or pipe may not be UTF-8: show what it can rather than fail.
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        app(sys.argv[1:] if arguments is None else arguments, print_error=False, exit_on_error=False)
    except CycloptsError as error:
        fail(_sentence(error))
    except ValueError as error:
        fail(str(error))
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(141)
    except KeyboardInterrupt:
        sys.exit(130)


def _sentence(error: CycloptsError) -> str:
    """A command-line error on one line, with where to read on."""
    return f"{' '.join(str(error).split())} (fivedice --help tells more)"
