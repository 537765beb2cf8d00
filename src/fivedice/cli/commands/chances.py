"""`fivedice chances`: the distribution of the final score from a position."""

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from fivedice.analysis.chances import chances as chances_of
from fivedice.cli.advice_goals import targets_of
from fivedice.cli.language import chosen
from fivedice.cli.progress import shown_progress
from fivedice.cli.records.record_file import check_free, write_whole
from fivedice.cli.report.distribution_plot import plot
from fivedice.cli.solutions import solution_for
from fivedice.cli.text.chances import chances_lines
from fivedice.cli.text.output import Flag, print_json
from fivedice.cli.text.read_position import read_position
from fivedice.cli.text.targets import target_lines
from fivedice.cli.text.terminal import terminal_width
from fivedice.errors import IllegalError, MalformedError, UnknownError
from fivedice.views.chances import chances_view

MEMORY_LIMIT = 2**31
"""Bytes: enough for a new game with five dice. Six dice need more from a new game, and are refused within seconds."""


def chances(
    position: str,
    /,
    *rest: Annotated[str, Parameter(allow_leading_hyphen=True, show=False)],
    targets: Flag = False,
    json: Flag = False,
    plot_file: Annotated[Path | None, Parameter(name="--plot")] = None,
) -> None:
    """Show how likely every final score is from a position, for a player who plays for the highest expected score.

    Parameters
    ----------
    position
        A position in notation, such as "yahtzee - 33456 r2". What is missing is taken from a new game of yahtzee
        after its first roll. With several cards, the chances are those of the seat to move.
    targets
        Show the best chance of reaching every score as well, each with the play that suits it best. That takes a
        minute from a new game.
    json
        Print JSON.
    plot_file
        Write a picture of the distribution to this file, whose name ends in .svg or .png.
    """
    if plot_file is not None:
        if plot_file.suffix.lower() not in (".svg", ".png"):
            raise MalformedError(f"--plot {plot_file}: want a name that ends in .svg or .png")
        if json:
            raise IllegalError("give --json or --plot, not both")
        check_free(plot_file, "--plot")
    typed = read_position((position, *rest))
    parsed = typed.position
    typed.tell(sys.stderr if json else sys.stdout)
    with shown_progress() as progress:
        solution = solution_for(parsed)
        label = f"Following the best play in {parsed.ruleset.name}"
        progress(label, None)
        found = chances_of(
            solution, parsed, memory_limit=MEMORY_LIMIT, progress=lambda done, rows: progress(label, done / rows)
        )
    curve = targets_of(solution, parsed) if targets else None
    if plot_file is not None:
        picture = plot(found.distribution, parsed.ruleset.name, is_svg=plot_file.suffix.lower() == ".svg")
        try:
            write_whole(plot_file, picture)
        except OSError as error:
            raise UnknownError(f"--plot {plot_file} cannot be written: {error.strerror}") from None
        print(chosen().say("The picture is in {file}", file=plot_file))
    elif json:
        pairs = zip(*(numbers.tolist() for numbers in curve), strict=True) if curve else None
        print_json(chances_view(found, list(pairs) if pairs else None))
    else:
        print("\n".join(chances_lines(found, terminal_width())))
        if curve:
            heading = chosen().say("Best chance of each score, with the play that suits it best:")
            print(f"\n{heading}\n")
            print("\n".join(target_lines(*curve)))
