"""`fivedice games`, and games found by their names."""

import json
import os
from pathlib import Path

import pytest

from fivedice.cli.files.saved_games import saved_games
from fivedice.game.record import Seat, parse_record
from fivedice.rulesets import load_ruleset, ruleset_ids
from tests.cli.run_command import fivedice, played


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "data" / "records"
    folder.mkdir(parents=True)
    return folder


def finish(file: Path, *, date: str = "2026-11-20T10:00:00+00:00", rules: str = "crag", seed: int = 7) -> None:
    """A finished game of Ann against a computer player, which began at `date`. A computer plays for Ann at random."""
    played(
        file, rules, "Ann=random,greedy" if rules == "crag" else "Ann=random,random", seed
    )  # greedy can take seconds
    lines = [f"date: {date}" if line.startswith("date: ") else line for line in file.read_text().split("\n")]
    file.write_text("\n".join(lines).replace("Ann=random", "Ann=human"))


def begin(file: Path, *lines: str) -> None:
    """An unfinished game of Ann against a computer player."""
    text = "".join(f"{line}\n" for line in lines)
    fivedice("play", "--seats", "human,greedy", "--name", "Ann", "--seed", "1", "--record", str(file), lines=text)


def test_without_games_it_says_how_to_begin_one(folder: Path) -> None:
    assert fivedice("games").out == "There are no saved games yet: begin one with fivedice play.\n"
    assert fivedice("games", "--json").out == "[]\n"


def test_games_are_listed_with_score_date_and_the_command_for_each(folder: Path) -> None:
    finish(folder / "won.txt")
    begin(folder / "begun.txt", "roll", "chance", "roll")
    total, other = (card.total for card in parse_record((folder / "won.txt").read_text()).position.cards)
    begun = [card.total for card in parse_record((folder / "begun.txt").read_text()).position.cards]
    winner = "Ann" if total > other else "Greedy"
    lines = fivedice("games").out.splitlines()
    assert lines[0] == "Unfinished"
    assert lines[1].endswith(f"  Yahtzee, round 2 of 13: Ann {begun[0]}, Greedy {begun[1]}")
    assert lines[2].strip() == "fivedice play --resume begun"
    assert lines[4] == "Finished"
    assert lines[5].strip().startswith("2026-11-20 ")
    assert lines[5].endswith(f"Crag: Ann {total}, Greedy {other}; {winner} won by {abs(total - other)}")
    assert lines[6].strip() == "fivedice review won"
    assert lines[-1] == f"The records are in {folder}"
    assert all(len(line) <= 80 for line in lines[:-1])


def test_the_latest_finished_games_are_listed_first_and_the_others_counted(folder: Path) -> None:
    for day in range(1, 4):
        finish(folder / f"game{day}.txt", date=f"2026-11-0{day}T10:00:00+00:00")
    lines = fivedice("games", "--last", "2").out.splitlines()
    assert [line.split()[-1] for line in lines if "review" in line] == ["game3", "game2"]
    assert "  and 1 more: fivedice games --all" in lines
    assert fivedice("games", "--all").out.count("fivedice review") == 3


def test_games_are_data_too(folder: Path) -> None:
    finish(folder / "won.txt")
    [game] = json.loads(fivedice("games", "--json").out)
    record = parse_record((folder / "won.txt").read_text())
    assert [seat["total"] for seat in game["seats"]] == [card.total for card in record.position.cards]
    assert (game["name"], game["is_over"], game["ruleset"]) == ("won", True, "crag")
    assert game["winners"] == list(record.position.winners)
    assert game["command"] == "fivedice review won"
    assert (game["round"], game["date"]) == (13, record.date)


@pytest.mark.parametrize("rules", [*ruleset_ids(), "yahtzee[joker=free]"])
def test_a_header_says_what_the_whole_record_says(folder: Path, rules: str) -> None:
    finish(folder / "game.txt", rules=rules)
    [game], problems = saved_games(folder)
    record = parse_record((folder / "game.txt").read_text())
    assert problems == []
    assert [seat.total for seat in game.seats] == [card.total for card in record.position.cards]
    assert [Seat(seat.name, seat.kind) for seat in game.seats] == list(record.seats)
    assert (game.winners, game.round) == (list(record.position.winners), record.ruleset.rounds)
    assert (load_ruleset(game.ruleset), game.digest) == (record.ruleset, record.ruleset.digest)


def test_an_unreadable_record_is_reported_and_the_others_are_listed(folder: Path) -> None:
    finish(folder / "won.txt")
    (folder / "bad.txt").write_text("milk and eggs")
    result = fivedice("games")
    assert "fivedice review won" in result.out
    assert f"fivedice: {folder / 'bad.txt'}, line 1: a record begins with" in result.err
    assert result.status == 1


def test_a_game_is_named_without_its_folder(folder: Path, tmp_path: Path) -> None:
    finish(folder / "won.txt")
    assert fivedice("replay", "won").out == fivedice("replay", str(folder / "won.txt")).out
    assert "there is no file 'lost'" in fivedice("replay", "lost").err


def test_bare_resume_continues_the_game_that_was_played_last(folder: Path) -> None:
    begin(folder / "old.txt", "roll", "chance", "roll")
    begin(folder / "new.txt", "roll")
    finish(folder / "won.txt")
    os.utime(folder / "old.txt", (1, 1))
    result = fivedice("play", "--resume", lines="chance\nquit\n")
    assert result.status == 0
    assert parse_record((folder / "new.txt").read_text()).position.card.num_filled == 1
    assert "fivedice play --resume new" in result.out
    fivedice("play", "--resume", "old", "--plain", lines="ones\nyes\nquit\n")
    assert parse_record((folder / "old.txt").read_text()).position.cards[0].num_filled == 2


def test_without_an_unfinished_game_resume_says_so(folder: Path) -> None:
    finish(folder / "won.txt")
    result = fivedice("play", "--resume")
    assert (result.status, result.err) == (
        2,
        f"fivedice: there is no unfinished game in {folder}: begin one with fivedice play\n",
    )
