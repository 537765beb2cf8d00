"""The verbs of a tournament, each in one file with its command and its event; the lists below name them all."""

from fivedice.tournament.change import Created
from fivedice.tournament.verbs.anonymise import Anonymised
from fivedice.tournament.verbs.challenge import Challenge, Challenged
from fivedice.tournament.verbs.correct import Correct, Corrected
from fivedice.tournament.verbs.draw import Draw, Drawn, DrawnTable
from fivedice.tournament.verbs.end import End, Ended
from fivedice.tournament.verbs.leave import Leave, Left
from fivedice.tournament.verbs.pause import Pause, Paused
from fivedice.tournament.verbs.report import Report, Reported
from fivedice.tournament.verbs.take_part import TakePart, TookPart

AnyTournamentCommand = TakePart | Leave | Draw | Challenge | Correct | Pause | End
"""What clients may send."""

AnyTournamentEvent = Created | TookPart | Left | Drawn | Challenged | Reported | Corrected | Paused | Ended | Anonymised

__all__ = [
    "Anonymised",
    "AnyTournamentCommand",
    "AnyTournamentEvent",
    "Challenge",
    "Challenged",
    "Correct",
    "Corrected",
    "Created",
    "Draw",
    "Drawn",
    "DrawnTable",
    "End",
    "Ended",
    "Leave",
    "Left",
    "Pause",
    "Paused",
    "Report",
    "Reported",
    "TakePart",
    "TookPart",
]
