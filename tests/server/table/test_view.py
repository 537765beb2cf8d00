"""What each person sees of a table and its results."""

from dataclasses import replace

import msgspec
import pytest

from fivedice.analysis.advice import Advice, Advised
from fivedice.game.action import Action, Keep, Score
from fivedice.game.position import Position
from fivedice.server.table.create import NewTable
from fivedice.server.table.event import Help
from fivedice.server.table.messages import TableView
from fivedice.server.table.state import State, Table
from fivedice.server.table.verbs.play import Scored
from fivedice.server.table.view import margins_of, view
from fivedice.views.advice import advice_view
from tests.server.scripted import SECRET, Live, Scripted, computers, people, run_out

DICE = {(turn, roll): "34363" for turn in range(30) for roll in range(3)}


def live(help: Help = "always") -> Live:
    wanted = NewTable(seats=[*people("Ann", "Bob"), *computers("greedy")], pace=60)
    return Live(msgspec.structs.replace(wanted, help=help), chance=Scripted(DICE))


def shown(table: Table) -> TableView:
    return msgspec.json.decode(msgspec.json.encode(view(table, secret=SECRET)), type=TableView)


def test_there_is_no_turn_before_all_seats_are_taken_and_after_the_end() -> None:
    game = Live(NewTable(seats=people("Ann", ""), rules="yahtzee[rounds=1]"), chance=Scripted(DICE))
    assert (shown(game.table).state, shown(game.table).turn) == (State.OPEN, None)
    assert [seat.is_open for seat in shown(game.table).seats] == [False, True]
    game.do(game.sit(1, "Bob"))
    assert not shown(game.table).has_begun
    for step in (game.roll, lambda: game.score("chance")) * 2:
        game.do(step())
    end = shown(game.table)
    assert (end.state, end.turn, end.can_undo, end.has_begun) == (State.OVER, None, [], True)
    assert [seat.rank for seat in end.seats] == [1, 1]


def test_tied_seats_share_a_rank_and_an_outright_win_is_above_every_total() -> None:
    assert over("threes=9", "threes=9", "threes=6").ranks == [1, 1, 3]
    assert over("threes=6", "threes=9", "threes=9").ranks == [3, 1, 1]
    position = over("threes=9", "threes=6", "threes=12")
    one, other, third = position.cards
    assert replace(position, cards=(one, replace(other, won=True), third)).ranks == [3, 1, 2]
    assert Position.start("yahtzee", 3).ranks == [None] * 3


def advice_on(position: Position) -> Advice:
    """Made-up advice on a position."""
    actions: tuple[Action, ...] = (Keep((3, 3, 3)), Score("threes"), Keep(()))
    return Advice(
        position, 250.0, tuple(Advised(action, 250.0 - i, float(i), None) for i, action in enumerate(actions))
    )


def test_advice_marks_the_places_of_kept_dice_and_is_on_this_position_of_a_person_only() -> None:
    game = live()
    assert not game.table.wants_advice, "there are no dice yet"
    game.do(game.roll())
    before = game.table.position
    advice = view(game.table, secret=SECRET, advice=advice_on(before)).advice
    assert advice
    assert advice.value == 250.0
    assert [(action.action, action.kept, action.box, action.loss) for action in advice.actions] == [
        ("keep 333", [True, False, True, False, True], None, 0.0),
        ("score threes", None, "threes", 1.0),
        ("keep -", [False] * 5, None, 2.0),
    ]
    assert advice == advice_view(advice_on(game.table.position), game.table.turn.places, game.table.turn.kept)
    game.do(game.roll("x...."))
    assert game.table.wants_advice
    assert view(game.table, secret=SECRET, advice=advice_on(before)).advice is None
    run_out(game)
    assert not game.table.wants_advice
    assert [seat.stand_in for seat in shown(game.table).seats] == ["greedy", None, None]


