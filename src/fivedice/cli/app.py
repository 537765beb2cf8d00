"""The `fivedice` command. Each subcommand is a function in `commands/`, imported when it is called."""

import errno
import os
import sys
from collections.abc import Sequence

from cyclopts import App, CycloptsError, Group, UnusedCliTokensError

import fivedice
from fivedice.base.errors import shown
from fivedice.base.extras import MissingExtraError, MissingKernelsError, extra_of, missing_extra
from fivedice.cli.interrupts import STATUS, leave
from fivedice.cli.language import speaking
from fivedice.cli.text.output import fail


def _version() -> str:
    """The version, and which kernels run."""
    from fivedice.solver.kernels import native  # this loads NumPy

    level = native.level()
    return f"{fivedice.__version__}, {f'with kernels built for {level}' if level else 'without the compiled solver'}"


LANGUAGE = (
    "With --lang de or --lang sv, games, reviews, rules and advice are in German or Swedish; FIVEDICE_LANG or your "
    "locale sets the default."
)

app = App(
    name="fivedice",
    version=_version,
    help="Play Yahtzee and its many relatives by exactly the rules you choose.",
    help_epilogue=f"{LANGUAGE} Each command has examples: fivedice COMMAND --help.",
    version_flags=["--version"],
)
GROUPS = {
    "Play": {
        "play": "Play a game in the terminal, or as lines of text.",
        "daily": "Decide ten positions, different ones every day.",
        "storm": "Solve as many positions as you can in three minutes, from easy to hard; three mistakes end it.",
        "games": "List your saved games, and how to review or resume each.",
        "me": "Show your progress: points lost over time, where you lose them, scores, luck and your streak of days.",
        "learn": "Learn from your costliest mistakes; each returns before you forget it.",
        "quiz": "Test yourself on positions where the obvious choice is wrong.",
        "replay": "Check a record and print the game.",
        "verify": "Verify a record's dice: recompute each one from the revealed secret.",
    },
    "Analyse": {
        "advise": "Show the value of every action in a position.",
        "chances": "Show how likely every final score is from a position.",
        "odds": "Show every seat's chance to win and to tie.",
        "review": "Review a game: the exact luck of every roll and loss of every decision.",
        "solve": "Solve a ruleset: its exact expected score under optimal play.",
        "stats": "Show long-run figures of every player in many records, and test the dice.",
    },
    "Rules": {
        "rules": "List the rulesets, or explain the rules of one in full.",
        "players": "List the computer players, and which of them a ruleset has.",
        "legal": "List every legal action in a position and the points each box would score.",
    },
    "Serve": {
        "serve": "Serve the game to web browsers until you press Ctrl-C.",
        "backup": "Back up a server's database to one file, even while games are in progress.",
        "restore": "Restore a server's database from a backup, to SQLite or PostgreSQL.",
        "grade": "Grade all finished games in a server's database again.",
        "forget": "Delete a person's data, a name, a club or a table from a server's database.",
        "doctor": "Check what a server needs: database, schema, solutions, clock and its address.",
    },
    "Research": {
        "simulate": "Simulate millions of games: means, deviations and chances to win, and the games as Parquet.",
        "sweep": "Solve many variants of a ruleset: expected score, deviation, bonus rates and best first keeps.",
        "export": "Write exact tables of a ruleset as Parquet, or its solution as one file for browsers.",
        "dataset": "Build or check an open data set: decisions of levels in six rulesets, with the exact loss of each.",
        "evaluate": "Evaluate an agent: its score and the exact loss of its decisions, by kind, with the costliest.",
    },
}
"""The groups of the help, in order, and what their commands do."""

COMMANDS = {name: about for commands in GROUPS.values() for name, about in commands.items()}

EXAMPLES = {
    "play": ("", "kniffel --seats Ann=human,Ben=human,level_4", "--resume"),
    "serve": ("", "--host 0.0.0.0 --port 8000", "--port 8001 --database-url postgresql://fivedice@db.example/fivedice"),
    "backup": ("games.backup.gz", "games.backup --database-url sqlite:///games.db"),
    "restore": ("games.backup.gz --database-url postgresql://fivedice@db.example/fivedice",),
    "doctor": ("", "--url https://dice.example.org"),
    "grade": ("", "--database-url sqlite:///x.db"),
    "forget": ("person Ann --dry-run", "name 'Bad words' --database-url sqlite:///x.db"),
    "players": ("", "yamb", "--lang sv"),
    "rules": ("", "yahtzee[joker=free] --lang de", "house.toml --check"),
    "legal": ("'yahtzee - 33456 r0'", "33456"),
    "advise": (
        "'yahtzee - 44666 r2' --top 5",
        "'yatzy pair=10,chance=20 11256 r1' --target 250",
        "--batch positions.txt",
    ),
    "chances": ("yahtzee", "'crag - 445 r1' --json"),
    "solve": ("yatzy", "kismet --json"),
    "odds": ("'yahtzee chance=25/- @1 33456 r2'", "'crag -/- - r2' --json"),
    "review": ("game.txt --full",),
    "games": ("", "--last 20"),
    "stats": ("", "games/"),
    "learn": ("", "games/ --player Ann", "--since 2026-11-01"),
    "me": ("", "--rules kniffel --full"),
    "daily": ("", "--rules kniffel", "--day 2026-11-25 --json"),
    "storm": ("", "--streak"),
    "quiz": ("", "--rules kniffel --count 5"),
    "replay": ("game.txt", "game.txt --json"),
    "verify": ("game.txt",),
    "simulate": ("yahtzee --players optimal,greedy --games 1000000 --seed 7", "crag --out games.parquet"),
    "evaluate": ("crag --agent level_5", "yahtzee --agent mine=agent:choose --games 200"),
    "sweep": ("yahtzee --vary extra_bonus=0,50,100 --out sweep.parquet",),
    "dataset": ("fivedice-decisions", "fivedice-decisions --check"),
    "export": ("distribution yahtzee --parquet distribution.parquet", "solution yahtzee --portable yahtzee.gz"),
}
"""Command → arguments of calls that are shown in its help."""


