"""Which share of single faults do the tests catch?

    PYTHONPATH=src:workflow python benchmarks/planted_faults.py --faults 60 --seed 0 --jobs 2 > faults.csv

Draws places in the code that computes, as many of the library as of the studies. In a copy of the project it plants one
fault at a time: `<` for `<=`, + for -, `and` for `or`, a mean for a sum, a constant one larger. Then it runs tests that
import the module. Those that are named after it come first, then the cheapest ones, for as many seconds of the
processor as a limit allows.

A row for each fault says which test failed with the fault and passes without it; none, if the tests did not see it.
The shares that were seen stand at the end. A fault that no test sees may change no result: look at it.
"""

import argparse
import ast
import copy
import csv
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple, cast

from imports import library_modules

ROOT = Path(__file__).parents[1]
ROOMS = ("transport", "windows", "stats", "cells", "training", "networks", "reservoirs")
WITHOUT = re.compile(r"figures/|findings|opening|views|settings|conclusions|words|__init__")
"""Files of the studies that draw or tell."""
COSTS = ROOT / "tests" / "costs.csv"
SECONDS = 240
"""Of the processor, by `COSTS`, for the tests of one fault."""
LONGEST = 900
"""Seconds after which tests hang: a fault that they have seen."""
OTHERS = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
PAIRS = [("mean", "sum"), ("any", "all"), ("min", "max"), ("amin", "amax"), ("argmin", "argmax"), ("median", "mean")]
NAMES = dict(PAIRS) | {other: name for name, other in PAIRS if other != "mean"}


class Fault(NamedTuple):
    """An expression of a file, its bytes `start` to `end`, and what is planted in its place."""

    group: str
    file: str
    line: int
    start: int
    end: int
    before: str
    after: str


def computing() -> dict[str, list[Path]]:
    """Files of each group."""
    library = [file for room in ROOMS for file in (ROOT / "src" / "learnability" / room).rglob("*.py")]
    studies = [file for file in (ROOT / "src" / "studies").rglob("*.py") if not WITHOUT.search(file.as_posix())]
    return {"library": sorted(library), "studies": sorted(studies)}


def faults_of(group: str, file: Path) -> Iterator[Fault]:
    """Every fault that can be planted in a file; none in annotations and texts."""
    content = file.read_bytes()
    starts = [0]
    for line in content.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    name = str(file.relative_to(ROOT))
    for node in _expressions(ast.parse(content)):
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[cast(int, node.end_lineno) - 1] + cast(int, node.end_col_offset)
        for changed in _changed(node):
            yield Fault(group, name, node.lineno, start, end, content[start:end].decode(), f"({ast.unparse(changed)})")


def _expressions(node: ast.AST) -> Iterator[ast.expr]:
    """Every expression but those in annotations, decorators, f-strings and errors."""
    for name, child in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for each in child if isinstance(child, list) else [child]:
            if isinstance(each, ast.expr) and not isinstance(each, ast.JoinedStr):
                yield each
            if isinstance(each, ast.AST) and not isinstance(each, (ast.JoinedStr, ast.Raise)):
                yield from _expressions(each)


def _changed(node: ast.expr) -> Iterator[ast.expr]:
    """An expression with one fault in it."""
    match node:
        case ast.Compare(ops=[one]) if type(one) in OTHERS:
            yield _with(node, ops=[OTHERS[type(one)]()])
        case ast.BinOp(op=one) | ast.BoolOp(op=one) if type(one) in OTHERS:
            yield _with(node, op=OTHERS[type(one)]())
        case ast.UnaryOp(op=ast.USub() | ast.Not(), operand=operand) if not isinstance(operand, ast.Constant):
            yield operand
        case ast.Call(func=ast.Attribute(attr=name)) if name in NAMES:
            yield _with(node, func=_with(node.func, attr=NAMES[name]))
        case ast.Constant(value=bool()):
            yield _with(node, value=not node.value)
        case ast.Constant(value=int() | float() as value):
            yield _with(node, value=value + 1)


def _with(node: ast.expr, **changes: object) -> ast.expr:
    other = copy.copy(node)
    for name, value in changes.items():
        setattr(other, name, value)
    return other


