"""Players from outside: a Python function, or a process that answers one JSON line a decision.

>>> from fivedice.game.notation import parse_position
>>> first = FunctionPlayer("first", lambda position: position.actions()[0])
>>> str(first.choose(parse_position("crag - 445 r0")))
'score ones'
"""

import json
import shlex
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from fivedice.errors import IllegalError, MalformedError, UnknownError, shown
from fivedice.game.action import Action
from fivedice.game.notation import parse_action
from fivedice.game.position import Position


@dataclass(frozen=True)
class FunctionPlayer:
    """Asks a function, which takes a `Position` and returns an action, or an action in notation."""

    name: str
    function: Callable[[Position], Action | str]

    def choose(self, position: Position) -> Action:
        """Its answer; raises `IllegalError` if that is not legal, and `MalformedError` if it is no action."""
        return _checked(self.name, self.function(position), position)


class ProcessPlayer:
    """Asks a process. For each decision it is sent one line, `{"position": …, "actions": […]}`, both in notation; it
    answers with one line, `{"action": …}`, which is one of these actions."""

    def __init__(self, name: str, command: str) -> None:
        """Starts the process; raises `UnknownError` if there is no such program."""
        self.name = name
        try:
            self._process = subprocess.Popen(  # noqa: S603 # it is the command that the user typed
                shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
            )
        except OSError as error:
            raise UnknownError(f"{name}: cannot start {shown(command)}: {error.strerror}") from None

    def choose(self, position: Position) -> Action:
        """Its answer; raises `IllegalError` if that is not legal, and `MalformedError` if it is none."""
        question = {"position": str(position), "actions": list(map(str, position.actions()))}
        assert self._process.stdin
        assert self._process.stdout
        try:
            print(json.dumps(question), file=self._process.stdin, flush=True)  # to the process
        except BrokenPipeError:
            raise MalformedError(f"{self.name} ended without an answer to {position}") from None
        line = self._process.stdout.readline()
        if not line:
            raise MalformedError(f"{self.name} ended without an answer to {position}")
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict) or not isinstance(answer.get("action"), str):
            raise MalformedError(
                f'{self.name} answered {shown(line.strip())}: want a line such as {{"action": "keep 66"}}'
            )
        return _checked(self.name, answer["action"], position)

    def close(self) -> None:
        """Ends the process: it sees the end of its input, and is stopped if it goes on."""
        for stream in (self._process.stdin, self._process.stdout):
            if stream and not stream.closed:
                stream.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def load_agent(text: str) -> FunctionPlayer | ProcessPlayer:
    """The player of a text: `NAME=module:function`, or `NAME=!command`. Raises `MalformedError` or `UnknownError`."""
    name, equals, source = text.partition("=")
    if not (name and equals and source):
        raise MalformedError(f"agent {shown(text)}: want NAME=module:function or NAME=!command")
    if source.startswith("!"):
        return ProcessPlayer(name, source[1:])
    module, colon, function = source.partition(":")
    if not (module and colon and function):
        raise MalformedError(f"agent {shown(text)}: want NAME=module:function or NAME=!command")
    try:
        found = getattr(import_module(module), function)
    except (ImportError, AttributeError) as error:
        raise UnknownError(f"agent {name}: {error}") from None
    return FunctionPlayer(name, found)


def _checked(name: str, answer: Action | str, position: Position) -> Action:
    action = parse_action(answer) if isinstance(answer, str) else answer
    why = position.why_illegal(action)
    if why:
        raise IllegalError(f"{name} chose '{action}' in {position}, which is not legal: {why}")
    return action
