"""`build_decision_set`: an open data set of decisions, with the exact loss of each, for learners and for research.

It has games of the levels 3 to 9 under six rulesets, in a folder for each split and ruleset, so that DuckDB, polars and
pyarrow read the names of both as columns. The split depends on the number of a game alone: games with the same number
have the same dice, so that no dice of a training game occur in a test.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq

from fivedice.analysis.action_arrays import ActionNumbers
from fivedice.analysis.advice import advise, state_index
from fivedice.base.errors import IllegalError, MalformedError
from fivedice.base.processors import num_processors
from fivedice.game.action import Keep
from fivedice.game.position import Position
from fivedice.rulesets import load_ruleset
from fivedice.rulesets.dice import Dice, beside, parse_dice
from fivedice.simulation.data_set import noted
from fivedice.simulation.described import describe, described, file_hash, write_table
from fivedice.simulation.game_rows import decision_columns
from fivedice.simulation.players import table_of
from fivedice.simulation.run_tasks import run_in_threads
from fivedice.simulation.simulate import DECISION_GAMES, DECISIONS, TABLES, Experiment, Part, never, play_seat
from fivedice.solver.solution import Solution

NAME = "fivedice-decisions"
RULESETS = ("yahtzee", "kniffel", "yatzy", "yacht", "generala", "crag")
PLAYERS = tuple(f"level_{number}" for number in range(3, 10))
SPLITS = ("train",) * 8 + ("validation", "test")
"""The split of a game, by the last digit of its number."""
DESCRIPTION = "dataset.json"
TOLERANCE = 1e-9


def _paths(folder: Path, part: Part) -> dict[str, Path]:
    """The file of each split."""
    ruleset, (player,) = part.experiment.ruleset, part.experiment.players
    name = f"{player}-{part.first // DECISION_GAMES:03}.parquet"
    return {one: folder / f"split={one}" / f"ruleset={ruleset}" / name for one in dict.fromkeys(SPLITS)}


def _parts(games: int, seed: int) -> list[Part]:
    """The parts of a set of so many games, rounded up to as many of each player under each ruleset."""
    each = -(-games // (len(RULESETS) * len(PLAYERS)))
    if each < len(SPLITS):
        raise MalformedError(f"{games:,} games: want at least {len(SPLITS) * len(RULESETS) * len(PLAYERS)}")
    experiments = [Experiment(load_ruleset(id), (kind,), each, seed) for id in RULESETS for kind in PLAYERS]
    listed = [(one, first) for one in experiments for first in range(0, each, DECISION_GAMES)]
    return [Part(one, index, first, min(DECISION_GAMES, each - first)) for index, (one, first) in enumerate(listed)]


def build_decision_set(
    folder: Path,
    *,
    games: int,
    seed: int,
    created: date | None = None,
    workers: int | None = None,
    report: Callable[[int, int], None] = lambda done, parts: None,
) -> dict[str, Any]:
    """Write the set, and return its description. The bytes do not depend on `workers`; an interrupted call is
    continued by the same one. `report` is called with the parts that are done, and all parts."""
    parts = _parts(games, seed)
    if (folder / DESCRIPTION).exists():
        raise IllegalError(f"{folder / DESCRIPTION} already exists: give a new folder, or remove it")
    every = sorted(path for part in parts for path in _paths(folder, part).values())
    for path in {path.parent for path in every}:
        path.mkdir(parents=True, exist_ok=True)
    played = sum(part.number for part in parts)
    digests = {str(one.experiment.ruleset): one.experiment.ruleset.digest for one in parts}
    journal = folder / "_journal.jsonl"
    with noted(journal, {"games": played, "seed": seed, "digests": digests}) as (done, note):
        left = [part for part in parts if part.index not in done]
        report(len(done), len(parts))
        with closing(run_in_threads(partial(_write_part, folder), left, num_processors(workers))) as written:
            for number, index in enumerate(written, len(done) + 1):
                note(index, None)
                report(number, len(parts))
    origin = {
        "table": DECISIONS,
        "title": "Decisions of computer players in games of the Yahtzee family, with the exact loss of each",
        "rulesets": digests,
        "players": list(PLAYERS),
        "games": played,
        "seed": seed,
        "licenses": [{"name": "MIT"}],
        "splits": "the last digit of the number of a game: 0 to 7 train, 8 validation, 9 test",
        "actions": {id: [str(action) for action in ActionNumbers(load_ruleset(id)).actions] for id in RULESETS},
    }
    found = describe(folder / DESCRIPTION, NAME, origin, TABLES[DECISIONS], every, created)
    journal.unlink()
    return found


def _write_part(folder: Path, part: Part, check: Callable[[], bool] = never) -> int:
    experiment, given = part.experiment, {"first": part.first, "number": part.number}
    games = play_seat(experiment, 0, **given, with_boxes=True, with_decisions=True, check=check)
    solution = table_of(experiment.ruleset, "optimal")
    origin = {"table": DECISIONS, **experiment.origin(part.first, part.number)}
    rows = described(decision_columns(experiment.players, part.first, [games], solution), origin)
    split = rows["game"].to_numpy() % len(SPLITS)
    for name, path in _paths(folder, part).items():
        is_own = np.isin(split, [digit for digit, one in enumerate(SPLITS) if one == name])
        write_table(path, rows.filter(is_own).combine_chunks())
    return part.index


def check_decision_set(
    folder: Path, replayed: int = 2, report: Callable[[int, int], None] = lambda done, files: None
) -> tuple[list[str], int]:
    """What is wrong with a set, a sentence each, and the decisions that were compared with the engine.

    Every file is compared with its checksum and the split of its games. The first `replayed` games of each are played
    again in the engine, and every column of these is compared with the advice there.
    """
    content = _content(folder)
    hashes: Mapping[str, str] = content["resources"][0]["hashes"]
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*.parquet")}
    problems = [f"{path} is missing" for path in sorted(set(hashes) - found)]
    problems += [f"{path} is not of the set" for path in sorted(found - set(hashes))]
    compared = 0
    for number, name in enumerate(sorted(found & set(hashes))):
        report(number, len(hashes))
        path = folder / name
        if f"sha256:{file_hash(path)}" != hashes[name]:
            problems.append(f"{name} has another SHA-256 than {DESCRIPTION} says")
            continue
        parts = dict(piece.split("=") for piece in Path(name).parts[:-1])
        ruleset = load_ruleset(parts["ruleset"])
        if ruleset.digest != content["rulesets"][str(ruleset)]:
            problems.append(f"{ruleset} has other rules in this version of the program: use {content['fivedice']}")
            break
        table = pq.read_table(path)
        games = pc.unique(table["game"])
        if any(SPLITS[game % len(SPLITS)] != parts["split"] for game in games.to_pylist()):
            problems.append(f"{name} has games of another split")
        rows = table.filter(pc.is_in(table["game"], games[:replayed])).to_pylist()
        solution = table_of(ruleset, "optimal")
        for game in games[:replayed].to_pylist():
            own = [row for row in rows if row["game"] == game]
            problems += [f"{name}, game {game}: {problem}" for problem in game_problems(solution, own)]
            compared += len(own)
    return problems, compared


def game_problems(solution: Solution, rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What is wrong with the rows of one game of one seat, by the engine and by advice there."""
    ruleset = solution.ruleset
    numbers, position, kept = ActionNumbers(ruleset), Position.start(ruleset), Dice()
    for row in rows:
        dice = parse_dice(row["dice"])
        position = position.play(Keep(kept), beside(kept, dice)) if position.dice else position.roll(dice)
        kept = ()
        mask = np.unpackbits(np.frombuffer(row["legal"], dtype=np.uint8))[: numbers.size]
        action, advice = numbers.action(row["action_number"]), advise(solution, position)
        best = advice.of(numbers.action(row["best"]))
        is_right = {
            "rolls_left": row["rolls_left"] == position.rolls_left,
            "state": row["state"] == state_index(solution, position.card),
            "legal": mask.tolist() == numbers.mask(position).tolist(),
            "action": row["action"] == str(action).replace("scratch ", "score "),
            "best": best.loss < TOLERANCE,
            "value": abs(row["value"] - advice.value) < TOLERANCE,
            "loss": abs(row["loss"] - advice.of(action).loss) < TOLERANCE,
        }
        yield from (f"{column} is wrong in {position}" for column, right in is_right.items() if not right)
        if isinstance(action, Keep):
            kept = action.dice
        else:
            position = position.play(action)
    if not position.is_over:
        yield "the game does not end"


def _content(folder: Path) -> dict[str, Any]:
    try:
        content = json.loads((folder / DESCRIPTION).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise MalformedError(f"{folder / DESCRIPTION} cannot be read: {why}") from None
    # The decisions of `fivedice simulate` have the same name.
    if not isinstance(content, dict) or content.get("name") != NAME or "splits" not in content:
        raise MalformedError(f"{folder / DESCRIPTION} describes no {NAME}")
    return content
