"""The players: what decides at a seat."""

from fivedice.players.available import Available as Available
from fivedice.players.available import available as available
from fivedice.players.greedy import Greedy as Greedy
from fivedice.players.greedy import greedy_work as greedy_work
from fivedice.players.kinds import KINDS as KINDS
from fivedice.players.kinds import Human as Human
from fivedice.players.kinds import Optimal as Optimal
from fivedice.players.kinds import Player as Player
from fivedice.players.kinds import Random as Random
from fivedice.players.kinds import Rival as Rival
from fivedice.players.kinds import Solve as Solve
from fivedice.players.kinds import Target as Target
from fivedice.players.kinds import kind_name as kind_name
from fivedice.players.kinds import known_kind as known_kind
from fivedice.players.kinds import make_player as make_player
from fivedice.players.kinds import needs_solution as needs_solution
from fivedice.players.kinds import no_human as no_human
from fivedice.players.levels import LEVELS as LEVELS
from fivedice.players.levels import Level as Level
