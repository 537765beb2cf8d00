"""`Searches`: exact solutions and what follows from them, loaded from disk, or found beside the server."""

import asyncio
import contextlib
import logging
import os
import tempfile
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeAlias

from fivedice.base.data_folder import try_lock
from fivedice.base.errors import IllegalError, UnavailableError
from fivedice.base.extras import MissingKernelsError
from fivedice.base.processors import default_memory_limit
from fivedice.rulesets import load_ruleset
from fivedice.rulesets.ruleset import Ruleset
from fivedice.server.limits import CUSTOM_SOLVE_SECONDS
from fivedice.server.ops.budget import TooFastError
from fivedice.server.solving import solved
from fivedice.server.solving.pool import SavedSolution, SolutionGoneError, Worker
from fivedice.server.table.available import available_here, is_shipped, solution_limit
from fivedice.solver.approximate_solution import ApproximateSolution
from fivedice.solver.saved.saved_table import MOST_PLAYED
from fivedice.solver.solution import Solution
from fivedice.solver.tables.states import TooLargeError

Values: TypeAlias = Solution | ApproximateSolution

MAX_BREAKDOWN_BYTES = 512 * 2**20
"""Breakdown of a solution: 64 MB for `yahtzee`."""

FIND_SECONDS = 50.0
"""How long a request waits: proxies give up after a minute."""

SHIPPED_SOLVE_SECONDS = 600.0
"""How long a search for a shipped ruleset may take."""

START_SECONDS = 60.0
"""Additional time for starting a solver process."""

LOOK_UP_SECONDS = 3.0
"""How long the tutor waits for a saved solution after a start."""

SOLVE_RETRY_SECONDS = 60.0
"""Before a failed search may run again."""

SLOW_RETRY_SECONDS = 1_800.0
"""Before a search that took too long may run again."""

SOLVER_NICENESS = 10
"""Its priority: on a busy core, a tenth of the share of a server."""

AHEAD_SECONDS = 60.0
"""The pause after the most played rulesets, before the other shipped ones are solved in the background."""

AHEAD = (
    *("yatzy_american", "kismet", "yams", "yacht_dice", "yahtzee_no_joker", "yahtzee_1956", "yahtzee_wild"),
    *("crag", "cheerio", "poker_dice", "yacht", "cameroon", "maxi_yatzy"),
)
"""The other rulesets that can be solved, the more played first, and last the one that takes minutes and a gigabyte."""

_log = logging.getLogger(__name__)

Key: TypeAlias = tuple[str, str]
"""The digest of rules, and the name of an artefact."""

SOLUTION = "solution"


@dataclass(eq=False)
class _Search:
    """A result that is sought for an address, or there. `refusal` is why there is none, empty while it is sought.

    `is_looked_up` is set once a saved result has been looked for, and `is_over` at the end.
    After `retry_at`, on the monotonic clock, the search may be repeated: the rules need not have caused the failure.
    """

    ruleset: Ruleset
    name: str
    address: str
    result: Any = None
    refusal: str = ""
    retry_at: float | None = None
    is_looked_up: asyncio.Event = field(default_factory=asyncio.Event)
    is_over: asyncio.Event = field(default_factory=asyncio.Event)

    def refuse_for_now(self, why: str, seconds: float) -> None:
        """Give it up until it is tried again: the machine may have been busy."""
        self.refusal = f"{self.ruleset.name} {why}: no advice is available"
        self.retry_at = time.monotonic() + seconds


