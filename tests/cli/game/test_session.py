"""A session: its seats, the places of dice, and one step of undo for scores; and what people type in it: positions,
actions with or without a verb, and boxes by id, name or first letters."""

import json

import pytest

from fivedice.base.errors import IllegalError, MalformedError, UnknownError
from fivedice.cli.files.record_file import Saved
from fivedice.cli.game.input import find_box, typed_action
from fivedice.cli.game.lines import dice_line
from fivedice.cli.game.session import Session, login_name, new_seats
from fivedice.cli.text.read_position import read_position
from fivedice.game.action import Keep, Score
from fivedice.game.notation import parse_position
from fivedice.game.proof import TableDice
from fivedice.game.record import Record, Seat
from fivedice.game.wording import to_do
from fivedice.players import Greedy, Human, Player
from fivedice.rulesets import load_ruleset, parse_ruleset
from tests.cli.run_command import fivedice
from tests.cli.terminal.terminal_game import Scripted
from tests.repository import ROOT


def session(digits: str, *players: Player) -> Session:
    people = players or (Human(lambda position: Score("chance")),)
    seats = tuple(Seat(f"p{seat}", "human") for seat in range(len(people)))
    record = Record.start(load_ruleset("yahtzee"), seats, "2026-11-21T10:00:00+00:00")
    return Session(record, people, Scripted(digits))


def test_kept_dice_stay_in_their_places() -> None:
    game = session("5353112")
    game.roll()
    assert game.places == [5, 3, 5, 3, 1]
    game.keep([False, True, True, True, False])
    assert game.places == [1, 3, 5, 3, 2]
    assert game.position.dice == (1, 2, 3, 3, 5)
    game = session("336666661")
    game.roll()
    game.keep([False, True, True, True, True])
    assert game.places == [6, 3, 6, 6, 6], "the marked one of two equal dice stays"


def test_nothing_is_undone_after_the_next_roll() -> None:
    game = session("5353112345")
    game.roll()
    game.play(Score("chance"))
    game.roll()
    with pytest.raises(IllegalError, match="no score to take back"):
        game.undo()


def test_a_computers_score_cannot_be_undone() -> None:
    game = session("33333" * 2, Greedy(), Human(lambda position: Score("chance")))
    assert game.step() is None
    assert game.step() == Score("yahtzee")
    assert not game.can_undo


def test_every_roll_every_score_and_every_undo_is_saved() -> None:
    saved: list[str] = []

    def save(record: Record) -> Saved:
        saved.append(str(record.turns[-1]))
        return Saved(f"saved {len(saved)}")

    game = session("5353112345")
    kept = Session(game.record, game.players, Scripted("535311"), save)
    kept.roll()
    assert saved == ["0: 13355"]
    kept.keep([True, True, True, True, False])
    assert saved[1:] == ["0: 13355, keep 3355, 13355"]
    kept.play(Score("chance"))
    kept.undo()
    assert saved[2:] == ["0: 13355, keep 3355, 13355, score chance = 17", "0: 13355, keep 3355, 13355"]
    assert kept.saved.sentence == "saved 4"


def test_a_session_resumes_within_a_turn_with_equal_dice_in_their_places() -> None:
    game = session("1234566")
    game.roll()
    game.play(Keep((1, 2, 3)))
    resumed = Session(game.record, game.players, Scripted("11"))
    assert resumed.places == [1, 2, 3, 6, 6]
    assert resumed.kept == [True, True, True, False, False]
    resumed.play(Keep((1, 2, 3)))
    assert resumed.position.dice == (1, 1, 1, 2, 3)


