"""Share of single faults that the tests catch.

    PYTHONPATH=src:workflow python benchmarks/planted_faults.py faults.csv --faults 60 --seed 0 --calls calls.json

Draws places in functions that compute, as many of the library as of the studies, and plants one fault at a time: `<`
for `<=`, + for -, `and` for `or`, a mean for a sum, a constant one larger. The tests of `tests/library` and
`tests/studies` are collected once. For each fault a copy of the process gives the function its faulty code, and runs
tests until one fails: first those that call the function, the cheapest ones first, for a number of seconds of the
processor. Which functions a test calls is found by one run of the cheapest tests, and kept in a file.

A row for each fault, written as it comes, says which test fails with the fault and passes without it; none, if the
tests did not see it. The shares that were seen are printed at the end. The same command goes on where it was stopped.
A fault that no test sees may change no result, or be seen by dearer tests, whole runs, or a process that a test starts:
look at it. Constants of modules and values of parameters that are not given are read before a fault can be planted.
"""

import argparse
import ast
import copy
import csv
import gc
import importlib
import json
import os
import random
import re
import signal
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import zip_longest
from multiprocessing import Pipe
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import NamedTuple, cast

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("transport", "windows", "stats", "cells", "training", "networks", "reservoirs")
WITHOUT = re.compile(r"figure|picture|drawn|play|question|findings|opening|views|settings|conclusions|words|__init__")
"""Files of the studies that draw or tell."""
COSTS = ROOT / "tests" / "costs.csv"
LONGEST = 600
"""Seconds after which tests hang: a fault that they have seen."""
COUNTERPARTS = {
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
    """An expression of a function, its bytes `start` to `end` in the file, and what is planted in its place."""

    group: str
    file: str
    function: str
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
    """Yield the faults that can be planted in functions of a file; none in annotations and texts."""
    content = file.read_bytes()
    starts = [0]
    for line in content.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    path = str(file.relative_to(ROOT))
    for name, function in _functions(ast.parse(content)):
        for node in (node for statement in function.body for node in _expressions(statement)):
            start = starts[node.lineno - 1] + node.col_offset
            end = starts[cast(int, node.end_lineno) - 1] + cast(int, node.end_col_offset)
            for faulty in _faulty(node):
                before, after = content[start:end].decode(), f"({ast.unparse(faulty)})"
                yield Fault(group, path, name, node.lineno, start, end, before, after)


def _functions(node: ast.AST, prefix: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    """Functions and methods by their qualified names, without those inside of functions."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef):
            yield prefix + child.name, child
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{prefix}{child.name}.")


def _expressions(node: ast.AST) -> Iterator[ast.expr]:
    """Yield expressions, except in annotations, decorators, f-strings and errors."""
    for name, child in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for part in child if isinstance(child, list) else [child]:
            if isinstance(part, ast.expr) and not isinstance(part, ast.JoinedStr):
                yield part
            if isinstance(part, ast.AST) and not isinstance(part, (ast.JoinedStr, ast.Raise)):
                yield from _expressions(part)


def _faulty(node: ast.expr) -> Iterator[ast.expr]:
    """An expression with one fault in it."""
    match node:
        case ast.Compare(ops=[one]) if type(one) in COUNTERPARTS:
            yield _with(node, ops=[COUNTERPARTS[type(one)]()])
        case ast.BinOp(op=one) | ast.BoolOp(op=one) if type(one) in COUNTERPARTS:
            yield _with(node, op=COUNTERPARTS[type(one)]())
        case ast.UnaryOp(op=ast.USub() | ast.Not(), operand=operand) if not isinstance(operand, ast.Constant):
            yield operand
        case ast.Call(func=ast.Attribute(attr=name)) if name in NAMES:
            yield _with(node, func=_with(node.func, attr=NAMES[name]))
        case ast.Constant(value=bool()):
            yield _with(node, value=not node.value)
        case ast.Constant(value=int() | float() as value):
            yield _with(node, value=value + 1)


def _with(node: ast.expr, **changes: object) -> ast.expr:
    duplicate = copy.copy(node)
    for name, value in changes.items():
        setattr(duplicate, name, value)
    return duplicate


def draw_faults(number: int, seed: int, of: str) -> list[Fault]:
    """Return `number` faults of each group in turn, or all; all places in its functions are equally likely.

    Args:
        of: a pattern that is found in `file::function`.
    """
    samples = []
    for group, files in computing().items():
        faults = [fault for file in files for fault in faults_of(group, file)]
        faults = [fault for fault in faults if re.search(of, f"{fault.file}::{fault.function}")]
        samples.append(random.Random(f"{seed} {group}").sample(faults, min(number, len(faults))))
    return [fault for row in zip_longest(*samples) for fault in row if fault]


def functions_in_memory() -> dict[tuple[str, str], list[FunctionType]]:
    """Functions of the project that are loaded, by file and qualified name."""
    functions: defaultdict[tuple[str, str], list[FunctionType]] = defaultdict(list)
    for function in gc.get_objects():
        if type(function) is FunctionType and (code := function.__code__).co_filename.startswith(f"{ROOT / 'src'}/"):
            functions[str(Path(code.co_filename).relative_to(ROOT)), code.co_qualname].append(function)
    return functions


def plant(fault: Fault, functions: Iterable[FunctionType]) -> None:
    """Give functions of the name of a fault its faulty code, in this process.

    Raises:
        LookupError: if there is no such function.
    """
    content = (ROOT / fault.file).read_bytes()
    faulty = content[: fault.start] + fault.after.encode() + content[fault.end :]
    sound_codes, faulty_codes = (
        [code for code in _codes(compile(text, fault.file, "exec")) if code.co_qualname == fault.function]
        for text in (content, faulty)
    )
    codes_by_line = {
        code.co_firstlineno: faulty_code
        for code, faulty_code in zip(sound_codes, faulty_codes, strict=True)
        if code != faulty_code
    }
    faulty_ones = [
        (function, codes_by_line[function.__code__.co_firstlineno])
        for function in functions
        if function.__code__.co_firstlineno in codes_by_line
    ]
    if codes_by_line and not faulty_ones:
        raise LookupError(f"No function '{fault.function}' of {fault.file} was found.")
    for function, code in faulty_ones:
        function.__code__ = code


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Codes of functions of a module and of its classes."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)


def in_a_copy(work: Callable[[], object], seconds: float | None = LONGEST) -> object:
    """Result of work in a copy of this process; a text where it does not end in time, or ends the process."""
    receiver, sender = Pipe(duplex=False)
    child = os.fork()
    if child == 0:
        try:
            os.setsid()
            sender.send(work())
        finally:
            os._exit(0)
    sender.close()
    try:
        return receiver.recv() if receiver.poll(seconds) else "out of time"
    except EOFError:
        return "the process ended"
    finally:
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)


class Planting:
    """A plugin of pytest that plants faults instead of running all tests."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.arguments, self.failed = arguments, ""
        self.sound: set[str] = set()
        self.unsound: set[str] = set()
        with COSTS.open(encoding="utf-8") as file:
            self.costs = {row["function"]: float(row["alone"]) for row in csv.DictReader(file)}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed = self.failed or report.nodeid

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items: defaultdict[str, list[pytest.Item]] = defaultdict(list)
        for item in session.items:
            self.items[item.nodeid.partition("[")[0]].append(item)
        for files in computing().values():
            for file in files:
                importlib.import_module(module_of(file.relative_to(ROOT)))
        self.functions = functions_in_memory()
        gc.freeze()  # copies of this process then share its memory
        calls = self._calls()
        self.choice = Choice(calls, {name: self.costs.get(name, 0) for name in self.items}, self.arguments.seconds)
        finished_faults = {(row["file"], int(row["start"]), row["after"]) for row in rows_of(self.arguments.table)}
        with self.arguments.table.open("a", encoding="utf-8", buffering=1) as file:
            table = csv.writer(file, lineterminator="\n")
            if not finished_faults:
                table.writerow([*Fault._fields, "caught_by"])
            for fault in draw_faults(self.arguments.faults, self.arguments.seed, self.arguments.of):
                if (fault.file, fault.start, fault.after) not in finished_faults:
                    table.writerow([*fault, self._catching_test(fault)])
        return True

    def _calls(self) -> dict[str, list[str]]:
        """Functions that the cheapest tests call."""
        file, seconds, tests = self.arguments.calls, self.arguments.traced, []
        if file is None or not file.exists():
            for name in sorted(self.items, key=lambda name: (self.costs.get(name, 0), name)):
                seconds -= self.costs.get(name, 0)
                if seconds >= 0:
                    tests.append(name)
            calls = in_a_copy(lambda: self._trace(tests), None)
            if not isinstance(calls, dict):
                raise SystemExit(f"Calls could not be written: {calls}.")
            if file is None:
                return calls
            file.write_text(json.dumps(calls))
        return cast(dict[str, list[str]], json.loads(file.read_text()))

    def _trace(self, tests: Iterable[str]) -> dict[str, list[str]]:
        """Functions, as `file::function`, that each passing test calls."""
        calls, source = {}, f"{ROOT / 'src'}/"
        for name in tests:
            codes: set[CodeType] = set()

            def note(frame: FrameType, event: str, _: object, codes: set[CodeType] = codes) -> None:
                if event == "call":
                    codes.add(frame.f_code)

            sys.setprofile(note)
            failure = self._first_failure([name])
            sys.setprofile(None)
            if not failure:
                calls[name] = sorted(
                    f"src/{code.co_filename.removeprefix(source)}::{code.co_qualname.partition('.<locals>')[0]}"
                    for code in codes
                    if code.co_filename.startswith(source)
                )
        return calls

    def _catching_test(self, fault: Fault) -> str:
        """The first test that fails with the fault and passes without it; nothing if all pass with it."""
        tests = [name for name in self.choice(fault) if name not in self.unsound]
        while tests:
            failure = str(in_a_copy(partial(self._first_failure, tests, fault)))
            if not failure or failure == NOWHERE:
                return failure
            again = [failure.partition("[")[0]] if "::" in failure else tests
            if self.sound.issuperset(again) or not in_a_copy(partial(self._first_failure, again)):
                self.sound.update(again)
                return failure
            self.unsound.update(again)
            tests = [name for name in tests if name not in again]
        return ""

    def _first_failure(self, tests: Iterable[str], fault: Fault | None = None) -> str:
        """The test that fails first; nothing if all pass."""
        self.failed = ""
        if fault:
            try:
                plant(fault, self.functions[fault.file, fault.function])
            except LookupError:
                return NOWHERE
        items = [item for name in tests for item in self.items[name]]
        for item, successor in zip(items, [*items[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=successor)
            if self.failed:
                break
        return self.failed


NOWHERE = "not planted"
"""Answer for a function that is not in memory as it is written, such as a kernel of a GPU."""


class Choice:
    """The tests of a fault, for a number of processor seconds together.

    Those that call the faulty function come first, then dearer ones that are named after its module, then others of
    the same files, then dearer ones that import the module; in each of these parts the cheapest ones first.
    """

    def __init__(self, calls: dict[str, list[str]], costs: dict[str, float], seconds: float) -> None:
        from imports import library_modules  # not before the tests have hooked their type checker into imports

        self.calls, self.costs, self.seconds = calls, costs, seconds
        self.callers: defaultdict[str, set[str]] = defaultdict(set)
        for test, names in calls.items():
            for name in names:
                self.callers[name].add(test)
        self.imported = {file: library_modules(ROOT / file) for file in sorted({_file(test) for test in costs})}

    def __call__(self, fault: Fault) -> list[str]:
        callers = self.callers.get(f"{fault.file}::{fault.function}", set()) & self.costs.keys()
        files = {_file(test) for test in callers}
        importers = {file for file, names in self.imported.items() if module_of(Path(fault.file)) in names}
        beside = {test for test in self.calls if _file(test) in files} & self.costs.keys()
        dearer = {test for test in self.costs.keys() - self.calls.keys() if _file(test) in importers}
        namesakes = {test for test in dearer if Path(fault.file).stem in test}
        parts, seconds, tests = (callers, namesakes, beside - callers, dearer - namesakes), self.seconds, []
        for test in (test for part in parts for test in sorted(part, key=lambda test: (self.costs[test], test))):
            seconds -= self.costs[test]
            if seconds >= 0:
                tests.append(test)
        return tests


def _file(test: str) -> str:
    return test.partition("::")[0]


def module_of(file: Path) -> str:
    """Name of a module in src/."""
    return ".".join(file.with_suffix("").parts[1:]).removesuffix(".__init__")


def rows_of(table: Path) -> list[dict[str, str]]:
    """Rows that were written; none without a table."""
    if not table.exists():
        return []
    with table.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def main() -> None:
    """Plant, test, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", type=Path, help="a row for each fault; those that it has are not planted again")
    parser.add_argument("--faults", type=int, default=60, help="of each group")
    parser.add_argument("--of", default="", help="a pattern in file::function, such as 'cells/|::_statements'")
    parser.add_argument("--tests", nargs="+", default=["tests/library", "tests/studies"], help="files and folders")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=45, help="of the processor, for the tests of one fault")
    parser.add_argument("--calls", type=Path, help="what tests call; written if missing")
    parser.add_argument("--traced", type=float, default=90, help="seconds of the tests whose calls are written")
    arguments = parser.parse_args()
    arguments.table, os.environ["PYTHONDONTWRITEBYTECODE"] = arguments.table.resolve(), "1"
    os.chdir(ROOT)
    status = pytest.main(["-n", "0", "-q", "-p", "no:cacheprovider", *arguments.tests], plugins=[Planting(arguments)])
    if status:
        raise SystemExit(int(status))
    counts = Counter(
        (row["group"], bool(row["caught_by"])) for row in rows_of(arguments.table) if row["caught_by"] != NOWHERE
    )
    for group in computing():
        print(f"{group}: {counts[group, True]} of {counts[group, True] + counts[group, False]} caught")


if __name__ == "__main__":
    main()
