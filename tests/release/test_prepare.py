"""How a release is made: what `make release` refuses and prints, and kernels, built once, however many build them."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from types import SimpleNamespace

import pytest

from fivedice.solver.kernels import libraries, native
from release import hook, kernels
from release.prepare import main, refusals
from tests.repository import ROOT

TODAY = date(2026, 12, 1)
CHANGELOG = "# Changelog\n\n## 0.2.0 (2026-11-30)\n\n- New: Yamb.\n\n## 0.1.0 (2026-11-01)\n\n- The first version.\n"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A committed repository that is ready for version 0.2.0."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "A")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "a@example.org")
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "fivedice"\nversion = "0.2.0"\n')
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG)
    (tmp_path / "CITATION.cff").write_text("version: 0.2.0\ndate-released: 2026-11-30\n")
    (tmp_path / ".gitignore").write_text("dist/\n")
    git(tmp_path, "init", "--quiet")
    commit(tmp_path)
    return tmp_path


def git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=root, check=True)  # noqa: S603, S607


def commit(root: Path) -> None:
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--allow-empty", "--message=.")


def refused(root: Path, version: str = "0.2.0") -> list[str]:
    return list(refusals(root, version, TODAY))


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ("## 0.2.0 (2026-11-30)", "## Unreleased", "has no entry for 0.2.0"),
        ("## 0.2.0 (2026-11-30)", "## 0.2.0 (unreleased)", "has no date for 0.2.0"),
        ("## 0.2.0 (2026-11-30)", "## 0.2.0", "has no date for 0.2.0"),
        ("## 0.2.0 (2026-11-30)", "## 0.2.0 (2026-11-31)", "has no date for 0.2.0"),
        ("## 0.2.0 (2026-11-30)", "## 0.2.0 (2026-12-02)", "which is in the future"),
        ("## 0.2.0 (2026-11-30)", "## Unreleased\n\n- More.\n\n## 0.2.0 (2026-11-30)", "has Unreleased above 0.2.0"),
        ("- New: Yamb.\n", "### Rules\n", "says nothing about 0.2.0"),
    ],
)
def test_a_changelog_without_an_entry_for_the_version_is_refused(
    repository: Path, before: str, after: str, reason: str
) -> None:
    (repository / "CHANGELOG.md").write_text(CHANGELOG.replace(before, after))
    commit(repository)
    [refusal] = refused(repository)
    assert reason in refusal
    assert refusal.startswith("CHANGELOG.md ")


def test_all_refusals_are_given_at_once_and_no_check_runs(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (repository / "new.py").touch()
    assert main(["0.3.0"], repository, today=TODAY, checks=[["touch", "checked"]]) == 1
    assert not (repository / "checked").exists()
    assert len(capsys.readouterr().err.splitlines()) == 3


def test_a_failing_check_is_refused_and_ends_the_checks(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["0.2.0"], repository, today=TODAY, checks=[["git", "no-such-check"], ["touch", "dist"]]) == 1
    captured = capsys.readouterr()
    assert captured.err == "!!! 'git no-such-check' failed\n"
    assert captured.out == ""
    assert not (repository / "dist").exists()


def test_a_release_prints_what_publishes_it_and_publishes_nothing(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / "dist").mkdir()
    for name in ("fivedice-0.2.0.tar.gz", "fivedice-0.2.0-py3-none-any.whl", "fivedice-0.1.0.tar.gz"):
        (repository / "dist" / name).write_text(name)
    assert main(["0.2.0"], repository, today=TODAY, checks=[["git", "status", "--short"]]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-3:] == [
        "  git tag --annotate v0.2.0 --message 'fivedice 0.2.0'",
        "  git push origin HEAD v0.2.0",
        "  uv publish dist/fivedice-0.2.0-py3-none-any.whl dist/fivedice-0.2.0.tar.gz",
    ]
    assert "Nothing was published. To publish:" in lines
    assert not any("0.1.0" in line for line in lines)
    tags = subprocess.run(["git", "tag"], cwd=repository, capture_output=True, check=True)  # noqa: S607
    assert tags.stdout == b""


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
