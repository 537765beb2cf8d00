"""How kernels are built: once, however many do, and with what a machine has."""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest

from fivedice.solver.kernels import libraries, native
from release import hook, kernels
from tests.repository import ROOT


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of libraries."""
    monkeypatch.setattr(libraries, "FOLDER", tmp_path)
    return tmp_path


def test_what_two_build_at_once_is_built_once_and_never_there_in_part(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    began: list[str] = []

    def objects(found: list[native.Kernel], triple: str, levels: list[str]) -> dict[str, dict[str, bytes]]:
        began.append(found[0].module)
        assert not list(folder.glob("[!.]*"))
        return {level: {} for level in levels}

    monkeypatch.setitem(sys.modules, "release.translate", SimpleNamespace(objects=objects))
    monkeypatch.setattr(kernels, "_link", lambda link, library, parts: library.touch())
    wanted = kernels.Build(["x86-64-v2", "x86-64-v3"], "", ["cc"], libraries.SUFFIX)
    with ThreadPoolExecutor(2) as pool:
        for _ in pool.map(kernels._build, [wanted] * 2, ["layers"] * 2):
            pass
    assert began == ["layers"]
    assert not wanted.missing("layers")


def test_libraries_of_other_sources_or_of_another_compiler_are_deleted(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernels.delete_stale()
    old, new = (folder / f"layers-x86-64-v3-{digest}.so" for digest in ("0a1b", libraries.digest()))
    old.touch()
    new.touch()
    kernels.delete_stale()
    assert (old.exists(), new.exists()) == (False, True)
    compiler = tmp_path_factory.mktemp("other") / "translate.py"
    compiler.touch()
    monkeypatch.setattr(kernels, "COMPILERS", [compiler])
    kernels.delete_stale()
    assert not new.exists()


@pytest.mark.parametrize(("compiler", "wanted"), [("cc", {"numba"}), (None, {"numba", "ziglang"})])
def test_a_wheel_needs_a_compiler_while_it_is_built_also_where_some_kernels_are(
    compiler: str | None, wanted: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert libraries.are_built(), "by `make test`"
    monkeypatch.setattr(hook, "c_compiler", lambda: compiler)
    of_wheel, of_sdist = (SimpleNamespace(target_name=name, root=str(ROOT)) for name in ("wheel", "sdist"))
    found = hook.BuildHook.dependencies(of_wheel)  # type: ignore[arg-type]
    assert {one.partition("==")[0] for one in found} & {"numba", "ziglang"} == wanted
    assert not {"numba", "ziglang"} & {*hook.BuildHook.dependencies(of_sdist)}  # type: ignore[arg-type]
