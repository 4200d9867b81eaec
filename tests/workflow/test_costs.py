"""Which tests `make check` runs."""

import csv

from costs import FILE, cheapest

from .conftest import ROOT


def test_the_cheapest_are_those_that_fit_together() -> None:
    costs = {"a": 3.0, "b": 1.0, "c": 2.0, "d": 4.0}
    assert [cheapest(costs, seconds) for seconds in (0.5, 3, 5.9, 6, 100)] == [
        set(),
        {"b", "c"},
        {"b", "c"},
        {"a", "b", "c"},
        set(costs),
    ]


def test_costs_are_known_of_most_files_of_tests() -> None:
    """A table of long ago would call dear tests new, which all run."""
    with FILE.open(encoding="utf-8") as file:
        known = {row["function"].partition("::")[0] for row in csv.DictReader(file)}
    files = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("tests/[lsw]*/**/test_*.py")}
    of_others = {file for file in files if file.startswith("tests/slurm")}
    assert len(files - known - of_others) < 0.1 * len(files)