def drawn(number: int, seed: int) -> list[Fault]:
    """So many faults of each group; every place in its files is as likely as any other."""
    chosen = []
    for group, files in computing().items():
        every = [fault for file in files for fault in faults_of(group, file)]
        chosen += random.Random(f"{seed} {group}").sample(every, number)
    return chosen


def tests_of(known: dict[str, float]) -> dict[str, list[str]]:
    """Of each module, files of tests that import it, for `SECONDS` together: those named after it, then the cheapest.

    Args:
        known: seconds of each test function.
    """
    by_file: defaultdict[str, float] = defaultdict(float)
    for function, seconds in known.items():
        by_file[function.partition("::")[0]] += seconds
    imported = {
        str(file.relative_to(ROOT)): library_modules(file)
        for part in ("library", "studies")
        for file in sorted((ROOT / "tests" / part).rglob("test_*.py"))
    }
    found: dict[str, list[str]] = {}
    for module in sorted(set().union(*imported.values())):
        concerned = [test for test, names in imported.items() if module in names]
        own, spent = module.rpartition(".")[2], 0.0
        for test in sorted(concerned, key=lambda test: (own not in test, by_file[test])):
            spent += by_file[test]
            if spent < SECONDS or module not in found:
                found.setdefault(module, []).append(test)
    return found


class Copy:
    """The project in a folder of its own, one fault at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.planted = folder, 0
        for part in ("src", "tests", "workflow", "config", "docs", "benchmarks"):
            shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("pyproject.toml", "requirements.txt", "README.md", "results"):
            (folder / name).symlink_to(ROOT / name)

    def caught_by(self, fault: Fault, tests: Sequence[str]) -> str:
        """The first test that fails with the fault and passes without it; nothing if all pass with it.

        Raises:
            RuntimeError: if a test fails without the fault, which then says nothing.
        """
        file = self.folder / fault.file
        content, date = file.read_bytes(), file.stat().st_mtime
        file.write_bytes(content[: fault.start] + fault.after.encode() + content[fault.end :])
        self.planted += 1
        os.utime(file, (date + self.planted, date + self.planted))  # else what was compiled of the last fault would run
        try:
            failed = self._first_failure(tests)
        finally:
            file.write_bytes(content)
            os.utime(file, (date, date))
        again = [failed] if "::" in failed else tests
        if failed and self._first_failure(again):
            raise RuntimeError(f"{failed} fails without '{fault.after}' in line {fault.line} of {fault.file}.")
        return failed

    def _first_failure(self, tests: Sequence[str]) -> str:
        """The test that fails first, or why there is none; nothing if all pass."""
        command = [sys.executable, "-m", "pytest", "-n", "0", "-x", "-q", "-p", "no:cacheprovider", *tests]
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        try:
            result = subprocess.run(
                command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False, timeout=LONGEST
            )
        except subprocess.TimeoutExpired:
            return "out of time"
        failed = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", result.stdout, re.MULTILINE)
        return "" if result.returncode == 0 else failed[1] if failed else f"status {result.returncode}"


def main() -> None:
    """Plant, test, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--faults", type=int, default=60, help="of each group")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    with COSTS.open(encoding="utf-8") as file:
        tests = tests_of({row["function"]: float(row["seconds"]) for row in csv.DictReader(file)})
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["group", "file", "line", "before", "after", "caught_by"])
    found: Counter[tuple[str, bool]] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        free: SimpleQueue[Copy] = SimpleQueue()
        for number in range(arguments.jobs):
            free.put(Copy(Path(folder) / str(number)))

        def caught(fault: Fault) -> str:
            own, project = tests.get(module_of(fault.file), []), free.get()
            try:
                return project.caught_by(fault, own) if own else ""
            finally:
                free.put(project)

        faults = drawn(arguments.faults, arguments.seed)
        with ThreadPoolExecutor(arguments.jobs) as pool:
            for fault, test in zip(faults, pool.map(caught, faults), strict=True):
                found[fault.group, bool(test)] += 1
                table.writerow([fault.group, fault.file, fault.line, fault.before, fault.after, test])
                sys.stdout.flush()
    for group in computing():
        print(f"{group}: {found[group, True]} of {arguments.faults} caught", file=sys.stderr)


def module_of(file: str) -> str:
    """Name of a module in src/."""
    return ".".join(Path(file).with_suffix("").parts[1:]).removesuffix(".__init__")


if __name__ == "__main__":
    main()
