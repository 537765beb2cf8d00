"""Records: their files, `fivedice games`, games found by name, and `fivedice verify`, which says whether dice agree."""

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from fivedice.cli.files.record_file import RecordFile, Saved
from fivedice.cli.files.record_set import read_records, reviews_of
from fivedice.cli.files.saved_games import saved_games
from fivedice.game.action import Score
from fivedice.game.proof_notes import Questions, UndoneTurn, UsedHelp
from fivedice.game.record import Record, Seat, parse_record
from fivedice.game.verification import verify_record
from fivedice.rulesets import load_ruleset, ruleset_ids
from tests.cli.run_command import fivedice, played, refused
from tests.game.table_game import TABLE_DICE, table_game, with_proof


def finish(file: Path, *, date: str = "2026-11-20T10:00:00+00:00", rules: str = "crag", seed: int = 7) -> None:
    """A finished game of Ann against a computer player, which began at `date`. A computer plays for Ann at random."""
    played(file, rules, f"Ann=random,{'greedy' if rules == 'crag' else 'random'}", seed)  # greedy can take seconds
    lines = [f"date: {date}" if line.startswith("date: ") else line for line in file.read_text().split("\n")]
    file.write_text("\n".join(lines).replace("Ann=random", "Ann=human"))


def begin(file: Path, *lines: str) -> None:
    text = "".join(f"{line}\n" for line in lines)
    fivedice("play", "--seats", "human,greedy", "--name", "Ann", "--seed", "1", "--record", str(file), lines=text)


def test_games_are_listed_with_score_date_and_the_command_for_each(folder: Path) -> None:
    assert fivedice("games").out == "There are no saved games yet: begin one with fivedice play.\n"
    assert fivedice("games", "--json").out == "[]\n"
    finish(folder / "won.txt")
    assert f"there is no unfinished game in {folder}: begin one with fivedice play" in refused("play", "--resume")
    begin(folder / "begun.txt", "roll", "chance", "roll")
    total, other = (card.total for card in parse_record((folder / "won.txt").read_text()).position.cards)
    begun = [card.total for card in parse_record((folder / "begun.txt").read_text()).position.cards]
    winner = "Ann" if total > other else "Greedy"
    lines = fivedice("games").out.splitlines()
    assert lines[1].endswith(f"  Yahtzee, round 2 of 13: Ann {begun[0]}, Greedy {begun[1]}")
    assert lines[2].strip() == "fivedice play --resume begun"
    assert (lines[0], lines[4]) == ("Unfinished", "Finished")
    assert lines[5].strip().startswith("2026-11-20 ")
    assert lines[5].endswith(f"Crag: Ann {total}, Greedy {other}; {winner} won by {abs(total - other)}")
    assert (lines[6].strip(), lines[-1]) == ("fivedice review won", f"The records are in {folder}")
    assert all(len(line) <= 80 for line in lines[:-1])
    assert fivedice("replay", "won").out == fivedice("replay", str(folder / "won.txt")).out
    assert "there is no file 'lost'" in refused("replay", "lost")
    assert "cannot be read: " in refused("replay", f"{folder}/{'x' * 300}")  # as in a folder of somebody else


def test_the_latest_finished_games_are_listed_first_and_the_others_counted(folder: Path) -> None:
    for day in range(1, 4):
        finish(folder / f"game{day}.txt", date=f"2026-11-0{day}T10:00:00+00:00")
    lines = fivedice("games", "--last", "2").out.splitlines()
    assert [line.split()[-1] for line in lines if "review" in line] == ["game3", "game2"]
    assert "  and 1 more: fivedice games --all" in lines
    assert fivedice("games", "--all").out.count("fivedice review") == 3
    (folder / "game1.txt").write_text((folder / "game1.txt").read_text().replace("seat 1 wins", "seat 0 wins"))
    assert "; Ann won\n" in fivedice("games", "--all").out, "as on a first roll, with fewer points"


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


def test_the_round_of_a_game_does_not_wait_for_seats_that_gave_up(folder: Path) -> None:
    rounds = [f"roll\nscore {box}\nyes\n" for box in ("ones", "twos", "threes")]
    lines = rounds[0] * 2 + "resign\nyes\n" + "".join(2 * text for text in rounds[1:])
    fivedice("play", "crag", "--seats", "A=human,B=human,C=human", lines=lines)
    assert "Crag, round 4 of 13: " in fivedice("games").out


def test_an_unreadable_record_is_reported_and_the_others_are_listed(folder: Path) -> None:
    finish(folder / "won.txt")
    (folder / "bad.txt").write_text("milk and eggs")
    result = fivedice("games")
    assert "fivedice review won" in result.out
    assert f"fivedice: {folder / 'bad.txt'}, line 1: a record begins with" in result.err
    assert result.status == 1


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


