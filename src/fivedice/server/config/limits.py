"""Limits of the server: every size, count and time that bounds what a client, a game or a process may use.

Names that end in `_BYTES` or `_SECONDS` have that unit; `MAX_…` without a unit counts things. An operator can change
`MIN_FREE_BYTES`, with `fivedice serve --min-free`.

Limits that hold outside the server too, such as the length
of a record, are defined with what they bound.
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
WORK_TOKENS              = 6                   # a request that computes, reads many rows or writes: 180 a minute
UPLOAD_TOKENS            = 60                  # one that sends rules or records, or exports everything: 20 a minute
MESSAGE_TOKENS           = 0.2                 # a message of a WebSocket: 100 a second
SENT_BYTES_PER_TOKEN     = 100_000             # what a table sends after a command: 2 MB a second
DAY_BYTES                = 60_000_000          # stored for one address in a day: 3,000 games, or four large imports
MAX_COUNTED_ADDRESSES    = 8_192               # addresses with a bucket, of 200 bytes each
BROWSER_BYTES            = 500                 # stored for a browser that gets its first seat or record

REACTION_SECONDS         = 2.0                 # between two reactions of a seat: earlier ones are dropped

# Reminders
REMIND_AFTER_SECONDS     = 10.0                # between looks for people to remind: whoever is back by then needs none
DAILY_REMINDER_SECONDS   = 60.0                # between looks for people to remind of the daily ten
REMINDER_KEPT_SECONDS    = 12 * 3_600          # how long a push service keeps a reminder for a browser that is off
REFUSED_SECONDS          = 3 * 86_400.0        # that a push service refuses an address before it is forgotten
PUSH_SECONDS             = 10.0                # sending a reminder to a push service
MAX_ADDRESS_CHARACTERS   = 1_000               # address of a browser at its push service

# Clubs
MAX_CACHED_CLUBS         = 500                 # clubs and tournaments in memory: 500 players and eight rounds take 2 MB
RESULT_SECONDS           = 1.0                 # between looks for finished tables of tournaments
MAX_RESULTS              = 500                 # finished tables whose results are taken at once

# Open seats
LIVE_SEAT_SECONDS        = 70.0                # that a seat stays open without its page: hidden ones ask each minute
RELAXED_SEAT_SECONDS     = 3 * 86_400.0        # that somebody waits for a relaxed game
MAX_OPEN_SEATS           = 3                   # at which one browser waits
MAX_LISTED_SEATS         = 100                 # open seats in one answer, those first that have been open longest
MAX_WATCHED              = 10                  # running games to watch in one answer
SEEN_SEAT_SECONDS        = 10.0                # between two records that the page of whoever waits has asked

# Games on the same dice
MIN_DUPLICATE_SECONDS    = 600                 # the time that everybody has for one
MAX_DUPLICATE_SECONDS    = 30 * 86_400         # the longest
LISTED_DUPLICATE_SECONDS = 7 * 86_400          # that one is among those of a browser after it has closed

# Requests
MAX_BODY_BYTES           = 8_192               # body of a request, unless its endpoint takes more
MAX_RULESET_BODY_BYTES   = 4 * MAX_BYTES       # body with a ruleset: JSON writes a character with up to four bytes
MAX_RECORD_BODY_BYTES    = 4 * MAX_CHARACTERS  # body with a record
MAX_IMPORT_BYTES         = 16 * 2**20          # body with everything of a browser: about 3,000 games
MAX_IMPORT_SEATS         = 10_000              # seats in an import
IMPORT_SECONDS           = 20.0                # reading the records of an import: each may have its own rules
MAX_STEPS                = 100                 # actions played on from a position: two games of 13 rounds
MAX_STEPS_BODY_BYTES     = 32_768              # body with them and their position
MAX_POSITION_CHARACTERS  = 8_000               # a position in notation: twelve full cards take about 3,000
MIN_COMPRESSED_BYTES     = 1_000               # text of an answer that is compressed: less saves no packet
SLOW_REQUEST_SECONDS     = 1.0                 # a slower request is logged as a warning

# Connections
MAX_UNREAD_BYTES         = 2**20               # output queued for a client that keeps sending: each ping needs a pong
MAX_MESSAGE_BYTES        = 65_536              # WebSocket message; a longer one closes the connection with code 1009
MAX_UNHANDLED_MESSAGES   = 8                   # messages of a WebSocket that wait to be handled; no more are read then
MAX_FRAMES               = 64                  # frames of a message: empty ones are free to send and take memory
MAX_COMMAND_CHARACTERS   = 8_192               # WebSocket message that is read as a command; a longer one is refused
KEEPALIVE_SECONDS        = 15.0                # silence on a stream before a keep-alive, so that both ends see a loss
LISTEN_BACKLOG           = 2_048               # connections that wait to be accepted

# Tables
MIN_SILENCE_SECONDS      = 10                  # idle timeout of a seat
DEFAULT_SILENCE_SECONDS  = 300                 # the same at a table that does not say, if a seat is open by link
MAX_SILENCE_SECONDS      = 3 * 86_400          # the longest idle timeout
LATE_SECONDS             = 1.0                 # after the end of a clock, in which actions that are on their way arrive
CLOCK_TIMER_SECONDS      = 600.0               # a clock that ends within that has a timer where its table is in memory
CLOCK_SWEEP_SECONDS      = 30.0                # between two searches for clocks that have ended at other tables
LINK_SECONDS             = 7 * 86_400          # a link to a seat, which works once
EXPORT_SECONDS           = 30 * 86_400         # a link in an exported file
SEEN_SECONDS             = 3_600.0             # between two records of when a device with a seat was seen
NEW_DEVICE_SECONDS       = 86_400              # during which a new device of a seat cannot remove an earlier one
MAX_CHANGES              = 200                 # undone scores and changes of name or player of one seat
MAX_TABLE_BOXES          = 720                 # boxes on all cards of a new table: twelve of 60, or six of 120
MAX_GREEDY_WORK          = 50_000              # keeps that a greedy player may examine: `maxi_yatzy` needs 40,000
MAX_CACHED_TABLES        = 2_000               # tables in memory that are not in use
CHECKPOINT_VERSIONS      = 64                  # between two checkpoints of a table: most games have one
BOT_RETRY_SECONDS        = 2.0                 # before a failed step of a computer player is repeated
TAKEOVER_SECONDS         = 2.0                 # before another process takes the step of a computer player

# Updates
MAX_UPDATE_EVENTS        = 200                 # events in one update; a client further behind gets a snapshot
MAX_QUEUED_MESSAGES      = 64                  # messages for one client; beyond them it gets a snapshot
FAREWELL_SECONDS         = 2.0                 # waiting for clients to read their last messages

# Other processes
HEARTBEAT_SECONDS        = 10.0                # between signs of life: clocks stand still so long after a kill
CLOCK_CHANGE_SECONDS     = 60.0                # a larger change of the system's clock is logged
HEARTBEAT_GRACE_SECONDS  = 3 * HEARTBEAT_SECONDS  # without a sign of life, after which no server was there
NOTICE_SECONDS           = 0.05                # a notice waits for others that are sent with it
NOTICE_RETRY_SECONDS     = 1.0                 # between attempts to connect, and between reads of open tables meanwhile
NOTICE_POLL_SECONDS      = 15.0                # the same while notices arrive: a process may end before its own
MAX_NOTICES              = 100_000             # notices that wait to be sent: later ones are lost

# Caches, games and lessons
MAX_CACHED_KEYS          = 20_000              # browser keys with their holders
PREVIEW_SECONDS          = 1.0                 # reading a table for the head of its page, which is general after that
PAGE_GAMES               = 25                  # games in a part of a holder's list, which are replayed for it
MAX_PAGE_GAMES           = 100                 # the most, if a client asks for more
MAX_LISTED_GAMES         = 1_000               # tables that figures and an export cover, the most recent ones
MAX_LESSON_GAMES         = 200                 # games that lessons are taken from, the most recent ones
MAX_LESSON_TRIES         = 40                  # tries of the daily, likewise
SESSION_LESSONS          = 10                  # lessons in one session: about ten minutes
GRADE_BATCH              = 8                   # games graded at once, in about 0.1 s; others take turns
GRADE_RETRY_SECONDS      = 5.0                 # until games are graded again after the database or a process failed
GAME_BATCH               = 10                  # games read at once, in about 0.1 s; others take turns
DICE_BATCH               = 8                   # tables counted in one transaction: commits wait a few milliseconds
DICE_PAUSE_SECONDS       = 0.02                # between two such transactions, for the commits that wait
DICE_COUNT_SECONDS       = 60.0                # between two rounds of counting dice: larger rounds cost less per event
DICE_SWEEP_SECONDS       = 3_600.0             # between two searches for tables that no process counts
RATING_BATCH             = 20                  # finished tables read at a time for ratings
RATING_SECONDS           = 60.0                # between two rounds of counting results in ratings
CHALLENGE_SECONDS        = 300.0               # how long a passkey may take to answer
KEY_SECONDS              = 60.0                # how long a process trusts a key that it has looked up
PRUNE_SECONDS            = 3_600.0             # between two searches for what the rules of `retention` do not keep
TIME_WARNING_SECONDS     = 30 * 86_400         # more of such time is logged at a start
MAX_UNCONFIRMED_SHARE    = 0.1                 # of all tables: a search that would delete more waits for a person
MIN_CONFIRMED_TABLES     = 20                  # fewer are deleted whatever their share
PRUNE_BATCH              = 100                 # tables or holders that are examined at once
MAX_PRUNED_TABLES        = 20                  # tables deleted in one transaction: commits wait some 10 ms
MAX_PRUNED_EVENTS        = 200                 # events of these tables, unless it is one table
PRUNE_PAUSE_SECONDS      = 0.05                # between two such transactions, for the commits that wait
PRUNE_RETRY_SECONDS      = 0.5                 # before another try while another process deletes

# Fair shares
MAX_ADDRESS_WORKS        = 20                  # pieces of slow work of one address that wait for their turns
MAX_KEPT_RESULTS         = 1_000               # figures and dice of holders, of up to 50 KB
MAX_KEPT_REVIEWS         = 200                 # reviews of finished games, of about 200 KB

# Solving
MAX_END_BYTES            = 2**27               # last turns of a game too large to solve: seconds, once per review
MAX_SHIPPED_BYTES        = 2 * 2**30           # solution of a shipped ruleset: solved once, for everybody
MAX_CUSTOM_BYTES         = 64 * 2**20          # solution of other rules: five dice and fifteen boxes take 30 MB
MAX_PORTABLE_BYTES       = 64 * 2**20          # solution that is offered to browsers, which hold it in memory
MAX_PORTABLE_PARTS       = 2 * 2**20           # entries of one whose breakdown is offered, too: 3.2 MB for `yahtzee`
MAX_BREAKDOWN_BYTES      = 512 * 2**20         # breakdown of a solution: 64 MB for `yahtzee`
MAX_KEPT_CHANCES         = 40                  # chances of positions in memory
SEARCH_SHARE_SECONDS     = 2.0                 # a search runs before another's may have its turn
SEARCH_PATIENCE_SECONDS  = 30.0                # after which a search is dropped, unless a client asks for it again
CHANCES_PATIENCE_SECONDS = 5.0                 # the same for the chances of a position
SEARCH_LOOK_SECONDS      = 0.2                 # between two looks whether a search must end or make room
SHIPPED_SOLVE_SECONDS    = 600.0               # a search for a shipped ruleset, without compiling
CUSTOM_SOLVE_SECONDS     = 60.0                # a search for other rules, without compiling
LOOK_UP_SECONDS          = 3.0                 # that the tutor waits for a saved solution after a start
COMPILE_SECONDS          = 600.0               # starting a solver process and compiling, in addition
SOLVE_RETRY_SECONDS      = 60.0                # before a failed search may run again
SLOW_RETRY_SECONDS       = 1_800.0             # before a search that took too long may run again
MAX_CACHED_SOLUTIONS     = 12                  # solutions mapped into memory
SOLVER_NICENESS          = 10                  # their priority: on a busy core, a tenth of the share of a server
ADDRESS_SEARCHES         = 6                   # searches of one address in the queue; shipped rulesets always may wait
MAX_SEARCHES             = 64                  # searches of all addresses in the queue, in the same way
MAX_TABLE_ADDRESSES      = 8                   # addresses at a table for which a search is made
MAX_BEGUN_SEARCHES       = 4                   # searches that run or are paused: each takes about 200 MB

# The worker process, which imports records, reviews games and computes figures
MAX_WORKER_BYTES         = 2 * 2**30           # its memory without the files that it maps; usually about 200 MB
WORKER_NICENESS          = 5                   # its priority: on a busy core, a third of the share of a server
WORKER_IDLE_SECONDS      = 600.0               # without work before it ends
WORKER_STUCK_SECONDS     = 120.0               # without any answer before it is killed
WORKER_ATTEMPTS          = 3                   # processes that are tried for a piece of work
BATCH_SECONDS            = 0.1                 # work between two turns of others, if they wait
MAX_KEPT_DAYS            = 64                  # tens and ladders with their losses in memory: 1 to 10 MB each ladder
ARCHIVE_DAYS             = 30                  # past days in one part of the archive
OPERATOR_DAYS            = 7                   # from which the operator's page has solve rates
MAX_RUNS                 = 200                 # storms or streaks of one browser, ruleset and day
EARLY_SECONDS            = 7_200.0             # before a day begins, it is drawn if somebody looks at the day before
MANY_PEOPLE              = 1_000               # from so many on, counts of them are kept for a while
KEPT_COUNT_SECONDS       = 60.0                # that is for so long

# Readiness
READY_CACHE_SECONDS      = 1.0                 # a readiness result is reused, so that probes are cheap
READY_TIMEOUT_SECONDS    = 3.0                 # waiting for the database's answer to a probe

# Starting and stopping
STOP_SECONDS             = 17.0                # the whole shutdown: less than the usual 20 s of a service manager
ANSWER_SECONDS           = 5.0                 # waiting for answers to commands in progress
LAST_REQUESTS_SECONDS    = 0.5                 # answering requests that are on their way when the process must stop
GRACEFUL_SECONDS         = 6                   # waiting for requests in progress and for clients that do not read
STOP_WRITE_SECONDS       = 5.0                 # waiting for one transaction
STOP_LOG_SECONDS         = 1.0                 # writing the last lines of the log: its reader may be stuck
MAX_QUEUED_LINES         = 10_000              # lines of the log that wait to be written, about 3 MB
MAX_LOGGED_TASKS         = 20                  # kinds of asyncio tasks in the log line of a forced stop
MAX_LOGGED_CALLS         = 4                   # innermost calls of each thread in that line
