"""Processor time of test functions, and a selection of cheap ones.

`pytest --costs tests/costs.csv` writes `seconds`, of a function with all its parameters and what it starts, and
`alone`, with all fixtures that it shares with others: in a run these count where they are first asked for. Runs of
Snakemake by `tests/workflow/started.py` have workers, whose time counts.
`--cheapest 20` runs the functions that are cheapest alone, 20 s together, and those that are new. On another machine a
time says no more than its size among the others.
"""

import csv
import os
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from typing import Any

import pytest

FILE = Path(__file__).with_name("costs.csv")
KEY = "processor seconds, fixtures made and fixtures needed"


def function_of(nodeid: str) -> str:
    """Name of a test function, without parameters."""
    return nodeid.partition("[")[0]


def cheapest(costs: dict[str, float], seconds: float) -> set[str]:
    """Functions that cost at most `seconds` together, the cheapest ones first."""
    functions = set()
    for function, cost in sorted(costs.items(), key=lambda item: (item[1], item[0])):
        seconds -= cost
        if seconds < 0:
            break
        functions.add(function)
    return functions


ELSEWHERE: list[float] = []
"""Seconds of runs that are no children of this process, as they end."""


def processor_time() -> float:
    """Seconds of this process, of its children that have ended, and of runs elsewhere."""
    usages = [getrusage(whose) for whose in (RUSAGE_SELF, RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages) + sum(ELSEWHERE)


class Costs:
    """A plugin of pytest: every process of the tests measures, the one that starts them writes."""

    def __init__(self, config: pytest.Config) -> None:
        self.file, self.limit = config.getoption("--costs"), config.getoption("--cheapest")
        self.spent = processor_time()
        self.made: dict[str, float] = {}
        self.of_functions: Counter[str] = Counter()
        self.of_fixtures: Counter[str] = Counter()
        self.made_in: Counter[str] = Counter()
        self.needed: defaultdict[str, set[str]] = defaultdict(set)
        self.starts_others = not hasattr(config, "workerinput")

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Leave out, and count as deselected, what is not cheap."""
        if self.limit is None:
            return
        with FILE.open(encoding="utf-8") as file:
            costs = {row["function"]: float(row["alone"]) for row in csv.DictReader(file)}
        dear = costs.keys() - cheapest(costs, self.limit)
        config.hook.pytest_deselected(items=[item for item in items if function_of(item.nodeid) in dear])
        items[:] = [item for item in items if function_of(item.nodeid) not in dear]

    def pytest_collection_finish(self) -> None:
        """Give no workers to runs that tests start themselves: their time would count for no test."""
        if self.file:
            os.environ["LEARNABILITY_WORKERS"] = ""

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Iterator[None]:
        before = processor_time()
        try:
            return (yield)
        finally:
            if fixturedef.scope != "function":
                self.made[_name(fixturedef)] = processor_time() - before

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Iterator[None]:
        report = yield
        before, self.spent = self.spent, processor_time()
        fixtures = [
            _name(definitions[-1])
            for definitions in item._fixtureinfo.name2fixturedefs.values()
            if definitions[-1].scope != "function"
        ]
        report.user_properties.append((KEY, [self.spent - before, self.made, fixtures]))
        self.made = {}
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        function = function_of(report.nodeid)
        seconds, costs, fixtures = dict(report.user_properties)[KEY]
        self.of_functions[function] += seconds
        self.made_in[function] += sum(costs.values())
        self.of_fixtures.update(costs)
        self.needed[function].update(fixtures)

    def pytest_sessionfinish(self) -> None:
        if self.file is None or not self.starts_others:
            return
        with self.file.open("w", encoding="utf-8", newline="") as file:
            table = csv.writer(file, lineterminator="\n")
            table.writerow(["function", "seconds", "alone"])
            for name, seconds in self.of_functions.most_common():
                fixtures = sum(self.of_fixtures[fixture] for fixture in self.needed[name])
                table.writerow([name, f"{seconds:.2f}", f"{seconds - self.made_in[name] + fixtures:.2f}"])


def _name(fixture: pytest.FixtureDef[Any]) -> str:
    return f"{fixture.baseid}::{fixture.argname}"