class Searches:
    """Finds solutions and what follows from them. Methods do not block; call them on the event loop's thread.

    One search runs at a time, in a process of its own; the others wait in their order. At most one for other than
    shipped rules waits for an address.

    `shipped` is the folder for solutions of shipped rulesets. Those of other rules, and all if that folder cannot be
    written, are in a temporary folder of this process, so that custom rules cannot fill the disk. `on_end` is called
    when a result is there or not to be had, with whether it is there.
    """

    def __init__(self, shipped: Path, on_end: Callable[[bool], None] = lambda is_found: None) -> None:
        self._temporary = tempfile.TemporaryDirectory(prefix="fivedice-", ignore_cleanup_errors=True)
        self._shipped = shipped if _is_writable(shipped) else Path(self._temporary.name)
        self._searches: OrderedDict[Key, _Search] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()
        self._turn = asyncio.Lock()
        self._ahead: asyncio.Task[None] | None = None
        """The search for rules that nobody has asked for, which ends when somebody asks for others."""
        self._on_end = on_end

    def solution(self, ruleset: Ruleset, address: str = "") -> Values | None:
        """The solution of a ruleset, or its approximate one; None begins a search for an address."""
        return self._search(ruleset, SOLUTION, address).result  # type: ignore[no-any-return]

    def is_found(self, name: str, ruleset: Ruleset, address: str = "") -> bool:
        """Whether an artefact is saved, for a worker process to load; else a search begins, as in `solution`."""
        return self._search(ruleset, name, address).result is not None

    def refusal(self, ruleset: Ruleset, name: str = SOLUTION) -> str:
        """Why there is no result, in a sentence; empty if there is no such reason."""
        search = self._searches.get((ruleset.digest, name))
        return search.refusal if search else ""

    def is_sought(self, ruleset: Ruleset) -> bool:
        """Whether the solution of a ruleset is being found."""
        search = self._searches.get((ruleset.digest, SOLUTION))
        return search is not None and search.result is None and not search.refusal

    async def look_up(self, ruleset: Ruleset, address: str, name: str = SOLUTION) -> None:
        """Wait until an artefact is loaded if it is saved, but not for long."""
        search = self._search(ruleset, name, address)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LOOK_UP_SECONDS):
                await search.is_looked_up.wait()

    async def find(self, ruleset: Ruleset, name: str = SOLUTION, address: str = "") -> None:
        """Wait until an artefact is there; raises `IllegalError` if there can be none, `UnavailableError` if that takes
        long, and `TooFastError` if another search waits for the address."""
        search = self._search(ruleset, name, address)
        try:
            async with asyncio.timeout(FIND_SECONDS):
                await search.is_over.wait()
        except TimeoutError:
            raise UnavailableError(f"the values of {ruleset.name} take longer to find: try again in a minute") from None
        if search.refusal:
            raise IllegalError(search.refusal)
        if search.result is None:
            raise TooFastError(
                "values of other rules are being found for this address already: try again after that",
                CUSTOM_SOLVE_SECONDS / 4,
            )

    def saved(self, ruleset: Ruleset) -> SavedSolution:
        """Where the results for a ruleset are saved, for a worker process."""
        folder = str(self._shipped) if is_shipped(ruleset) else self._temporary.name
        return SavedSolution(ruleset, folder)

    @property
    def folders(self) -> list[str]:
        """The folders in which solutions may be saved, for a worker process."""
        return [str(self._shipped), self._temporary.name]

    def saved_digests(self) -> set[str]:
        """The digests of the rules whose solutions are saved; it reads folders."""
        folders = map(Path, self.folders)
        return {file.name.partition("-")[0] for folder in folders for file in folder.glob(f"*.{SOLUTION}")}

    @contextlib.contextmanager
    def using(self, ruleset: Ruleset) -> Iterator[SavedSolution]:
        """As `saved`; if something there is gone, which raises `SolutionGoneError`, it is looked for again."""
        try:
            yield self.saved(ruleset)
        except SolutionGoneError:
            for key, search in list(self._searches.items()):
                if key[0] == ruleset.digest and search.is_over.is_set():
                    del self._searches[key]
            raise

    @property
    def num_waiting(self) -> int:
        """The number of pending searches."""
        return sum(not search.is_over.is_set() for search in self._searches.values())

    def start(self) -> None:
        """Start to solve the shipped rulesets in the background, if solutions can be saved."""
        if self._shipped != Path(self._temporary.name):
            self._begin(self._solve_ahead())

    async def close(self) -> None:
        """Stop all searches and delete the temporary folder."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._temporary.cleanup()

    def _begin(self, work: Any, name: str | None = None) -> "asyncio.Task[None]":
        task: asyncio.Task[None] = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _search(self, ruleset: Ruleset, name: str, address: str) -> _Search:
        key = ruleset.digest, name
        search = self._searches.get(key)
        if search is None or (search.retry_at is not None and time.monotonic() >= search.retry_at):
            search = self._searches[key] = _Search(ruleset, name, address, refusal=_refusal(ruleset, name))
            if search.refusal:
                search.is_looked_up.set()
                search.is_over.set()
            else:
                self._begin(self._obtain(key, search))
        self._searches.move_to_end(key)
        self._evict()
        return search

    def _evict(self) -> None:
        # What is known of rules goes together, since the files of custom ones do.
        of_rules: dict[str, list[Key]] = {}
        for key in reversed(self._searches):
            of_rules.setdefault(key[0], []).append(key)
        over = [keys for keys in of_rules.values() if all(self._searches[key].is_over.is_set() for key in keys)]
        for keys in over[::-1][: max(0, len(of_rules) - solved.MAX_CACHED_SOLUTIONS)]:
            searches = [self._searches.pop(key) for key in keys]
            if not is_shipped(searches[0].ruleset):
                for file in Path(self._temporary.name).glob(f"{keys[0][0]}-*"):
                    file.unlink(missing_ok=True)

    async def _obtain(self, key: Key, search: _Search) -> None:
        try:
            search.result = await self._load(search)
            search.is_looked_up.set()
            if search.result is None and self._is_crowded(search):
                del self._searches[key]
                return
            if search.result is None:
                if self._ahead and self._ahead.get_name() != search.ruleset.digest:
                    self._ahead.cancel()
                async with self._turn:
                    if not await asyncio.to_thread(is_saved, search, Path(self.saved(search.ruleset).folder)):
                        await self._find_anew(search)
                if not search.refusal:
                    search.result = await self._load(search)
                    assert search.result is not None, "what was saved cannot be loaded"
            self._on_end(search.result is not None)
        except Exception as error:  # noqa: BLE001
            # An unreadable folder, a damaged file, too little memory, missing kernels: tables continue without
            # advice, and the queue continues with the next search.
            unavailable = isinstance(error, UnavailableError | MissingKernelsError)
            _log.error(
                "search for the %s of %s failed: %s", search.name, search.ruleset, error, exc_info=not unavailable
            )
            search.refuse_for_now("cannot be solved at the moment", SOLVE_RETRY_SECONDS)
            self._on_end(False)
        finally:
            search.is_looked_up.set()
            search.is_over.set()

    def _is_crowded(self, search: _Search) -> bool:
        """Whether another search for other than shipped rules waits for the same address."""
        others = (one for one in self._waiting() if one is not search and not is_shipped(one.ruleset))
        return not is_shipped(search.ruleset) and search.address in (one.address for one in others)

    def _waiting(self) -> list[_Search]:
        """The searches for what is not saved, one of which may run."""
        return [one for one in self._searches.values() if one.is_looked_up.is_set() and not one.is_over.is_set()]

    async def _load(self, search: _Search) -> Values | Literal[True] | None:
        return await asyncio.to_thread(load, search, Path(self.saved(search.ruleset).folder))

    async def _find_anew(self, search: _Search) -> None:
        saved, ruleset = self.saved(search.ruleset), search.ruleset
        limit = min(solution_limit(ruleset) if search.name == SOLUTION else MAX_BREAKDOWN_BYTES, default_memory_limit())
        seconds = SHIPPED_SOLVE_SECONDS if is_shipped(ruleset) else CUSTOM_SOLVE_SECONDS
        worker = Worker(SOLVER_NICENESS)
        try:
            await worker.call(partial(solved.find, saved, search.name, limit, seconds), seconds + START_SECONDS)
        except TooLargeError:
            search.refusal = f"{ruleset.name} cannot be solved here: no advice is available"
        except solved.TooSlowError:
            search.refuse_for_now(f"was not solved within {seconds:g} seconds", SLOW_RETRY_SECONDS)
        finally:
            await worker.close()

    async def _solve_ahead(self) -> None:
        """Solve the shipped rulesets one after another, when nothing else is sought, in one process on a machine."""
        with (self._shipped / ".ahead").open("wb") as file:
            if try_lock(file.fileno()):
                await self._solve_all_ahead(MOST_PLAYED)
                await asyncio.sleep(AHEAD_SECONDS)
                await self._solve_all_ahead(AHEAD)

    async def _solve_all_ahead(self, ids: tuple[str, ...]) -> None:
        for id in ids:
            await self._solve_one_ahead(_Search(load_ruleset(id), SOLUTION, ""))

    async def _solve_one_ahead(self, search: _Search) -> None:
        while not await asyncio.to_thread(is_saved, search, self._shipped):
            while waiting := self._waiting():
                await waiting[0].is_over.wait()
            async with self._turn:
                self._ahead = self._begin(self._find_anew(search), search.ruleset.digest)
                await asyncio.wait((self._ahead,))
                task, self._ahead = self._ahead, None
            if not task.cancelled():
                if error := task.exception():
                    _log.warning("%s is solved when it is played: %s", search.ruleset, error)
                return


def _refusal(ruleset: Ruleset, name: str) -> str:
    """Why there can be no result, or empty. Approximate values take the place of a solution, and nothing follows from
    them."""
    found = available_here(ruleset)
    return found.advice if name == SOLUTION else found.solution


def is_saved(search: _Search, folder: Path) -> bool:
    """Whether an artefact is saved in a folder, or comes with the program."""
    return solved.ARTEFACTS[search.name].is_saved(search.ruleset, folder)


def load(search: _Search, folder: Path) -> Values | Literal[True] | None:
    """Load a solution from a folder, ready for use, or find out whether another artefact is saved there.

    A solution is approximate if there is no exact one.
    """
    if search.name != SOLUTION:
        return is_saved(search, folder) or None
    values = solved.approximation(search.ruleset) or solved.SOLUTION.load_sound(search.ruleset, folder)
    if values is not None:
        solved.warm_up(values)
    return values


def _is_writable(folder: Path) -> bool:
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    if os.access(folder, os.W_OK):
        return True
    _log.warning("nothing can be saved in %s: it is kept until the server ends", folder)
    return False
