"""`Searches`: exact solutions and what follows from them, loaded from disk or found in the background, in turns."""

import asyncio
import contextlib
import logging
import os
import tempfile
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from fivedice.game.position import Position
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.config.limits import ADDRESS_SEARCHES, CUSTOM_SOLVE_SECONDS, MAX_SEARCHES
from fivedice.server.solving.fair_queue import FairQueue, Who
from fivedice.server.solving.lane import Lane, Work
from fivedice.server.solving.solved import MAX_CACHED_SOLUTIONS
from fivedice.server.solving.wire import TOO_SLOW, SavedSolution, SolutionGoneError, rules_of
from fivedice.server.solving.worker_process import LostError, WorkerProcess
from fivedice.server.table.available import available_here, is_shipped, solution_limit
from fivedice.solver.tables.states import TooLargeError
from fivedice.storage.engine.unavailable import UnavailableError
from fivedice.views.chances import ScoreChancesView

if TYPE_CHECKING:
    from fivedice.solver.approximate.approximate_solution import ApproximateSolution
    from fivedice.solver.solution import Solution

    Values: TypeAlias = Solution | ApproximateSolution

MAX_BREAKDOWN_BYTES = 512 * 2**20
"""Breakdown of a solution: 64 MB for `yahtzee`."""

MAX_KEPT_CHANCES = 40
"""Chances of positions in memory."""

SEARCH_SHARE_SECONDS = 2.0
"""A search runs before another's may have its turn."""

SEARCH_PATIENCE_SECONDS = 30.0
"""After which a search is dropped, unless a client asks for it again."""

CHANCES_PATIENCE_SECONDS = 5.0
"""The same for the chances of a position."""

SEARCH_LOOK_SECONDS = 0.2
"""Between two looks whether a search must end or make room."""

SHIPPED_SOLVE_SECONDS = 600.0
"""A search for a shipped ruleset, without compiling."""

LOOK_UP_SECONDS = 3.0
"""That the tutor waits for a saved solution after a start."""

COMPILE_SECONDS = 600.0
"""Starting a solver process and compiling, in addition."""

SOLVE_RETRY_SECONDS = 60.0
"""Before a failed search may run again."""

SLOW_RETRY_SECONDS = 1_800.0
"""Before a search that took too long may run again."""

SOLVER_NICENESS = 10
"""Their priority: on a busy core, a tenth of the share of a server."""

MAX_BEGUN_SEARCHES = 4
"""Searches that run or are paused: each takes about 200 MB."""

_log = logging.getLogger(__name__)

Key: TypeAlias = tuple[str, str, str]
"""The digest of rules, the name of an artefact, or `CHANCES`, and the position whose chances are sought."""

SOLUTION, CHANCES = "solution", "chances"

DERIVED = ("breakdown", "moments", "perfect_scores", CHANCES)
"""What follows from a solution. All else takes the place of one, and as much memory."""

IN_MEMORY = "/dev/shm"  # noqa: S108 - a folder of its own is created there
"""Where Linux keeps files in memory."""

SERVER = (Who(""),)
"""Who waits for what the server itself asks for."""


@dataclass(eq=False)
class _Search:
    """A search for a result, pending or done. `progress` is from 0 to 1; `refusal` is why it has no result.

    `position` is the one whose chances are sought; empty for artefacts. `asked` is when each of those who wait for it
    last asked, on the monotonic clock. `is_looked_up` is set once a saved result has been looked for.
    After `retry_at`, on the monotonic clock, the search may be repeated: the rules need not have caused the failure.
    """

    ruleset: Ruleset
    name: str
    position: str = ""
    asked: dict[Who, float] = field(default_factory=dict)
    progress: float = 0.0
    result: Any = None
    refusal: str = ""
    retry_at: float | None = None
    listeners: dict[Callable[[], None], None] = field(default_factory=dict)
    is_looked_up: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_done(self) -> bool:
        return self.result is not None or bool(self.refusal)

    def refuse_for_now(self, what: str) -> None:
        """Give it up until it is tried again: the machine may have been busy."""
        self.refusal = f"{self.ruleset.name} {what}: no advice is available, and it is tried again later"
        self.retry_at = time.monotonic() + SLOW_RETRY_SECONDS


class SearchProcess:
    """The process of a search, and the time limit within which it must end. Pauses do not count."""

    def __init__(self, process: WorkerProcess, limit: asyncio.Timeout) -> None:
        self._process = process
        self._limit = limit
        self._seconds_left: float | None = None

    def pause(self) -> None:
        """Stop it in the middle of its work."""
        end = self._limit.when()
        self._seconds_left = None if end is None else end - asyncio.get_running_loop().time()
        self._limit.reschedule(None)
        self._process.pause()

    def resume(self) -> None:
        """Let it go on after a pause."""
        if self._seconds_left is not None:
            self._limit.reschedule(asyncio.get_running_loop().time() + self._seconds_left)
            self._seconds_left = None
            self._process.resume()


