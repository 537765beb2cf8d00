"""Games of every ruleset, played at tables by people and computers, with every kind of event that records have."""

import random
from functools import cache
from itertools import cycle
from typing import get_args

from msgspec.structs import replace

from fivedice.rulesets import ruleset_ids
from fivedice.server.table.answers import Accepted
from fivedice.server.table.create import NewTable
from fivedice.server.table.event import Help
from fivedice.server.table.messages import TableView
from fivedice.server.table.state import PERSON, State
from fivedice.server.table.to_record import record_of
from fivedice.server.table.verbs.begin import AddNonce, RollOff
from fivedice.server.table.verbs.end import Closed, Resign, Undone
from fivedice.server.table.verbs.play import Announce, Roll, Score
from fivedice.server.table.view import view
from tests.repository import ROOT
from tests.server.scripted import SECRET, Live, computers, people

TWELVE_FACES = (ROOT / "tests" / "web" / "twelve.toml").read_text(encoding="utf-8")
TEN_DICE = """
id = "ten"
dice = 10
faces = 3
rounds = 2
[categories]
ones = { scorer = "sum_of_face", face = 1 }
chance = { scorer = "any_dice" }
"""
BONUS = """
id = "bonus"
dice = 2
faces = 2
joker = "free"
joker_category = "pair"
extra_bonus = 100
[categories]
ones = { scorer = "sum_of_face", face = 1 }
twos = { scorer = "sum_of_face", face = 2 }
pair = { scorer = "n_of_a_kind", n = 2, pays = 30 }
two = { scorer = "any_dice" }
three = { scorer = "any_dice" }
"""
OWN_RULES = {"twelve": TWELVE_FACES, "ten": TEN_DICE, "bonus": BONUS}
NUM_SEATS = (2, 3, 2, 12, 2, 5)
HELP = get_args(Help)


@cache
def played(
    ref: str,
    num_seats: int,
    max_turns: int,
    *,
    is_rolled_for: bool = True,
    is_resigning: bool = False,
    help: Help = "tutor",
    seed: int = 0,
) -> str:
    """The record of a table: of the whole game, or of one that was closed in the middle of a turn.

    The tutor questions some actions at random. Rules that cannot be solved have no help.
    """
    chance = random.Random(f"{ref} {seed}")
    names = ("Ann", "Ben", "Cem, the 3rd")[: num_seats - 1]
    seats = [*people(*names), *computers(*["random"] * (num_seats - len(names)))]
    own = OWN_RULES.get(ref, "")
    first = "highest_roll" if is_rolled_for else "1"
    wanted = NewTable(seats=seats, rules=f"{ref}.toml" if own else ref, toml=own, first=first)
    if Live(wanted).table.has_advice:
        wanted = replace(wanted, help=help)
    asking = random.Random(f"{ref} {seed} asking")
    game = Live(wanted, loss_of=lambda position, action: (9.0 * (asking.random() < 1 / 4), action))
    for seat, nonce in ((0, "5f3a"), (None, "00ff")):
        game.do(game.command(AddNonce, seat=seat, nonce=nonce))
    if is_rolled_for:
        game.do(game.command(RollOff, seat=0))
    while (here := view(game.table, secret=SECRET)).state is State.PLAYING:
        position = game.table.position
        if sum(card.num_filled for card in position.cards) >= max_turns and position.dice:
            game.append(Closed(at=game.now, seat=0))
            break
        _step(game, here, chance, is_resigning)
    return str(record_of(game.table, game.events, SECRET))


def _step(game: Live, here: TableView, chance: random.Random, is_resigning: bool) -> None:
    turn = here.turn
    assert turn
    if is_resigning and chance.random() < 1 / 20:
        kinds = enumerate(game.table.seats)
        people = [seat for seat, one in kinds if one.kind == PERSON and seat in game.table.position.remaining]
        game.do(game.command(Resign, seat=chance.choice(people)))
    elif here.can_undo and sum(isinstance(event, Undone) for event in game.events) < 4 and chance.random() < 1 / 2:
        game.do(game.undo(here.can_undo[0]))
    elif here.seats[turn.seat].kind != "person":
        game.let_computer_act(lambda kind, spot: chance.choice(spot.actions()))
    elif not turn.dice:
        game.do(game.roll())
    elif (boxes := [offer.box for offer in turn.offers if offer.can_announce]) and (
        chance.random() < 1 / 2 or not any(offer.is_open for offer in turn.offers)
    ):
        _decide(game, game.command(Announce, seat=turn.seat, box=chance.choice(boxes)), chance)
    elif turn.rolls_left and chance.random() < 2 / 3:
        _decide(game, game.roll("".join(chance.choice("x.") for _ in turn.dice)), chance)
    else:
        offer = chance.choice([offer for offer in turn.offers if offer.is_open])
        _decide(game, game.score(offer.box, scratch=offer.can_scratch and chance.random() < 1 / 3), chance)


def _decide(game: Live, command: Roll | Score | Announce, chance: random.Random) -> None:
    """Take an action, also if the tutor questions it, or leave it at the question."""
    if not isinstance(game.send(command), Accepted) and chance.random() < 1 / 2:
        game.do(replace(command, anyway=True))


@cache
def whole_games() -> tuple[str, ...]:
    """A finished game of each ruleset, with two seats."""
    return tuple(played(ref, 2, 10_000) for ref in _refs())


@cache
def short_games() -> tuple[str, ...]:
    """The beginning of a game of each ruleset, with up to twelve seats, and a game with a bonus, which is rare."""
    seats = zip(_refs(), cycle(NUM_SEATS), strict=False)
    begun = (
        played(
            ref, num, max(8, num), is_rolled_for=index % 3 > 0, is_resigning=index % 2 > 0, help=HELP[index % len(HELP)]
        )
        for index, (ref, num) in enumerate(seats)
    )
    return (*begun, played("bonus", 2, 9, seed=1))


def _refs() -> list[str]:
    return [*ruleset_ids(), "maxi_yatzy[saved_rolls=true]", *OWN_RULES]