NOBODY = "Only someone who knew the secret could have influenced or foreseen them."
NO_PERSON = "Only someone who knew the secret could have influenced them, or foreseen dice of a person's seat."
AFTER_COMPUTERS = "Turns undone after only computer players had rolled"
FORESEEN = "But dice were foreseen. Turns undone after a person's seat had rolled"


def test_a_finished_game_with_correct_dice_has_status_0(tmp_path: Path) -> None:
    file, record = tmp_path / "game.txt", table_game(opening="highest_roll")
    file.write_text(str(record))
    result = fivedice("verify", str(file))
    assert (result.status, result.err) == (0, "")
    for sentence in (
        TABLE_DICE.commitment,
        f"  dice        all {verify_record(record).dice} are those of the secret, which matches the commitment\n",
        f"  points      they follow from the turns by the rules, and so does the result: {record.result}\n",
        "  rules       yahtzee, digest 423d5fcbe6c00ba5\n",
        "  who began   seat 1, by dice: those of the secret\n",
        *(f"  {what:<11} not proved\n" for what in ("help", "names", "date")),
        *("nonce       seat 0 (Ann) 5f3a\n", "nonce       watcher 0 00ff\n", "The last nonce is that of watcher 0:"),
        "What this proves, if the commitment above is the one that you were shown before the first roll:",
        *("What it does not prove:", "no game was discarded", "no player knew the secret"),
    ):
        assert sentence in result.out
    assert TABLE_DICE.secret.hex() not in result.out


def test_a_game_without_a_proof_or_that_was_played_offline_proves_nothing_about_its_dice() -> None:
    start = str(table_game(max_turns=0))
    none, torn = start.partition("\nproof:")[0], start.replace("turn 0: ", "turn 0: z")
    sentence = "fivedice: the record carries no proof: its dice cannot be checked"
    assert refused("verify", "-", lines=none).startswith(sentence)
    assert refused("verify", "-", lines=torn).startswith("fivedice: standard input, line 21: ")
    text = str(table_game(max_turns=1)).replace("  faces: 6\n", "  faces: 6\n  source: browser\n")
    result = fivedice("verify", "-", lines=text)
    assert result.status == 0
    assert "What this proves" not in result.out
    assert result.out.rstrip().endswith("the game was played offline, and the player's browser chose the secret.")
    assert json.loads(fivedice("verify", "-", "--json", lines=text).out)["offline"] is True


@pytest.mark.parametrize(
    ("undone", "sentences", "others"),
    [
        ([], [NOBODY], [AFTER_COMPUTERS, FORESEEN]),
        ([UndoneTurn(0, Score("ones"))], [NOBODY], [AFTER_COMPUTERS, FORESEEN]),
        ([UndoneTurn(0, Score("ones"), (1,))], [NO_PERSON, f"{AFTER_COMPUTERS}: 1."], [NOBODY, FORESEEN]),
        (
            [UndoneTurn(0, Score("ones"), rolled) for rolled in [(), (1,), (0,), (0, 1), (1,), (1,)]],
            [f"{AFTER_COMPUTERS}: 3.", f"{FORESEEN}: 2.", "could have influenced them.\n"],
            [NOBODY, NO_PERSON],
        ),
    ],
)
def test_the_sentences_hold_for_the_turns_that_were_undone_and_the_help_that_was_used(
    undone: list[UndoneTurn], sentences: list[str], others: list[str]
) -> None:
    help = UsedHelp("tutor", (Questions(0, 3, 2),))
    text = str(with_proof(table_game(max_turns=2), undone=tuple(undone), help=help))
    result = fivedice("verify", "-", lines=text)
    assert result.status == 0
    assert "  help        tutor, seat 0 asked 3 changed 2, says the record: not proved\n" in result.out
    assert "- who played, when, and with what help" in result.out
    assert f"  undone      {len(undone)} turn{'' if len(undone) == 1 else 's'}, says the record" in result.out
    for sentence in sentences:
        assert sentence in result.out
    for sentence in others:
        assert sentence not in result.out


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("result: 14 0", "result: 260 0", "points      WRONG: line 8: result '260 0, unfinished', but the turns come"),
        ("digest: 423d", "digest: 523d", "rules       WRONG: line 4: digest '523d5fcbe6c00ba5' is not that of yahtzee"),
        ("ruleset: yahtzee", "ruleset: kismet", "points      NOT CHECKED, because of the rules"),
        ("0: 13456", "0: 13455", "points      NOT CHECKED, since line 10 is not as committed"),
    ],
)
def test_forged_points_results_and_rules_are_reported_with_status_1(old: str, new: str, sentence: str) -> None:
    text = str(table_game(max_turns=1))
    assert old in text, text
    result = fivedice("verify", "-", lines=text.replace(old, new))
    assert (result.status, result.err) == (1, "")
    assert sentence in result.out
    assert "What this proves" not in result.out


