"""What the browser's Python does before its memory is saved, from which it starts in a tenth of the time.

`web/src/local/python.js` calls it. Memory with a compiled extension cannot be restored, so msgspec and the modules that
need it are only compiled here, and imported after each start.
"""

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from types import CodeType, ModuleType
from zipfile import ZipFile

PROGRAM = "/lib/fivedice.zip"
"""Where the page puts the program; it is on the path of modules."""

WHEEL = "/lib/msgspec.whl"
PACKAGES = Path("/lib/python3.14/site-packages")
INIT = "/__init__.py"


class Compiled(MetaPathFinder, Loader):
    """Loads modules from their code in memory, given by the names of their files."""

    def __init__(self, code: Mapping[str, CodeType]) -> None:
        self._code = {_module(file): code for file, code in code.items()}
        self._packages = {_module(file) for file in code if file.endswith(INIT)}

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The spec of a module that is compiled; None for others."""
        if name not in self._code:
            return None
        spec = spec_from_loader(name, self, is_package=name in self._packages)
        if spec and name in self._packages:  # an extension in it is a file
            spec.submodule_search_locations = [str(PACKAGES.joinpath(*name.split(".")))]
        return spec

    def exec_module(self, module: ModuleType) -> None:
        """Run the code of a module."""
        exec(self._code[module.__name__], vars(module))  # noqa: S102


_extensions: dict[str, bytes] = {}
"""The compiled extensions of the wheel, by the names of their files."""


def prepare() -> None:
    """Import the program as far as it needs no extension, compile the rest, and read the shipped rulesets."""
    code = {}
    with ZipFile(WHEEL) as wheel:
        for file in wheel.namelist():
            if file.endswith(".py"):
                code[file] = _compiled(wheel, file)
            elif file.endswith(".so"):
                _extensions[file] = wheel.read(file)
    with ZipFile(PROGRAM) as program:
        for file in program.namelist():
            try:
                if file.endswith(".py"):
                    import_module(_module(file))
            except ModuleNotFoundError as error:
                if error.name != "msgspec":
                    raise
                code[file] = _compiled(program, file)
    sys.meta_path.insert(0, Compiled(code))
    _warm()


def unpack() -> None:
    """Write the extensions to files, which saved memory has none of."""
    for file, content in _extensions.items():
        path = PACKAGES / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _warm() -> None:
    """Read what the first page of setting up a table asks for."""
    from fivedice.base.language import LANGUAGES, language
    from fivedice.rulesets import load_ruleset, ruleset_ids
    from fivedice.server.table.available import available_here

    for ruleset in map(load_ruleset, ruleset_ids()):
        for tag in LANGUAGES:
            available_here(ruleset, language(tag))


def _compiled(archive: ZipFile, file: str) -> CodeType:
    code: CodeType = compile(archive.read(file), file, "exec", dont_inherit=True)
    return code


def _module(file: str) -> str:
    return file.removesuffix(INIT).removesuffix(".py").replace("/", ".")
