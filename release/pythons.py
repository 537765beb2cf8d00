"""Runs the tests with every supported Python that is installed: `python -m release.pythons`.

The supported versions are those of the classifiers in pyproject.toml. Each Python gets a separate environment in
build/pythons/, from requirements/dev.lock. The exit status is 1 if tests fail, and 2 if only some Python is missing.
Arguments are passed to pytest.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "requirements" / "dev.lock"


def supported(pyproject: str) -> list[str]:
    """The versions of Python in the classifiers, such as 3.11."""
    classifiers = tomllib.loads(pyproject)["project"]["classifiers"]
    return [
        found[1] for one in classifiers if (found := re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", one))
    ]


def find(version: str) -> str | None:
    """A Python of this version: on the path, or among those of pyenv."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    names = [shutil.which(f"python{version}"), *sorted(map(str, pyenv.glob(f"{version}.*/bin/python")), reverse=True)]
    # A shim of pyenv is on the path even if its Python is not chosen, and fails.
    return next((name for name in names if name and _version(name) == version), None)


def _version(python: str) -> str:
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=False).stdout.strip()


def environment(python: str, version: str) -> str:
    """The Python of an environment with the packages of dev.lock. Raises `CalledProcessError` if pip fails."""
    folder = ROOT / "build" / "pythons" / version
    stamp, digest = folder / "installed-from", hashlib.sha256(LOCK.read_bytes()).hexdigest()
    made = str(folder / "bin" / "python")
    if not stamp.exists() or stamp.read_text() != digest:
        subprocess.run([python, "-m", "venv", "--clear", str(folder)], check=True)
        pip = [str(made), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
        subprocess.run([*pip, "--require-hashes", "--requirement", str(LOCK)], check=True)
        subprocess.run([*pip, "--no-build-isolation", "--editable", str(ROOT)], check=True)
        stamp.write_text(digest)
    return made


def main(arguments: Sequence[str]) -> int:
    """Test with each Python and print the results; return the exit status."""
    results: dict[str, str] = {}
    for version in supported((ROOT / "pyproject.toml").read_text(encoding="utf-8")):
        python = find(version)
        if python is None:
            results[version] = "not installed"
            continue
        command = [
            str(environment(python, version)),
            "-m",
            "pytest",
            "--tier=ci",
            "--numprocesses=auto",
            "--dist=loadfile",
        ]
        done = subprocess.run([*command, *arguments], cwd=ROOT, check=False)
        results[version] = "failed" if done.returncode else "passed"
    print("\n".join(f"Python {version}: {result}" for version, result in results.items()))
    return 1 if "failed" in results.values() else 2 if "not installed" in results.values() else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