def test_a_game_with_a_proof_cannot_be_resumed(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(str(table_game(max_turns=1)))
    sentence = "the dice of this game are those of table k7Qm2x; it cannot continue with other dice"
    assert sentence in refused("play", "--resume", str(file), "--plain")
    assert file.read_text() == str(table_game(max_turns=1))


pytestmark = pytest.mark.usefixtures("shared_cache")


@pytest.fixture
def record() -> Record:
    start = Record.start(load_ruleset("yahtzee"), (Seat("Ann", "human"),), "2026-11-21T10:00:00+00:00")
    return start.roll((1, 2, 3, 4, 5))


def test_a_record_gets_a_name_by_date_and_ruleset_and_keeps_it(record: Record, folder: Path) -> None:
    file, path = RecordFile(), folder / "20261121T100000-yahtzee.txt"
    for _ in range(2):
        assert str(path) in file.save(record).sentence
    assert parse_record(path.read_text()) == record
    assert list(folder.glob("*.txt")) == [path]


def test_games_begun_in_the_same_moment_get_different_files(record: Record, folder: Path) -> None:
    barrier, files = Barrier(20), [RecordFile() for _ in range(20)]

    def save(file: RecordFile) -> Saved:
        barrier.wait()
        return file.save(record)

    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(save, files))
    assert [answer.problem for answer in answers] == [""] * 20
    assert len({answer.file for answer in answers}) == len(list(folder.glob("*.txt"))) == 20


def test_a_game_that_is_open_in_one_window_cannot_be_opened_in_another(record: Record, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    first = RecordFile(file)
    first.save(record)
    again = fivedice("play", "--resume", str(file), lines="chance\nquit\n")
    assert (again.status, "this game is open in another window" in again.err) == (2, True)
    (tmp_path / "link.txt").symlink_to(file)
    assert "open in another window" in fivedice("play", "--resume", str(tmp_path / "link.txt")).err
    first.close()
    assert fivedice("play", "--resume", str(file), lines="chance\nquit\n").status == 0
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".lock"] == []


def test_a_new_record_belongs_to_the_game_that_was_begun_first(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    first = RecordFile(file)
    first.hold()
    assert "open in another window" in fivedice("play", "--record", str(file), lines="roll\nquit\n").err
    assert not file.exists()


def test_a_record_that_something_else_has_changed_is_not_written_over(record: Record, tmp_path: Path) -> None:
    game, file = RecordFile(tmp_path / "game.txt"), tmp_path / "game.txt"
    game.save(record)
    file.write_text("edited")
    later = record.play(Score("chance"))
    saved = game.save(later)
    assert saved.problem == f"{file} was changed by another program; this game goes on in {tmp_path / 'game-2.txt'}."
    assert file.read_text() == "edited"
    assert parse_record((tmp_path / "game-2.txt").read_text()) == later
    assert game.save(later).problem == ""


def test_a_full_disk_leaves_the_earlier_record_intact(
    record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = RecordFile(tmp_path / "game.txt")
    file.save(record)
    before = (tmp_path / "game.txt").read_text()

    def full(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    assert "No space left on device" in file.save(record).problem
    assert (tmp_path / "game.txt").read_text() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == [".game.txt.lock", "game.txt"]


def recorded(rules: str, file: Path) -> Record:
    return parse_record(played(file, rules, "Ann=random").read_text())


def test_the_default_is_the_users_own_records(folder: Path) -> None:
    assert read_records([]) == ([], 0)
    record = recorded("crag", folder / "game.txt")
    (folder / "notes.md").write_text("no record, and not called one")
    assert read_records([]) == ([record], 0)


def test_an_unreadable_record_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = recorded("crag", tmp_path / "good.txt")
    (tmp_path / "bad.txt").write_text("milk and eggs")
    assert read_records([str(tmp_path)]) == ([record], 1)
    assert "bad.txt, line 1: a record begins with" in capsys.readouterr().err


def test_two_versions_of_a_custom_ruleset_are_reviewed_separately(tmp_path: Path) -> None:
    rules = tmp_path / "house.toml"
    records = []
    for pays in (20, 26):
        rules.write_text(f'like = "crag"\nid = "house"\nabout = "Ours."\n[categories.thirteen]\npays = {pays}\n')
        file = tmp_path / f"{pays}.txt"
        fivedice("play", "--rules", str(rules), "--seats", "Ann=random", "--seed", "1", "--record", str(file))
        records.append(parse_record(file.read_text()))
    assert records[0].ruleset != records[1].ruleset
    assert str(records[0].ruleset) == str(records[1].ruleset)
    reviews = list(reviews_of(records, "unused"))
    assert [review.record for review in reviews] == records
    assert reviews[0].seats[0].start_value < reviews[1].seats[0].start_value
