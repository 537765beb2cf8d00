"""Output and JSON of the commands, and exit status 2 with one sentence on bad input."""

import json
import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest

from fivedice.base.language import LANGUAGES, language
from fivedice.cli.game.session import available_here
from fivedice.game.card import ScoreCard
from fivedice.game.notation import parse_position
from fivedice.players import KINDS, kind_name
from fivedice.rulesets import load_ruleset, ruleset_ids
from tests.cli.run_command import fivedice, refused
from tests.solutions import UNADVISED


def test_legal_prints_one_action_per_line() -> None:
    lines = fivedice("legal", "yahtzee - 33456 r0").out.splitlines()
    assert len(lines) == 13
    assert lines[2].split() == ["score", "threes", "6"]


def test_a_ruleset_file_is_named_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text('like = "yahtzee"\nid = "house"\nabout = "Ours."\njoker = "free"\n')
    data = json.loads(fivedice("legal", f"{path} yahtzee=50 33333 r0", "--json").out)
    assert {"action": "score chance", "points": 15, "bonus": 100} in data["actions"]
    assert str(parse_position(data["position"])) == data["position"]
    assert fivedice("rules", str(path)).status == 0
    assert fivedice("play", "--rules", str(path), "--seats", "greedy").status == 0


def test_rules_lists_every_ruleset_with_a_line_about_it() -> None:
    lines = fivedice("rules").out.splitlines()
    assert [line.split()[0] for line in lines] == list(ruleset_ids())
    assert all(len(line.split()) > 3 for line in lines)
    data = json.loads(fivedice("rules", "--json").out)
    assert [entry["ref"] for entry in data] == list(ruleset_ids())
    assert len({entry["digest"] for entry in data}) >= len(data) - 1  # kniffel and yahtzee_plain are the same game


def test_the_same_seed_plays_the_same_game_whether_rules_are_named_with_or_without_their_option() -> None:
    games = [
        json.loads(fivedice("play", *rules, "--seats", "greedy,random", "--seed", seed, "--json").out)
        for rules, seed in ((["crag"], "3"), (["--rules", "crag"], "3"), (["crag"], "4"))
    ]
    assert games[0]["ruleset"] == "crag"
    assert games[0]["turns"] == games[1]["turns"] != games[2]["turns"]


def test_the_highest_roll_begins() -> None:
    result = fivedice("play", "--seats", "Ann=greedy,Ben=greedy", "--first", "highest_roll", "--seed", "3")
    assert "For the start: Ann " in result.out
    assert "begins." in result.out


def test_twelve_seats_play_and_a_thirteenth_is_refused() -> None:
    assert fivedice("play", "--rules", "crag", "--seats", ",".join(["random"] * 12), "--seed", "1").status == 0
    sentence = "fivedice: --seats names 13 players: a game has 1 to 12\n"
    assert refused("play", "--seats", ",".join(["random"] * 13)) == sentence