def test_undone_turns_have_the_same_dice_also_after_a_restart_with_other_dice() -> None:
    record = Record.start(load_ruleset("crag"), (Seat("Ann", "human"), Seat("Ben", "human")), "2026-11-21T10:00:00Z")
    players, secret = (Human(lambda position: Score("ones")), Greedy()), TableDice(b"1" * 32, "terminal")
    game = Session(record, players, secret)
    game.roll()
    game.play(Score("crag"))
    while game.position.seat:
        game.step()
    again = Session(game.record, players, TableDice(b"2" * 32, "terminal"))  # without the secret, as on another device
    for played in (game, again):
        played.undo()
        played.play(Score("crag"))
        while played.position.seat:
            played.step()
    assert game.record == again.record
    assert len(game.record.turns) == 2


@pytest.fixture(autouse=True)
def login(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: "ann")


@pytest.mark.parametrize(
    ("seats", "name", "names"),
    [
        ("human,greedy", None, ["ann", "Greedy"]),
        ("greedy,human", "Ben", ["Greedy", "Ben"]),
        ("Cleo=human,greedy", "Ben", ["Cleo", "Greedy"]),
        ("human,human,greedy,greedy", None, ["Player 1", "Player 2", "Greedy", "Greedy2"]),
        ("human,human", "Ann", ["Ann", "Player 2"]),
    ],
)
def test_one_person_has_the_name_of_the_login_or_the_given_one_and_several_are_numbered(
    seats: str, name: str | None, names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [seat.name for seat in new_seats(seats, name)] == names
    for login in ("root", "a\nb", ""):
        monkeypatch.setattr("getpass.getuser", lambda login=login: login)
        assert login_name() == "You"


@pytest.mark.parametrize("name", ["", "a\nb", "x" * 41])
def test_an_impossible_name_is_refused(name: str) -> None:
    with pytest.raises(MalformedError, match="--name"):
        new_seats("human", name)


POSITION = parse_position("yahtzee chance=20 33456 r2")


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("33", "keep 33"),
        ("6, 3 3", "keep 336"),
        ("-", "keep -"),
        ("keep 3 4 5 6", "keep 3456"),
        ("keep nothing", "keep -"),
        ("threes", "score threes"),
        ("score thr", None),
        ("small", "score small_straight"),
        ("score small straight", "score small_straight"),
    ],
)
def test_the_verb_is_optional(line: str, action: str | None) -> None:
    if action is None:
        with pytest.raises(UnknownError, match="may mean any of Threes, Three of a Kind"):
            typed_action(line, POSITION)
    else:
        assert str(typed_action(line, POSITION)) == action


@pytest.mark.parametrize("line", ["yahtzee chance=20 33356 r1", "yatzy_american - 33356 r1", "crag[order=up] - 445 r0"])
def test_every_action_can_be_typed_as_advice_names_it(line: str) -> None:
    position = parse_position(line)
    for action in position.actions():
        assert typed_action(to_do(position, action).lower(), position) == action


@pytest.mark.parametrize(
    ("line", "error", "sentence"),
    [
        ("77", IllegalError, "the roll 33456 does not contain 77"),
        ("chance", IllegalError, "^score Chance is not legal here: the box is filled, with 20$"),
        ("scratch threes", IllegalError, "no voluntary zero"),
        ("keep", MalformedError, "keep which dice? as in keep 33, or keep - to roll all of them"),
        ("keep none", MalformedError, "keep which dice?"),
        ("nonsense", UnknownError, "there is no box 'nonsense'"),
        ("score", MalformedError, "score which box?"),
        ("0", MalformedError, "keep which dice?"),
    ],
)
def test_an_invalid_action_is_refused_with_the_reason(line: str, error: type[ValueError], sentence: str) -> None:
    with pytest.raises(error, match=sentence.replace("?", r"\?")):
        typed_action(line, POSITION)


def test_a_box_is_found_by_id_name_or_first_letters() -> None:
    found = [find_box(text, load_ruleset("yahtzee")) for text in ("chance", "Large Straight", "large-straight", "tw")]
    assert found == ["chance", "large_straight", "large_straight", "twos"]
    assert find_box("große str", load_ruleset("kniffel")) == "large_straight"


