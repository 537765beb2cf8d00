"""`make census`: one digest of everything that the program says about all rulesets, bit for bit.

    make census            the rulesets that are solved in seconds, and those of the test kit
    make census ALL=1      all rulesets, also those that take minutes, and every reading that a ruleset offers
    make census WRITE=1    and write `digests.txt`
    .venv/bin/python -m tests.census --show yatzy advice        the lines behind a digest, to compare two versions

`digests.txt` has a line for every ruleset and part. Every other digest is compared with it; what differs is named, and
the command fails. Sums of NumPy and its OpenBLAS depend on the processor in their last bits, so both are held to the
instructions that all x86-64 processors since 2013 have; on another kind, run `make census WRITE=1` before a change.

The rulesets that cannot be solved here are solved with some of their boxes; what the engine, the records, the rules and
the environments say is that of the whole ruleset.
"""

import argparse
import os
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from time import perf_counter

from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.tables.states import States
from fivedice.testing.tiny import TINY, TINY_TURNS
from tests.census.parts import PARTS, Subject
from tests.solutions import SOME_BOXES, some_boxes

FILE = Path(__file__).with_name("digests.txt")
HEAD = "# Written by `make census WRITE=1`: ruleset, part, digest. A line changes only if what is said changes.\n"
QUICK_BYTES = 2**30
"""Rulesets whose table needs more are left to `ALL=1` …"""
MOST_BYTES = 2**32
"""… and those that need still more are solved with some of their boxes only."""
INSTRUCTIONS = {"OPENBLAS_CORETYPE": "Haswell", "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR"}
"""Must be in the environment before NumPy is loaded."""


def subjects(*, all_of_them: bool) -> Iterator[Subject]:
    """What the census counts, small rulesets first."""
    for id, ruleset in (TINY | TINY_TURNS).items():
        yield Subject(ruleset, ruleset, id)
    for id in ruleset_ids():
        ruleset = load_ruleset(id)
        yield Subject(ruleset, some_boxes(id) if id in SOME_BOXES else ruleset, id)
    if all_of_them:
        for id in sorted({*SOME_BOXES}):
            ruleset = load_ruleset(id)
            if is_solvable(ruleset):
                yield Subject(ruleset, ruleset, f"{id} (all boxes)")
        for id in ruleset_ids():
            for key, choices in load_ruleset(id).choices:
                for choice in choices:
                    ruleset = load_ruleset(f"{id}[{key}={choice.value}]")
                    if not choice.is_default and is_solvable(ruleset) and States(ruleset).num_bytes < QUICK_BYTES:
                        yield Subject(ruleset, ruleset, str(ruleset))


def is_solvable(ruleset: Ruleset) -> bool:
    states = States(ruleset)
    return not states.obstacle and states.num_bytes <= MOST_BYTES


def digest(subject: Subject, part: str) -> str:
    """The digest of a part, empty if the ruleset has none."""
    lines = "\n".join(PARTS[part](subject))
    return sha256(lines.encode()).hexdigest()[:16] if lines else ""


def saved_digests() -> dict[tuple[str, str], str]:
    """What `digests.txt` says."""
    lines = FILE.read_text(encoding="utf-8").splitlines() if FILE.exists() else []
    return {(name, part): found for name, part, found in (line.split("\t") for line in lines if line[:1] != "#")}


def main() -> int:
    """Print what differs and the digest of all; 1 if anything differs."""
    parser = argparse.ArgumentParser(prog="census", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--show", nargs=2, metavar=("RULESET", "PART"))
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME", help="rulesets or parts")
    chosen = parser.parse_args()
    if chosen.show:
        subject = next(each for each in subjects(all_of_them=True) if each.name == chosen.show[0])
        print(*PARTS[chosen.show[1]](subject), sep="\n")
        return 0
    saved, found = saved_digests(), dict[tuple[str, str], str]()
    num_different, began = 0, perf_counter()
    for subject in subjects(all_of_them=chosen.all):
        for part in PARTS:
            if chosen.only and subject.name not in chosen.only and part not in chosen.only:
                continue
            new = digest(subject, part)
            if not new:
                continue
            found[subject.name, part] = new
            old = saved.get((subject.name, part))
            if old != new:
                num_different += 1
                print(f"{subject.name:24} {part:16} {old or 'new':16} {new}", flush=True)
    known = "".join(found.values())
    took = f"{len(found)} parts of {len({name for name, _ in found})} rulesets in {perf_counter() - began:.0f} s"
    print(f"census {sha256(known.encode()).hexdigest()[:16]}: {took}, {num_different} differ from {FILE.name}")
    if chosen.write:
        merged = {**saved, **found} if chosen.only or not chosen.all else found
        FILE.write_text(HEAD + "".join(f"{n}\t{p}\t{each}\n" for (n, p), each in merged.items()), encoding="utf-8")
    return 0 if chosen.write or not num_different else 1


if __name__ == "__main__":
    if not INSTRUCTIONS.items() <= os.environ.items():
        os.execve(sys.executable, sys.orig_argv, {**os.environ, **INSTRUCTIONS})
    sys.exit(main())