class Searches:
    """Finds solutions and what follows from them. Methods do not block; call them on the event loop's thread.

    A search goes on while a client in `whos` asks for it again from time to time. One runs at a time, in a process of
    its own; after `SEARCH_SHARE_SECONDS` that is paused if others wait. A listener `on_progress` is also called now and
    then while its search waits, so that it asks again.

    `shipped` is the folder for solutions of shipped rulesets. Solutions of other rules are in a temporary folder of
    this process, so that custom rules cannot fill the disk. `on_progress` is called once for each step of a search that
    a caller waits for, and `on_finished` after each search with whether it found a result.
    """

    def __init__(
        self,
        shipped: Path,
        on_finished: Callable[[bool], None] = lambda is_found: None,
    ) -> None:
        self._shipped = shipped
        self._temporary = tempfile.TemporaryDirectory(prefix="fivedice-", ignore_cleanup_errors=True)
        self._memory = tempfile.TemporaryDirectory(
            prefix="fivedice-", dir=IN_MEMORY if os.access(IN_MEMORY, os.W_OK) else None, ignore_cleanup_errors=True
        )
        self._moved: dict[str, str] = {}
        """The digest of rules → the spare folder with what is known of them, if their own is full or read-only."""
        self._searches: OrderedDict[Key, _Search] = OrderedDict()
        queue: FairQueue[Key] = FairQueue(
            per_address=ADDRESS_SEARCHES,
            most=MAX_SEARCHES,
            max_begun=MAX_BEGUN_SEARCHES,
        )
        self._lane = Lane(queue, SEARCH_SHARE_SECONDS, SEARCH_LOOK_SECONDS, self._look, self._tell_waiting)
        self._told_at = 0.0
        self._rejected: dict[Callable[[], None], None] = {}
        """Callbacks of searches that the full queue did not accept; they are called when it has room again."""
        self._on_finished = on_finished

    def solution(
        self, ruleset: Ruleset, whos: Collection[Who] = SERVER, on_progress: Callable[[], None] | None = None
    ) -> "Values | None":
        """The solution of a ruleset, or its approximate one; None starts a search for `whos`, which calls
        `on_progress`."""
        return self._find(ruleset, SOLUTION, whos, on_progress).result  # type: ignore[no-any-return]

    async def look_up(self, ruleset: Ruleset, whos: Collection[Who]) -> None:
        """Wait until the solution of a ruleset is loaded if it is saved, but not for long."""
        search = self._find(ruleset, SOLUTION, whos)
        if not search.is_done and search in self._searches.values():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_UP_SECONDS):
                    await search.is_looked_up.wait()

    def is_found(
        self,
        name: str,
        ruleset: Ruleset,
        whos: Collection[Who] = SERVER,
        on_progress: Callable[[], None] | None = None,
    ) -> bool:
        """Whether an artefact is saved, for a worker process to load; else a search for it starts, as in `solution`."""
        return self._find(ruleset, name, whos, on_progress).result is not None

    def chances(self, position: Position, whos: Collection[Who] = SERVER) -> ScoreChancesView | None:
        """The chances of the final scores from a position; None starts a search."""
        return self._find(position.ruleset, CHANCES, whos, position=str(position)).result  # type: ignore[no-any-return]

    def progress(self, ruleset: Ruleset, name: str = SOLUTION, position: str = "") -> float | None:
        """The progress of a pending search, from 0 to 1; None without one."""
        search = self._searches.get((ruleset.digest, name, position))
        return None if search is None or search.is_done else search.progress

    def place(self, ruleset: Ruleset, name: str = SOLUTION, position: str = "") -> int | None:
        """How many searches come before a pending one: 0 while it runs; None without one, or if it was not accepted."""
        return self._lane.place((ruleset.digest, name, position))

    def refusal(self, ruleset: Ruleset, name: str = SOLUTION, position: str = "") -> str:
        """Why there is no result, in a sentence; empty if there is no such reason."""
        search = self._searches.get((ruleset.digest, name, position))
        return search.refusal if search else ""

    def saved(self, ruleset: Ruleset) -> SavedSolution:
        """Where the results for a ruleset are saved, for a worker process."""
        folder = str(self._shipped) if is_shipped(ruleset) else self._temporary.name
        return SavedSolution(rules_of(ruleset), self._moved.get(ruleset.digest, folder))

    @property
    def folders(self) -> list[str]:
        """The folders in which solutions may be saved, for a worker process."""
        return [str(self._shipped), self._temporary.name, *dict.fromkeys(self._moved.values())]

    def saved_digests(self) -> set[str]:
        """The digests of the rules whose solutions are saved; it reads folders."""
        files = (file for folder in self.folders for file in Path(folder).glob(f"*.{SOLUTION}"))
        return {file.name.partition("-")[0] for file in files}

    @contextlib.contextmanager
    def using(self, ruleset: Ruleset) -> Iterator[SavedSolution]:
        """As `saved`; if something there is gone, which raises `SolutionGoneError`, it is looked for again."""
        try:
            yield self.saved(ruleset)
        except SolutionGoneError:
            self._forget(ruleset)
            raise

    def _forget(self, ruleset: Ruleset) -> None:
        for key in [key for key, search in self._searches.items() if key[0] == ruleset.digest and search.is_done]:
            del self._searches[key]

    @property
    def num_unsaved(self) -> int:
        """The number of rulesets of which something is kept until the server ends, because it could not be saved."""
        return len(self._moved)

    @property
    def num_waiting(self) -> int:
        """The number of pending searches."""
        return sum(not search.is_done for search in self._searches.values())

    async def close(self) -> None:
        """Stop all searches and delete the temporary folder."""
        self._rejected.clear()
        await self._lane.close()
        for folder in (self._temporary, self._memory):
            folder.cleanup()

    def _find(
        self,
        ruleset: Ruleset,
        name: str,
        whos: Collection[Who],
        on_progress: Callable[[], None] | None = None,
        position: str = "",
    ) -> _Search:
        key, now = (ruleset.digest, name, position), time.monotonic()
        search = self._searches.get(key)
        if search and search.retry_at is not None and now >= search.retry_at:
            del self._searches[key]
            search = None
        if search is None:
            search = _Search(ruleset, name, position, refusal=_refusal(ruleset, name))
        if not search.is_done:
            is_urgent, do = is_shipped(ruleset) and not position, partial(self._search, key, search)
            accepted = [self._lane.ask(key, who, do, is_urgent=is_urgent) for who in whos]
            if not any(accepted):
                if on_progress:
                    self._rejected[on_progress] = None
                    if not len(self._lane):  # else it has turns, after which these are told
                        asyncio.get_running_loop().call_later(SEARCH_PATIENCE_SECONDS / 4, self._tell_rejected)
                return search
            search.asked.update(dict.fromkeys(whos, now))
            if on_progress:
                search.listeners[on_progress] = None
        self._searches[key] = search
        self._searches.move_to_end(key)
        self._evict()
        return search

    def _evict(self) -> None:
        chances = [key for key in self._searches if key[2]]
        for key in [key for key in chances if self._searches[key].is_done][: max(0, len(chances) - MAX_KEPT_CHANCES)]:
            del self._searches[key]
        # What is known of rules goes together, since the files of custom ones do.
        of_rules: dict[str, list[Key]] = {}
        for key in reversed(self._searches):
            if not key[2]:
                of_rules.setdefault(key[0], []).append(key)
        done = [keys for keys in of_rules.values() if all(self._searches[key].is_done for key in keys)]
        for keys in done[::-1][: max(0, len(of_rules) - MAX_CACHED_SOLUTIONS)]:
            searches = [self._searches.pop(key) for key in keys]
            ruleset = searches[0].ruleset
            if not is_shipped(ruleset):
                for file in Path(self._temporary.name).glob(f"{ruleset.digest}-*"):
                    file.unlink(missing_ok=True)

    async def _search(self, key: Key, search: _Search, work: Work) -> None:
        try:
            await self._obtain(search, work)
            if not search.is_done:
                raise RuntimeError("what was saved cannot be loaded")
        except UnavailableError as error:
            _log.warning("search for the %s of %s postponed: %s", search.name, search.ruleset, error)
            self._refuse(search)
        except Exception:  # noqa: BLE001
            # An unreadable folder, a damaged file, too little memory, a failing compiler: tables continue without
            # advice, and the queue continues with the next search.
            _log.exception("search for the %s of %s failed", search.name, search.ruleset)
            self._refuse(search)
        self._on_finished(search.result is not None)
        listeners, search.listeners = list(search.listeners), {}
        for on_progress in listeners:
            on_progress()

    def _refuse(self, search: _Search) -> None:
        search.refusal = f"{search.ruleset.name} cannot be solved at the moment: no advice is available"
        search.retry_at = time.monotonic() + SOLVE_RETRY_SECONDS

    async def _obtain(self, search: _Search, work: Work) -> None:
        if not search.position:
            search.result = await self._load(search)
            search.is_looked_up.set()
        if search.result is None:
            await self._find_anew(search, work)
            if not search.is_done:
                search.result = await self._load(search)

    async def _load(self, search: _Search) -> "Values | Literal[True] | None":
        saved = self.saved(search.ruleset)
        return await asyncio.to_thread(load, search, Path(saved.folder))

    async def _find_anew(self, search: _Search, work: Work) -> None:
        saved, ruleset = self.saved(search.ruleset), search.ruleset
        limit = MAX_BREAKDOWN_BYTES if search.name in DERIVED else solution_limit(ruleset)
        seconds = SHIPPED_SOLVE_SECONDS if is_shipped(ruleset) else CUSTOM_SOLVE_SECONDS
        call = ("find_chances", saved, search.position) if search.position else ("find", saved, search.name)
        spare = [] if search.position else [(self._memory.name, self._temporary.name)]
        await work.turn()
        process = await WorkerProcess.start(SOLVER_NICENESS)
        try:
            async with asyncio.timeout(seconds + COMPILE_SECONDS) as limit_of_time:
                work.attach(SearchProcess(process, limit_of_time))
                found = await process.call(
                    call_solved, *call, limit, seconds, *spare, on_progress=partial(self._report, search)
                )
            if search.position:
                search.result = found
            elif found:
                self._move(ruleset, *found)
        except TimeoutError:
            search.refuse_for_now("waited too long for its solver to start and compile")
        except TooLargeError:
            search.refusal = f"{ruleset.name} cannot be solved here: no advice is available"
        except LostError as error:
            if error.status != TOO_SLOW:
                raise RuntimeError(error.reason) from None
            search.refuse_for_now(f"was not solved within {seconds:g} seconds")
        finally:
            work.worker = None
            await process.close()

    def _move(self, ruleset: Ruleset, folder: str, problem: str) -> None:
        if not self._moved:
            _log.warning("nothing can be saved in %s (%s): it is kept until the server ends", self._shipped, problem)
        self._moved[ruleset.digest] = folder

    def _report(self, search: _Search, share: float) -> None:
        search.progress = share
        self._notify(search)

    def _notify(self, search: _Search) -> None:
        for on_progress in list(search.listeners):
            on_progress()

    def _look(self) -> None:
        """End the searches that no client has asked for recently; let the others ask again from time to time."""
        now = time.monotonic()
        for key, search in [(key, search) for key, search in self._searches.items() if key in self._lane]:
            patience = CHANCES_PATIENCE_SECONDS if search.position else SEARCH_PATIENCE_SECONDS
            for who in [who for who, asked_at in search.asked.items() if now - asked_at > patience]:
                del search.asked[who]
                self._lane.leave(key, who)
            if key not in self._lane:
                del self._searches[key]
                self._tell_rejected()
        if now - self._told_at > SEARCH_PATIENCE_SECONDS / 4:
            self._tell_waiting()

    def _tell_waiting(self) -> None:
        """Call those who listen for pending searches: their places change, and they must ask again."""
        self._told_at = time.monotonic()
        for search in [search for search in self._searches.values() if not search.is_done]:
            self._notify(search)
        self._tell_rejected()

    def _tell_rejected(self) -> None:
        rejected, self._rejected = self._rejected, {}
        for on_progress in rejected:
            on_progress()


def _refusal(ruleset: Ruleset, name: str) -> str:
    """Why there can be no result, or empty. Approximate values take the place of a solution, and nothing follows from
    them."""
    found = available_here(ruleset)
    return found.advice if name == SOLUTION else found.solution


def call_solved(name: str, *args: object) -> object:
    """Call a function of `solved` in a worker process; the server does not import the large libraries of that."""
    return getattr(import_module("fivedice.server.solving.solved"), name)(*args)


def load(search: _Search, folder: Path) -> "Values | Literal[True] | None":
    """Load a solution from a folder, ready for use, or find out whether another artefact is saved there.

    A solution is approximate if there is no exact one. Called in a thread, because it imports large libraries.
    """
    from fivedice.server.solving import solved
    from fivedice.solver.saved.kinds import SOLUTION as VALUES

    if search.name != SOLUTION:
        return solved.ARTEFACTS[search.name].is_saved(search.ruleset, folder) or None
    values = solved.approximation(search.ruleset) or VALUES.load_sound(search.ruleset, folder)
    if values is not None:
        solved.warm_up(values)
    return values