def test_replay_checks_and_prints_a_record_which_is_never_written_over(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    fivedice("play", "--seats", "Ann=greedy,Ben=random", "--seed", "1", "--record", str(file))
    text = file.read_text()
    assert "already exists" in refused("play", "--seats", "greedy", "--record", str(file))
    assert file.read_text() == text
    shown = fivedice("replay", str(file)).out
    assert "Ann: " in shown
    assert "wins with" in shown
    data = json.loads(fivedice("replay", str(file), "--json").out)
    assert [seat["name"] for seat in data["seats"]] == ["Ann", "Ben"]
    assert data["is_over"] is True
    assert fivedice("replay", "-", lines=text).out == shown


BAD = [
    (["legal"], "POSITION"),
    (["rules", "--check"], "--check needs a ruleset, as in fivedice rules my.toml --check"),
    (["rules", "nothing"], "there is no ruleset 'nothing'"),
    (["replay", "/no/such/file"], "there is no file '/no/such/file'"),
    (["play", "--seats", "human", "--json"], "--json is only for games between computer players"),
    (["play", "--seats", "greedy", "--record", "/no/such/folder/x"], "x cannot be written: No such file or directory"),
    (["play", "--seats", "greedy", "--seed", "x"], "Invalid value for --seed: want a whole number, not 'x'"),
    (["quiz", "--count", "1.5"], "Invalid value for --count: want a whole number, not '1.5'"),
    (["advise", "crag - 445 r1", "--top", "9" * 99], "Invalid value for --top: want a whole number, not '999"),
    (["play", "--pace", "-1"], 'Invalid value "-1.0" for --pace. Must be >= 0.'),
    (["quiz", "--count", "0"], 'Invalid value "0" for --count. Must be >= 1.'),
    (["quiz", "--rules", "triple_yahtzee"], "triple_yahtzee is too large to solve exactly"),
    (["advise"], "want either a position"),
    (["advise", "crag - 445 r1", "--batch", "-"], "want either a position"),
    (["advise", "--batch", "/no/such/file"], "--batch /no/such/file cannot be read: No such file"),
    (["advise", "crag - 256 r1", "--rival"], "has one card: odds need the cards of two or more seats"),
    (["advise", "crag -/- 256 r1", "--rival", "--target", "100"], "give --rival or --target, not both"),
    (["advise", "--batch", "-", "--rival"], "--rival needs a position, and cannot be used with --batch"),
    (["advise", "--batch", "-", "--target", "180"], "--target needs a position, and cannot be used with --batch"),
    (["chances", "crag - 566 r1", "--games", "64"], "--games 64: nothing is simulated here, since all chances are"),
    (["chances", "triple_yahtzee - 12346 r2", "--targets"], "--targets needs exact values"),
    (["chances", f"{UNADVISED} - 12346 r2", "--games", "64"], f"{UNADVISED} is too large to solve exactly"),
    (["simulate", "crag", "--players", "human"], "a simulation has no human players"),
    (["simulate", "crag", "--games", "0"], "0 games: want a number from 1"),
    (["simulate", "crag", "--seed", "-1"], "seed -1: want a number from 0"),
    (["simulate", "crag", "--decisions", "d.parquet"], "--decisions needs --out"),
    (["simulate", "crag", "--date", "yesterday"], "date 'yesterday': want one such as 2026-11-26"),
    (["sweep", "crag", "--vary", "rolls"], "--vary 'rolls': want an option with its values"),
    (["sweep", "crag", "--openings", "o.parquet"], "--openings needs --out"),
    (["export", "boxes", "crag", "--parquet", "boxes"], "want a name that ends in .parquet"),
    (["export", "boxes", "crag"], "want either --parquet FILE or --portable FILE"),
    (["export", "boxes", "crag", "--portable", "b.gz"], "only the solution and the sources can be written so, not box"),
    (["export", "solution", "crag", "--portable", "crag"], "--portable crag: want a name that ends in .gz"),
    (["export", "boxes", "crag", "--parquet", "b.parquet", "--float64"], "Parquet always has all digits"),
    (["solve", "triple_yahtzee"], "too large to solve exactly: it needs more memory than any computer has;"),
    (["solve", "crag", "--approximate"], "Crag is solved exactly, so that nothing is learned"),
    (["plya"], "plya"),
    (["play", "crag", "balut"], "unexpected argument: 'balut' (see fivedice play --help)"),
    (["play", "--color"], "--color"),
]


@pytest.mark.usefixtures("shared_cache")
@pytest.mark.parametrize(("arguments", "sentence"), BAD)
def test_bad_input_gets_status_2_and_one_sentence(arguments: list[str], sentence: str) -> None:
    assert sentence in refused(*arguments)


OUTPUTS = {
    "simulate crag --games 1 --out {}.parquet": "--out",
    "simulate crag --games 1 --out a.parquet --decisions {}.parquet": "--decisions",
    "simulate crag --games 1 --checkpoint {}": "--checkpoint",
    "sweep crag --out {}.parquet": "--out",
    "sweep crag --out a.parquet --openings {}.parquet": "--openings",
    "export distribution crag --parquet {}.parquet": "--parquet",
    "export solution crag --portable {}.gz": "--portable",
    "dataset {}": "FOLDER",
    "play --record {}": "--record",
}


@pytest.mark.parametrize(("command", "option"), OUTPUTS.items())
def test_an_output_that_cannot_be_written_is_refused_before_anything_is_computed(
    command: str, option: str, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    place = str(tmp_path / "file" / "x")
    sentence = refused(*command.format(place).split())
    assert sentence.startswith(f"fivedice: {option} {place}")
    assert sentence.endswith(" cannot be written: Not a directory\n")


def test_a_data_folder_that_cannot_be_read_gets_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIVEDICE_DATA", f"/{'x' * 300}")
    assert refused("games").endswith("/records cannot be used: File name too long\n")


BUFFERED = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
"""The environment of an ordinary call, in which Python buffers its output."""


@pytest.mark.parametrize("command", ["rules", "rules triple_yahtzee"])
def test_a_closed_pipe_ends_a_command_quietly(command: str) -> None:
    reader, output = os.pipe()
    os.close(reader)
    arguments = [sys.executable, "-m", "fivedice", *command.split()]
    done = subprocess.run(arguments, stdout=output, stderr=subprocess.PIPE, text=True, check=False, env=BUFFERED)  # noqa: S603
    os.close(output)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.parametrize(
    ("command", "status", "said"),
    [
        ("rules >&-", 0, ""),
        ("rules nothing 2>&-", 2, ""),
        ("play --plain --rules crag <&-", 1, ""),
        pytest.param(
            *("rules > /dev/full", 2, "fivedice: the output cannot be written: No space left on device\n"),
            marks=pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full"),
        ),
    ],
)
def test_a_command_runs_with_closed_standard_streams_and_a_full_disk_gets_one_sentence(
    command: str, status: int, said: str
) -> None:
    line = f"{sys.executable} -m fivedice {command}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False, env=BUFFERED)  # noqa: S603, S607
    assert (done.returncode, done.stderr) == (status, said)


def test_advice_as_json_tells_the_chance_of_an_outright_win_from_the_score() -> None:
    advice = json.loads(fivedice("advise", "generala[first_roll_generala=wins] - 44444 r2", "--top", "1", "--json").out)
    assert advice["actions"] == [
        {"action": "score generala", "value": 1211.0, "loss": 0.0, "points": 50, "outright": 1.0, "score": 50.0}
    ]


def test_a_check_reports_length_size_likeness_and_warnings(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text('like = "crag"\nid = "ours"\nfaces = 6\nrolls = 2\n[categories.any]\nscorer = "any_dice"\n')
    lines = fivedice("rules", str(path), "--check").out.splitlines()
    assert lines[0].startswith(f"{path}: the rules are valid, with the digest ")
    assert lines[2] == "length: a game ends after 14 turns of each player, of 28 rolls at most"
    assert lines[3] == "boxes: all of 14 can score"
    assert lines[4].startswith("size: up to 16,384 turn states: solvable here, with ")
    assert lines[4].endswith(" of memory to solve")
    assert lines[5:] == ["alike: no boxes or columns could be exchanged", "warning: rolls: crag says so already"]


def test_a_check_as_json_has_the_same_facts() -> None:
    data = json.loads(fivedice("rules", "crag", "--check", "--json").out)
    assert (data["ref"], data["rounds"], data["most_rolls"], data["is_solvable"]) == ("crag", 13, 26, True)
    assert (data["warnings"], data["alike_boxes"], len(data["scoring_boxes"])) == ([], [], 13)


def test_an_engine_that_breaks_a_rule_is_reported_in_one_sentence() -> None:
    with patch.object(ScoreCard, "total", 0):
        result = fivedice("rules", "crag", "--check")
    assert result.status == 2
    assert "but the card adds up to" in result.err


@pytest.mark.parametrize("tag", LANGUAGES)
def test_every_player_has_a_line_with_its_sentence_in_every_language(tag: str) -> None:
    to = language(tag)
    lines = fivedice("players", "--lang", tag).out.splitlines()
    assert [line.split()[0] for line in lines] == list(KINDS)
    for line, (kind, about) in zip(lines, KINDS.items(), strict=True):
        assert line.endswith(to.say(about))
        assert kind == "human" or f" {kind_name(kind, to)}. " in line


@pytest.mark.parametrize("rules", ruleset_ids())
def test_players_that_a_ruleset_does_not_have_are_listed_with_the_reason(rules: str) -> None:
    found = available_here(load_ruleset(rules))
    players = json.loads(fivedice("players", rules, "--json").out)
    refusals = {kind: found.player(kind) for kind in KINDS}
    assert {player["kind"]: player["refusal"] or "" for player in players} == refusals
    assert all(
        player["name"] == (None if player["kind"] == "human" else kind_name(player["kind"])) for player in players
    )
    listed, _, refused = fivedice("players", rules).out.partition("\n\n")
    assert [line.split()[0] for line in listed.splitlines()] == [kind for kind in KINDS if not refusals[kind]]
    for kind, refusal in refusals.items():
        assert not refusal or (refusal in refused and kind in refused)
