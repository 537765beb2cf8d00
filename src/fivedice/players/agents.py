"""Players from outside: a Python function, or a process that answers one JSON line a decision.

>>> from fivedice.game.notation import parse_position
>>> first = FunctionPlayer("first", lambda position: position.actions()[0])
>>> str(first.choose(parse_position("crag - 445 r0")))
'score ones'
"""

import json
import os
import shlex
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from fivedice.base.errors import IllegalError, MalformedError, UnknownError, shown
from fivedice.game.action import Action
from fivedice.game.notation import parse_action
from fivedice.game.position import Position

SECONDS = 60.0
"""How long an agent may take for a decision, unless it is said otherwise."""


class FunctionPlayer:
    """Asks a function, which takes a `Position` and returns an action, or an action in notation.

    `seconds` are the limit of each answer. The function runs in a thread of its own.
    """

    def __init__(self, name: str, function: Callable[[Position], Action | str], seconds: float = SECONDS) -> None:
        self.name = name
        self.seconds = seconds
        self._thread = _Thread(name, function)

    def choose(self, position: Position) -> Action:
        """Its answer; raises `IllegalError` if that is not legal, and `MalformedError` if it is no action, or late."""
        try:
            answer = self._thread.ask(position, self.seconds)
        except TimeoutError:
            raise MalformedError(_late(self.name, self.seconds, position)) from None
        except Exception as error:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{Path(frame.filename).name}, line {frame.lineno}"
            raise MalformedError(
                f"{self.name} failed in {position}: {type(error).__name__}: {error} ({where})"
            ) from error
        return _checked(self.name, answer, position)


