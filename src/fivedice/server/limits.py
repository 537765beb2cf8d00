"""Limits of the server: the sizes, counts and costs that protect it from what a client sends, stores or asks for.

Names that end in `_BYTES` or `_SECONDS` have that unit; `MAX_…` without a unit counts things. An operator can change
`MIN_FREE_BYTES` with `fivedice serve --min-free`, and `TOKENS_PER_SECOND` with `--rate`.

Limits that hold outside the server too, such as the length of a record, are defined with what they bound; what is no
protection is defined where it is used. Slow clients and numbers of connections are the proxy's.
"""

from fivedice.game.record import MAX_CHARACTERS
from fivedice.rulesets.file import MAX_BYTES

# fmt: off

MIN_FREE_BYTES           = 256 * 2**20         # free space on the volume of an SQLite file; below it nothing is created

# What counts as bytes: rows with their indexes, rounded up
TABLE_BYTES              = 1_000               # a table without its seats and events
EVENT_BYTES              = 400                 # an event without a name, with a command id of 64 characters
ROW_BYTES                = 250                 # any other row: a seat, its secret, a record without its text, a lesson

# The bucket of each address: a request takes one token, and more if it is costly
TOKENS_PER_SECOND        = 20.0                # by which it fills: thirty people at one address play without waiting
BURST_SECONDS            = 60.0                # of these fill it: a page that loads asks for many things at once
WORK_TOKENS              = 6                   # a request that computes, reads many rows or writes: 170 a minute
UPLOAD_TOKENS            = 60                  # one that sends rules or records, or exports everything: 20 a minute
MESSAGE_TOKENS           = 0.2                 # a message of a WebSocket: 100 a second
SENT_BYTES_PER_TOKEN     = 100_000             # what a table sends after a command: 2 MB a second
DAY_BYTES                = 60_000_000          # stored for one address in a day: 1,400 games, or four large imports
MAX_COUNTED_ADDRESSES    = 8_192               # addresses with a bucket, of 200 bytes each
BROWSER_BYTES            = 500                 # stored for a browser that gets its first seat or record

# Requests
MAX_BODY_BYTES           = 8_192               # body of a request, unless its endpoint takes more
MAX_RULESET_BODY_BYTES   = 4 * MAX_BYTES       # body with a ruleset: JSON writes a character with up to four bytes
MAX_RECORD_BODY_BYTES    = 4 * MAX_CHARACTERS  # body with a record
MAX_IMPORT_BYTES         = 16 * 2**20          # body with everything of a browser: about 3,000 games
MAX_STEPS                = 100                 # actions played on from a position: two games of 13 rounds
MAX_STEPS_BODY_BYTES     = 32_768              # body with them and their position
MAX_POSITION_CHARACTERS  = 8_000               # a position in notation: twelve full cards take about 3,000
MAX_ADDRESS_CHARACTERS   = 1_000               # address of a browser at its push service

# Connections
MAX_UNREAD_BYTES         = 2**20               # output queued for a client that keeps sending: each ping needs a pong
MAX_MESSAGE_BYTES        = 65_536              # WebSocket message; a longer one closes the connection with code 1009
MAX_UNHANDLED_MESSAGES   = 8                   # messages of a WebSocket that wait to be handled; no more are read then
MAX_FRAMES               = 64                  # frames of a message: empty ones are free to send and take memory
MAX_COMMAND_CHARACTERS   = 8_192               # WebSocket message that is read as a command; a longer one is refused
MAX_UPDATE_EVENTS        = 200                 # events in one update; a client further behind gets a snapshot
MAX_QUEUED_MESSAGES      = 64                  # messages for one client; beyond them it gets a snapshot

# Tables, and what a browser may have
MAX_CHANGES              = 200                 # undone scores and changes of name of one seat
MAX_TABLE_BOXES          = 720                 # boxes on all cards of a new table: twelve of 60, or six of 120
MAX_GREEDY_WORK          = 50_000              # keeps that a greedy player may examine: `maxi_yatzy` needs 40,000
MAX_OPEN_SEATS           = 3                   # at which one browser waits
MAX_RUNS                 = 200                 # storms or streaks of one browser, ruleset and day

# Slow work
MAX_ADDRESS_WORKS        = 20                  # pieces of slow work of one address that wait for their turns
MAX_CUSTOM_BYTES         = 64 * 2**20          # solution of other rules: five dice and fifteen boxes take 30 MB
CUSTOM_SOLVE_SECONDS     = 60.0                # a search for other rules
MAX_WORKER_BYTES         = 2 * 2**30           # memory of a worker process without what it maps; usually about 200 MB
