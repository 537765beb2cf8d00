"""What a library says of its errors is no sentence for a player: it is in one language, and tells of the inside."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import fivedice

HERE = Path(fivedice.__file__).parent
ANSWERING = ("server", "local", "views", "tournament", "daily", "game", "rulesets", "analysis", "players", "base")
OPERATING = ("server/config", "server/ops", "server/process", "analysis/learning/deck.py", "players/agents.py")
LOGGED = ("server/live/reminders.py", "server/solving/pool.py")
"""What only operators read, and those who write agents; and what goes to the log."""
OWN = {"ValueError", "LookupError", "msgspec.DecodeError", "msgspec.MsgspecError"}
"""What the errors of the program are, besides those that are named; and what tells a client that its JSON is wrong."""


@cache
def _own() -> set[str]:
    trees = (ast.parse(path.read_text()) for path in HERE.rglob("*.py"))
    return OWN | {one.name for tree in trees for one in ast.walk(tree) if isinstance(one, ast.ClassDef)}


def repeated(source: str) -> Iterator[int]:
    """The lines of raised errors and answers whose sentences have the text of a foreign error."""
    for handler in ast.walk(ast.parse(source)):
        if not isinstance(handler, ast.ExceptHandler) or not handler.name:
            continue
        caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        if {ast.unparse(one) if one else "everything" for one in caught} <= _own():
            continue
        for made in (one for one in ast.walk(handler) if isinstance(one, ast.Raise | ast.Return)):
            for text in ast.walk(made):
                shown = text.value if isinstance(text, ast.FormattedValue) else text
                if ast.unparse(shown) in ({handler.name} if shown is not text else {f"str({handler.name})"}):
                    yield made.lineno


def test_no_answer_has_the_sentence_of_a_library() -> None:
    found = [
        f"{path.relative_to(HERE)}:{line}"
        for room in ANSWERING
        for path in sorted((HERE / room).rglob("*.py"))
        if not str(path.relative_to(HERE)).startswith(OPERATING + LOGGED)
        for line in repeated(path.read_text())
    ]
    assert found == []


def test_a_sentence_of_a_library_is_found() -> None:
    body = "try:\n    sign()\nexcept {}:\n    raise IllegalError(f'not valid: {{error}}')\n"
    assert list(repeated(body.format("Exception as error"))) == [4]
    assert list(repeated(body.format("webauthn.InvalidError as error"))) == [4]
    assert list(repeated(body.format("(IllegalError, ValueError) as error"))) == []