class ProcessPlayer:
    """Asks a process. For each decision it is sent one line, `{"position": …, "actions": […]}`, both in notation; it
    answers with one line, `{"action": …}`, which is one of these actions, within so many seconds.

    `choose_many` asks for many at once: `{"positions": [{"position": …, "actions": […]}, …]}` and `{"actions": […]}`,
    in the same order. A process that is late or ends is started anew and asked again, so many times in all.
    """

    def __init__(self, name: str, command: str, seconds: float = SECONDS, restarts: int = 0) -> None:
        """Starts the process; raises `UnknownError` if there is no such program."""
        self.name, self.seconds, self.restarts = name, seconds, 0
        self._command, self._most_restarts = command, restarts
        self._start()

    def _start(self) -> None:
        self._last_error = ""
        try:
            self._process = subprocess.Popen(  # noqa: S603 # it is the command that the user typed
                shlex.split(self._command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,  # so that it can be killed with what it starts
            )
        except OSError as error:
            raise UnknownError(f"{self.name}: cannot start {shown(self._command)}: {error.strerror}") from None
        self._errors = Thread(target=self._pass_errors_on, daemon=True, name=f"errors of {self.name}")
        self._errors.start()
        self._thread = _Thread(self.name, partial(_answer_of, self._process))

    def choose(self, position: Position) -> Action:
        """Its answer; raises `IllegalError` if that is not legal, and `MalformedError` if it is none, or late.

        A process that is late is killed.
        """
        line, answer = self._ask(_question(position), str(position))
        if not isinstance(answer, dict) or not isinstance(answer.get("action"), str):
            raise MalformedError(
                f'{self.name} answered {shown(line.strip())}: want a line such as {{"action": "keep 66"}}'
            )
        return _checked(self.name, answer["action"], position)

    def choose_many(self, positions: Sequence[Position]) -> list[Action]:
        """Its answers to many positions, asked in one line; raises what `choose` does. `seconds` are for the line."""
        question = {"positions": [_question(position) for position in positions]}
        line, answer = self._ask(question, f"{len(positions):,} positions, from {positions[0]} on")
        actions = answer.get("actions") if isinstance(answer, dict) else None
        if not isinstance(actions, list) or len(actions) != len(positions):
            raise MalformedError(
                f'{self.name} answered {shown(line.strip())}: want a line such as {{"actions": ["keep 66", …]}} with '
                f"{len(positions):,} actions"
            )
        return [_checked(self.name, action, position) for action, position in zip(actions, positions, strict=True)]

    def _ask(self, question: dict[str, Any], about: str) -> tuple[str, Any]:
        """The line that answers a question, and what it says: None if it is no JSON."""
        while True:
            try:
                line = self._thread.ask(json.dumps(question), self.seconds)
            except TimeoutError:
                self.close(0)
                problem = _late(self.name, self.seconds, about)
            else:
                if line:
                    break
                self.close()
                status = self._process.returncode
                problem = f"{self.name} ended with status {status} and without an answer to {about}"
            if self.restarts == self._most_restarts:
                raise MalformedError(self._with_error(problem))
            self.restarts += 1
            self._start()
        try:
            return line, json.loads(line)
        except ValueError:
            return line, None

    def close(self, seconds: float = 5.0) -> None:
        """Ends the process: it sees the end of its input, and is killed if it goes on after so many seconds."""
        assert self._process.stdin
        if not seconds:
            self._kill()  # first, since closing its input waits for a line that is being written
        with suppress(BrokenPipeError):  # it has ended, and did not read everything
            self._process.stdin.close()
        try:
            self._process.wait(seconds or None)
        except subprocess.TimeoutExpired:
            self._kill()
        self._process.wait()
        self._errors.join(1)  # what it started may hold its standard error open

    def _kill(self) -> None:
        """Kill the process and, except on Windows, what it has started."""
        if not hasattr(os, "killpg"):
            self._process.kill()
            return
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def _pass_errors_on(self) -> None:
        """Write its standard error to ours, and keep the last line."""
        stream = self._process.stderr
        assert stream
        for line in stream:
            sys.stderr.write(line)
            self._last_error = line.strip() or self._last_error

    def _with_error(self, sentence: str) -> str:
        return f"{sentence}; its last line of standard error: {self._last_error}" if self._last_error else sentence


class _Thread:
    """A thread that answers questions by a function, and that can be left alone if it does not answer."""

    def __init__(self, name: str, function: Callable[[Any], Any]) -> None:
        self._function = function
        self._questions: SimpleQueue[Any] = SimpleQueue()
        self._answers: SimpleQueue[tuple[Any, Exception | None]] = SimpleQueue()
        Thread(target=self._run, daemon=True, name=f"agent {name}").start()

    def ask(self, question: Any, seconds: float) -> Any:
        """The answer; raises `TimeoutError` if it takes longer, and what the function raises."""
        self._questions.put(question)
        try:
            answer, error = self._answers.get(timeout=seconds)
        except Empty:
            raise TimeoutError from None
        if error:
            raise error
        return answer

    def _run(self) -> None:
        while True:
            question = self._questions.get()
            try:
                self._answers.put((self._function(question), None))
            except Exception as error:  # noqa: BLE001 # raised in the thread that asks
                self._answers.put((None, error))


def _question(position: Position) -> dict[str, Any]:
    return {"position": str(position), "actions": list(map(str, position.actions()))}


def _answer_of(process: "subprocess.Popen[str]", question: str) -> str:
    """The line that answers a question; empty if the process has ended."""
    assert process.stdin
    assert process.stdout
    with suppress(BrokenPipeError):  # what it wrote before it ended can be read all the same
        print(question, file=process.stdin, flush=True)
    return process.stdout.readline()


def _late(name: str, seconds: float, about: Position | str) -> str:
    return f"{name} took longer than {seconds:g} seconds to answer {about}"


def load_agent(text: str, seconds: float = SECONDS, restarts: int = 0) -> FunctionPlayer | ProcessPlayer:
    """The player of a text: `NAME=module:function`, or `NAME=!command`. Raises `MalformedError` or `UnknownError`.

    The module may also be a file in the current folder, as with `python -m`.
    """
    name, source = agent_source(text)
    if source.startswith("!"):
        return ProcessPlayer(name, source[1:], seconds, restarts)
    found = named_object(name, source)
    if not callable(found):
        raise UnknownError(f"agent {name}: {source} is no function")
    return FunctionPlayer(name, found, seconds)


def agent_source(text: str) -> tuple[str, str]:
    """The name of an agent, and its `module:function` or `!command`; raises `MalformedError`."""
    name, _, source = text.partition("=")
    module, _, function = source.partition(":")
    if not (name and source and (source.startswith("!") or (module and function))):
        raise MalformedError(f"agent {shown(text)}: want NAME=module:function or NAME=!command")
    return name, source


def named_object(name: str, source: str) -> Any:
    """What `module:function` names; raises `UnknownError`, which begins with the name of the agent."""
    module, _, function = source.partition(":")
    if (here := os.getcwd()) not in sys.path:
        sys.path.insert(0, here)
    try:
        return getattr(import_module(module), function)
    except (ImportError, AttributeError, SyntaxError) as error:
        raise UnknownError(f"agent {name}: {error}") from None


def _checked(name: str, answer: Action | str, position: Position) -> Action:
    if not isinstance(answer, str | Action):
        raise MalformedError(f"{name} answered {shown(repr(answer))}: want an action, or one in notation, as 'keep 66'")
    try:
        action = parse_action(answer) if isinstance(answer, str) else answer
    except MalformedError as error:
        raise MalformedError(f"{name} answered in {position}: {error}") from None
    why = position.why_illegal(action)
    if why:
        raise IllegalError(f"{name} chose '{action}' in {position}, which is not legal: {why}")
    return action