@pytest.mark.parametrize(("mode", "is_shown"), [("none", False), ("tutor", False), ("after", True), ("always", True)])
def test_help_decides_whether_advice_and_the_loss_of_the_last_decision_are_shown(mode: Help, is_shown: bool) -> None:
    game = live(mode)
    game.do(game.roll())
    assert game.table.decision is None  # the first roll of a turn is not a decision
    advice = view(game.table, secret=SECRET, advice=advice_on(game.table.position)).advice
    assert game.table.wants_advice == (advice is not None) == (mode == "always")
    assert game.table.advice_is_off == (mode in ("none", "after"))
    game.do(game.roll("x.x.x"))
    assert game.table.decision
    assert (str(game.table.decision.action), game.table.judged is not None) == ("keep 333", is_shown)
    last = view(game.table, secret=SECRET, last_loss=(1.25, Score("threes"))).last
    assert (last is not None) == is_shown
    if last:
        assert (last.seat, last.action, last.loss, last.best) == (0, "keep 333", 1.25, "score threes")
    event = game.do(game.score("threes"))
    assert isinstance(event, Scored)
    assert str(game.table.decision.action) == "score threes"


def test_a_score_is_judged_when_it_can_no_longer_be_taken_back() -> None:
    loss = (1.25, Score("threes"))
    game = live("after")
    game.do(game.roll())
    game.do(game.roll("x.x.x"))
    game.do(game.score("chance"))
    assert shown(game.table).can_undo == [0]
    assert view(game.table, secret=SECRET, last_loss=loss).last is None
    game.do(game.undo(0))
    assert view(game.table, secret=SECRET, last_loss=loss).last is None, "it may be decided again"
    game.do(game.score("threes"))
    game.do(game.roll())
    last = view(game.table, secret=SECRET, last_loss=loss).last
    assert last
    assert (last.seat, last.action) == (0, "score threes")
    assert shown(game.table).can_undo == []


@pytest.mark.parametrize("stands_in", [True, False])
def test_a_score_before_computer_players_is_judged_at_the_next_roll_of_a_persons_seat(stands_in: bool) -> None:
    wanted = NewTable(seats=[*people("Ann"), *computers("greedy"), *people("Bob")], help="after", pace=60)
    game = Live(wanted, chance=Scripted(DICE))
    game.do(game.roll())
    game.do(game.score("threes"))
    while game.table.position.seat == 1:
        assert game.let_computer_act()
        assert game.table.judged is None or game.table.judged.position.seat != 0
    assert shown(game.table).can_undo == [0]
    if stands_in:
        run_out(game)
        assert shown(game.table).can_undo == [0]
        game.let_computer_act()
    else:
        game.do(game.roll())
    assert game.table.judged
    assert (game.table.judged.position.seat, str(game.table.judged.action)) == (0, "score threes")
    assert shown(game.table).can_undo == []


def test_the_last_score_of_a_game_is_judged_at_once_and_advice_is_no_longer_off() -> None:
    wanted = NewTable(seats=people("Ann"), rules="yahtzee[rounds=1]", help="after")
    game = Live(wanted, chance=Scripted(DICE))
    game.do(game.roll())
    assert game.table.advice_is_off
    game.do(game.score("threes"))
    assert game.table.state is State.OVER
    assert game.table.judged
    assert str(game.table.judged.action) == "score threes"
    assert not game.table.advice_is_off


def over(*cards: str, rules: str = "yahtzee[rounds=1]") -> Position:
    return Position.parse(f"{rules} {'/'.join(cards)} - r3")


def test_margins_are_those_of_the_points() -> None:
    assert margins_of(over("sixes=30", "ones=5", "ones=1")) == [25, 25, 29]
    assert margins_of(over("ones=5", "ones=5", "ones=1")) == [None, None, 4]
    assert margins_of(over("ones=5")) == [None]
    assert margins_of(Position.parse("yahtzee - 33456 r2")) == [None]
    # An outright win has none, even with the most points.
    position = Position.start("generala[first_roll_generala=wins]", 2).roll((4, 4, 4, 4, 4)).play("score generala")
    assert position.is_over
    assert position.ranks == [1, 2]
    assert margins_of(position) == [None, None]
