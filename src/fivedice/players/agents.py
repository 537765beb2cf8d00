"""Players from outside: Python functions.

>>> from fivedice.game.notation import parse_position
>>> first = FunctionPlayer("first", lambda position: position.actions()[0])
>>> str(first.choose(parse_position("crag - 445 r0")))
'score ones'
"""

import os
import sys
import traceback
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from fivedice.base.errors import IllegalError, MalformedError, UnknownError, shown
from fivedice.game.action import Action
from fivedice.game.notation import parse_action
from fivedice.game.position import Position


class FunctionPlayer:
    """Asks a function, which takes a `Position` and returns an action, or an action in notation."""

    def __init__(self, name: str, function: Callable[[Position], Action | str]) -> None:
        self.name = name
        self._function = function

    def choose(self, position: Position) -> Action:
        """Its answer; raises `IllegalError` if that is not legal, `MalformedError` if it failed or is no action."""
        try:
            answer = self._function(position)
        except Exception as error:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{Path(frame.filename).name}, line {frame.lineno}"
            raise MalformedError(
                f"{self.name} failed in {position}: {type(error).__name__}: {error} ({where})"
            ) from error
        if not isinstance(answer, str | Action):
            raise MalformedError(
                f"{self.name} answered {shown(repr(answer))}: want an action, or one in notation, as 'keep 66'"
            )
        try:
            action = parse_action(answer) if isinstance(answer, str) else answer
        except MalformedError as error:
            raise MalformedError(f"{self.name} answered in {position}: {error}") from None
        if why := position.why_illegal(action):
            raise IllegalError(f"{self.name} chose '{action}' in {position}, which is not legal: {why}")
        return action


def load_agent(text: str) -> FunctionPlayer:
    """The player of a text, `NAME=module:function`; raises `MalformedError` or `UnknownError`."""
    name, source = agent_source(text)
    found = named_object(name, source)
    if not callable(found):
        raise UnknownError(f"agent {name}: {source} is no function")
    return FunctionPlayer(name, found)


def agent_source(text: str) -> tuple[str, str]:
    """The name of an agent, and its `module:function`; raises `MalformedError`."""
    name, _, source = text.partition("=")
    module, _, function = source.partition(":")
    if not (name and module and function):
        raise MalformedError(f"agent {shown(text)}: want NAME=module:function")
    return name, source


def named_object(name: str, source: str) -> Any:
    """What `module:function` names; raises `UnknownError`, which begins with the name of the agent.

    The module may also be a file in the current folder, as with `python -m`.
    """
    module, _, function = source.partition(":")
    if (here := os.getcwd()) not in sys.path:
        sys.path.insert(0, here)
    try:
        return getattr(import_module(module), function)
    except (ImportError, AttributeError, SyntaxError) as error:
        raise UnknownError(f"agent {name}: {error}") from None