def examples_of(command: str) -> list[str]:
    """Calls that are shown in the help of a command."""
    return [f"fivedice {command} {arguments}".rstrip() for arguments in EXAMPLES[command]]


SHARED = dict.fromkeys(("backup", "restore", "grade", "forget", "doctor"), "database") | {
    "daily": "quiz",
    "dataset": "export",
    "evaluate": "simulate",
    "games": "records",
    "legal": "rules",
    "odds": "chances",
    "players": "rules",
    "replay": "records",
    "stats": "me",
    "storm": "quiz",
    "sweep": "solve",
    "verify": "records",
}
"""The modules of commands that share one; any other is in the module of its name."""


def place_of(command: str) -> str:
    """Where the function of a command is, as `module:function`."""
    return f"fivedice.cli.commands.{SHARED.get(command, command)}:{command}"


for number, (title, commands) in enumerate(GROUPS.items()):
    group = Group(title, sort_key=number)
    for name, about in commands.items():
        calls = "  \n".join(f"`{example}`" for example in examples_of(name))
        end = f"{LANGUAGE}\n\nExamples:  \n{calls}"
        # Named, not imported: each command loads only the libraries it uses.
        app.command(place_of(name), name=name, help=about, group=group, help_epilogue=end)
app.register_install_completion_command(
    help="Install the completion of commands and options in your shell: bash, zsh, fish or PowerShell."
)
options = Group("Options", sort_key=len(GROUPS))
for flag in ("--help", "--version", "--install-completion"):
    app[flag].group = options


_OF_FILES = {errno.EACCES, errno.EDQUOT, errno.EEXIST, errno.EFBIG, errno.EISDIR, errno.ENAMETOOLONG, errno.ENOENT}
_OF_FILES |= {errno.ENOSPC, errno.ENOTDIR, errno.EPERM, errno.EROFS}
"""Errors of the output, or of a file that a command does not mention itself, such as one in a folder of others."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; by default, that of the process. Invalid input prints one sentence and exits with 2.

    So does a command that needs packages of an extra which is not installed.
    """
    _open_streams()
    rest: list[str] = []
    try:
        try:
            with speaking(sys.argv[1:] if arguments is None else arguments) as rest:
                app(rest, print_error=False, exit_on_error=False)
        finally:
            sys.stdout.flush()  # here, so that a closed pipe or a full disk is handled below
    except CycloptsError as error:
        fail(_error_line(error))
    except (ValueError, MissingExtraError, MissingKernelsError) as error:
        fail(str(error))
    except ImportError as error:  # of a module, or raised from that if a command cannot be imported
        extra = extra_of(error.__cause__ if isinstance(error.__cause__, ImportError) else error)
        if extra is None:
            raise
        fail(str(missing_extra(f"fivedice {rest[0]}", extra)))
    except BrokenPipeError:
        _discard_output()
        leave(141)
    except OSError as error:
        if error.errno not in _OF_FILES:
            raise
        if error.errno == errno.ENOSPC:
            _discard_output()
        what = f"{error.filename} cannot be used" if error.filename else "the output cannot be written"
        fail(f"{what}: {error.strerror}")
    except KeyboardInterrupt:
        sys.exit(STATUS)


def _open_streams() -> None:
    """Replace closed standard streams by the null device, and unencodable characters by `?`."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by the parent process
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
        getattr(sys, name).reconfigure(errors="replace")  # a terminal or pipe may not be UTF-8


def _discard_output() -> None:
    """Redirect standard output to the null device, so that Python's own flush at exit succeeds."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _error_line(error: CycloptsError) -> str:
    """A command-line error on one line, with a pointer to the help."""
    sentence = " ".join(str(error).split())
    if isinstance(error, UnusedCliTokensError):
        sentence = f"unexpected argument: {', '.join(map(shown, error.unused_tokens or ()))}"
    return f"{sentence} (see {' '.join(['fivedice', *(error.command_chain or ())])} --help)"