def test_a_box_in_several_columns_is_found_by_its_column() -> None:
    columns = parse_ruleset('id = "x"\nlike = "crag"\n[columns.left]\n[columns.right]\n')
    assert find_box("crag (r", columns) == find_box("crag_r", columns) == "crag_right"
    with pytest.raises(UnknownError, match=r"'crag' may mean any of Crag \(left\), Crag \(right\)"):
        find_box("crag", columns)


def test_faces_from_10_on_are_typed_as_letters() -> None:
    text = 'id = "twelve"\ndice = 3\nfaces = 12\n[categories]\nbad = { scorer = "any_dice" }'
    twelve = parse_ruleset(text, "twelve.toml")
    position = parse_position("twelve.toml - 9ab r1", twelve)
    assert typed_action("ba", position) == Keep((10, 11))
    assert typed_action("bad", position) == Score("bad")
    assert typed_action("keep 9", position) == Keep((9,))
    assert dice_line(position) == "Dice: 9 a b; 1 roll left."
    file = ROOT / "tests" / "web" / "twelve.toml"
    for words in ([f"{file} - 199c r2"], [str(file), "9c,91"]):
        assert str(read_position(words)[0]) == f"{file} - 199c r2"


@pytest.mark.parametrize(
    ("typed", "position"),
    [
        ("64646", "yahtzee - 44666 r2"),
        ("6 4 6 4 6", "yahtzee - 44666 r2"),
        ("6,4,6,4,6", "yahtzee - 44666 r2"),
        ("44666 R1", "yahtzee - 44666 r1"),
        ("yahtzee[joker=free] 66123", "yahtzee[joker=free] - 12366 r2"),
        ("yahtzee yahtzee=50,threes=9,+1 33333", "yahtzee threes=9,yahtzee=50,+1 33333 r2"),
        ("maxi_yatzy[saved_rolls=true] ones=1,saved=2 666666", "maxi_yatzy[saved_rolls=true] ones=1,saved=2 666666 r4"),
    ],
)
def test_what_is_missing_is_that_of_a_new_game(typed: str, position: str) -> None:
    read, note = read_position([typed])
    assert str(read) == position
    assert note.startswith('Read as "')
    assert read_position(typed.split())[0] == read


def test_notation_is_read_without_a_note_and_split_notation_with_advice() -> None:
    assert read_position(["yahtzee - 33456 r2"])[1] == ""
    _, note = read_position(["yahtzee", "-", "33456", "r2"])
    assert note == "Put quotes around a position, so that your shell leaves it alone: 'yahtzee - 33456 r2'"


@pytest.mark.parametrize(
    ("typed", "error", "sentence"),
    [
        ("40666", MalformedError, "write the faces as digits 1 to 9"),
        ("yahtzee crag 44666", MalformedError, "or only the dice, as in 33456"),
        ("- - - 44666", MalformedError, "or only the dice, as in 33456"),
        ("", MalformedError, "or only the dice, as in 33456"),
    ],
)
def test_a_wrong_position_is_refused_with_a_reason(typed: str, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        read_position([typed])


def test_commands_say_how_a_position_was_read() -> None:
    note = 'Read as "yahtzee - 44666 r2": a new game of Yahtzee, 2 rolls left.'
    assert fivedice("legal", "64646").out.startswith(f"{note}\n\nscore ones ")
    result = fivedice("legal", "64646", "--json")
    assert result.err == f"{note}\n\n"
    assert json.loads(result.out)["position"] == "yahtzee - 44666 r2"
    assert fivedice("advise", "crag", "5", "4", "4", "r0", "--top", "1").out.startswith(
        'Read as "crag - 445 r0": a new game of Crag, 0 rolls left.\n\n'
    )


def test_kismets_colours_are_in_the_advice(shared_cache: None) -> None:
    assert "\nkeep 2r 2r 5r 5r " in fivedice("advise", "kismet 25523", "--top", "3").out
