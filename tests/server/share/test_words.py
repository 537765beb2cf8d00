"""The texts of previews: every stage of a table in every language, as whole sentences."""

from typing import Any

import pytest

from fivedice.server.http.pages import accepted_language
from fivedice.server.share.preview import Preview, Words, preview_of
from fivedice.server.table.create import NewTable
from fivedice.server.table.state import State
from fivedice.views.games import PlayedSeatView
from tests.server.scripted import Live, Scripted, people

ANN, BEN = PlayedSeatView("Ann", "person", 243, None, False), PlayedSeatView("Ben", "person", 231, None, False)
FREE = PlayedSeatView("", "person", 0, None, False)
GONE = PlayedSeatView("Ben", "person", 12, None, True)
WON, LOST = PlayedSeatView("Ann", "person", 243, 1, False), PlayedSeatView("greedy 2", "greedy", 231, 2, False)


def preview(*seats: PlayedSeatView, state: State = State.PLAYING, game: str = "Yahtzee", **more: Any) -> Preview:
    """A preview in the seventh round."""
    return Preview(game=game, state=state, seats=seats, round=7, rounds=13, **more)


@pytest.mark.parametrize(
    ("language", "shown", "title", "description"),
    [
        (
            "en",
            preview(ANN, FREE, state=State.OPEN),
            "Ann invites you to Yahtzee",
            "1 seat is free. No help is shown during the game. Open the link to play.",
        ),
        (
            "en",
            preview(FREE, FREE, state=State.OPEN),
            "You are invited to Yahtzee",
            "2 seats are free. No help is shown during the game. Open the link to play.",
        ),
        ("en", preview(ANN, BEN, state=State.OPENING), "Ann and Ben play Yahtzee", "All seats are taken."),
        ("en", preview(ANN, BEN, BEN), "Ann, Ben and Ben play Yahtzee", "Round 7 of 13: Ann 243, Ben 231, Ben 231."),
        ("en", preview(ANN), "Ann plays Yahtzee", "Round 7 of 13: Ann 243."),
        ("en", preview(LOST, WON, state=State.OVER), "Ann wins Yahtzee with 243", "Greedy 2 231, Ann 243."),
        (
            "en",
            preview(WON, WON, state=State.OVER),
            "Ann and Ann play Yahtzee",
            "Ann 243, Ann 243.",
        ),
        ("en", preview(WON, GONE, state=State.OVER), "Ann wins Yahtzee with 243", "Ann 243, Ben 12."),
        (
            "en",
            preview(WON, GONE, LOST, state=State.OVER),
            "Ann wins Yahtzee with 243",
            "Ann 243, Ben 12, Greedy 2 231.",
        ),
        ("en", preview(GONE, state=State.OVER), "Ben scores 12 in Yahtzee", "Ben 12."),
        ("en", preview(WON, state=State.OVER), "Ann scores 243 in Yahtzee", "Ann 243."),
        ("en", preview(ANN, FREE, state=State.CLOSED), "Ann: Yahtzee, closed early", "Ann 243."),
        ("de", preview(LOST, WON, state=State.OVER), "Ann gewinnt Yahtzee mit 243", "Punktejäger 2 231, Ann 243."),
    ],
)
def test_every_stage_has_a_title_and_a_description(language: str, shown: object, title: str, description: str) -> None:
    words = Words(language)
    assert (words.title(shown), words.description(shown)) == (title, description)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"),
        ("de", "de"),
        ("DE-at, en", "de"),
        ("en;q=0.1, sv;q=0.2", "sv"),
        ("fr, es", "en"),
        ("q=;;,de;q=a,", "en"),
    ],
)
def test_the_language_is_the_first_that_the_client_accepts(accepted: str, language: str) -> None:
    assert accepted_language(accepted) == language


def test_a_preview_shows_the_table_and_after_the_game_who_won() -> None:
    dice = {(turn, 0): "66666" if turn == 0 else "11111" for turn in range(2)}
    rules = 'id = "tiny"\nrolls = 1\n[categories]\nany = { scorer = "any_dice" }\n'
    game = Live(NewTable(rules="x", toml=rules, seats=people("Ann", "Ben")), chance=Scripted(dice))
    first = preview_of(game.table)
    assert (first.state, first.host, first.round, first.rounds) == (State.PLAYING, "Ann", 1, 1)
    for seat in (0, 1):
        game.do(game.roll(seat=seat))
        game.do(game.score("any", seat=seat))
    over = preview_of(game.table)
    assert [seat.rank for seat in over.seats] == [1, 2]
