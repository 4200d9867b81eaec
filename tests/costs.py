"""What each test function costs in processor time, and which ones are cheap.

`pytest --costs tests/costs.csv` writes the seconds of each function, with all its parameters, what it starts, and the
fixtures that it is the first to ask for. `pytest --cheapest 20` runs the cheapest functions, 20 s together, and those
that are new. On another machine a time says no more than its size among the others.
"""

import csv
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

import pytest

FILE = Path(__file__).with_name("costs.csv")
KEY = "processor seconds"


def function_of(nodeid: str) -> str:
    """Without parameters."""
    return nodeid.partition("[")[0]


def cheapest(costs: dict[str, float], seconds: float) -> set[str]:
    """Functions that cost at most `seconds` together, the cheapest ones first."""
    chosen = set()
    for function, cost in sorted(costs.items(), key=lambda item: (item[1], item[0])):
        seconds -= cost
        if seconds < 0:
            break
        chosen.add(function)
    return chosen


def processor_time() -> float:
    """Seconds of this process, and of those that it started and has waited for."""
    used = [getrusage(whose) for whose in (RUSAGE_SELF, RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


class Costs:
    """A plugin of pytest: every process of the tests measures, the one that starts them writes."""

    def __init__(self, config: pytest.Config) -> None:
        self.file, self.limit = config.getoption("--costs"), config.getoption("--cheapest")
        self.spent = processor_time()
        self.of_functions: Counter[str] = Counter()
        self.starts_others = not hasattr(config, "workerinput")

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Leave out, and count as deselected, what is not cheap."""
        if self.limit is None:
            return
        with FILE.open(encoding="utf-8") as file:
            costs = {row["function"]: float(row["seconds"]) for row in csv.DictReader(file)}
        dear = costs.keys() - cheapest(costs, self.limit)
        config.hook.pytest_deselected(items=[item for item in items if function_of(item.nodeid) in dear])
        items[:] = [item for item in items if function_of(item.nodeid) not in dear]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Iterator[None]:
        report = yield
        before, self.spent = self.spent, processor_time()
        report.user_properties.append((KEY, self.spent - before))
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.of_functions[function_of(report.nodeid)] += dict(report.user_properties)[KEY]

    def pytest_sessionfinish(self) -> None:
        if self.file is not None and self.starts_others:
            with self.file.open("w", encoding="utf-8", newline="") as file:
                table = csv.writer(file, lineterminator="\n")
                table.writerow(["function", "seconds"])
                table.writerows([name, f"{seconds:.2f}"] for name, seconds in self.of_functions.most_common())
