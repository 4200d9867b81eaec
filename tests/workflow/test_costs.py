"""Tests that `make check` runs."""

import re

from costs import FILE, cheapest
from learnability.core.store import read_table

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


def test_nearly_all_functions_have_a_cost() -> None:
    """Alone it can catch a `make check` of minutes: it runs what the file does not know, whatever that costs."""
    functions = {
        f"{file.relative_to(ROOT)}::{name}"
        for file in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
        if file.parent.name not in ("browser", "slurm")
    }
    unknown = functions - set(read_table(FILE)["function"])
    assert len(unknown) < len(functions) / 20, "pytest --costs tests/costs.csv counts them"


def test_the_page_names_the_dearest_functions_of_the_file() -> None:
    # thirty of them, in order, each with its share of the whole
    seconds = read_table(FILE).set_index("function")["seconds"]
    dearest = seconds.sort_values(ascending=False, kind="stable").head(30) / seconds.sum()
    page = (ROOT / "docs" / "performance.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(test_\w+)` \| ([\d.]+) % \|", page, re.MULTILINE)
    assert rows == [(name.partition("::")[2], f"{100 * share:.1f}") for name, share in dearest.items()]
    sentence = f"The thirty dearest of {len(seconds):,} functions take {dearest.sum():.0%}".replace("%", " %")
    assert sentence in page
