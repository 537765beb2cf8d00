"""`fivedice legal`: every legal action in a position."""

from fivedice.cli.language import chosen
from fivedice.cli.text.output import Flag, Rest, print_json, prints
from fivedice.cli.text.read_position import read_position
from fivedice.views.to_dict import LegalView, legal_view


@prints(LegalView)
def legal(position: str, /, *rest: Rest, json: Flag = False) -> None:
    """List every legal action in a position and the points each box would score.

    Parameters
    ----------
    position
        A position in notation, such as "yahtzee - 33456 r2". What is missing is taken from a new game of yahtzee
        after its first roll, so 33456 means the same; dice may be in any order.
    json
        Print JSON.
    """
    parsed = read_position((position, *rest)).told(json=json)
    if json:
        print_json(legal_view(parsed))
        return
    for offer in parsed.offers():
        bonus = f" +{offer.bonus}" if offer.bonus else ""
        mark = "  joker" if offer.is_joker else ""
        print(f"{offer.action!s:<32}{offer.points:>4}{bonus}{mark}")
    for action in (*parsed.announcements(), *parsed.keeps()):
        print(action)
    if parsed.is_over:
        print(chosen().say("The game is over: there is no legal action."))
    elif not parsed.dice:
        print(chosen().say("The turn begins with a roll: there is no legal action before it."))
