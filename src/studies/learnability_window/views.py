"""Measured tables as a figure, a table or a claim asks for them: the rows of the readings it is about."""

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:  # rules read VIEWS, and need no pandas for it
    import pandas as pd

BOTH_KINDS = "both"
"""Rates of a cell that has one kind, whichever of a GRU's a reading takes."""
PLACE = ["architecture", "optimizer", "seed", "reading", "transport", "direction", "lag"]


class View(NamedTuple):
    """Table and rows that a view takes.

    Args:
        table: the kind that is stored.
        selectors: columns in which a row must have the values of the reading: of reading, transport and gru_rates.
        control: of the windows, which.
    """

    table: str
    selectors: Sequence[str] = ()
    control: str = ""


VIEWS = {
    "envelope": View("envelope", ["gru_rates"]),
    "fits": View("fits", ["gru_rates"]),
    "spectrum": View("spectrum", ["gru_rates"]),
    "noise": View("noise", ["reading", "transport"]),
    "noise_of_all": View("noise"),
    "sample_complexity": View("sample_complexity", ["reading", "transport"]),
    "sample_complexities": View("sample_complexity", ["reading"]),
    "window": View("window", ["reading", "transport"], "none"),
    "windows": View("window", ["reading"], "none"),
    "permuted": View("window", ["reading"], "permuted_errors"),
    "granted": View("window", ["reading", "transport"], "granted_echoes"),
    "sign_flips": View("sign_flips", ["reading"]),
    "changes": View("changes", ["reading"]),
    "crossed": View("crossed", ["reading"]),
}
"""Views by name; any other name is a stored table, whole. Names in the plural hold both kinds of transport."""


def stored_kinds(names: Sequence[str]) -> list[str]:
    """The stored tables behind some views, without duplicates."""
    kinds = [VIEWS.get(name, View(name)).table for name in names]
    return list(dict.fromkeys([*kinds, *(["noise"] if "sample_complexity" in kinds else [])]))


def tables_of(
    request: Mapping[str, Any], tables: Mapping[str, "pd.DataFrame"], readings: Mapping[str, Mapping[str, Any]]
) -> dict[str, "pd.DataFrame"]:
    """Tables that a figure or a table is made of, by the names they have there.

    Args:
        request: `of`, view by name; `optimizer` and `members`, architectures, whose runs alone are taken where given.
        tables, readings: as of `view`.
    """
    runs = {
        "optimizer": [request["optimizer"]] if request["optimizer"] else [],
        "architecture": request["members"] or [],
    }

    def of_runs(table: "pd.DataFrame") -> "pd.DataFrame":
        for column, values in runs.items():
            if values and column in table:
                table = table[table[column].isin(values)]
        return table

    return {name: of_runs(view(kind, tables, readings)) for name, kind in request["of"].items()}


def view(name: str, tables: Mapping[str, "pd.DataFrame"], readings: Mapping[str, Mapping[str, Any]]) -> "pd.DataFrame":
    """The rows of a stored table that a view takes.

    Args:
        name: of `VIEWS`, or a stored table.
        tables: by kind, those of `stored_kinds`.
        readings: options of the statistic, and `numerical_floor`, by name of the reading.
    """
    spec = VIEWS.get(name, View(name))
    table = tables[spec.table]
    if spec.control:
        table = table[table["control"] == spec.control]
    if spec.selectors:
        rules = [{"reading": reading, **options} for reading, options in readings.items()]
        table = table[reduce(or_, (_says(table, spec.selectors, values) for values in rules))]
    if spec.table == "noise":
        floors = {reading: options["numerical_floor"] for reading, options in readings.items()}
        table = table.assign(numerical_floor=table["reading"].map(floors))
    if spec.table == "sample_complexity":
        table = table.merge(tables["noise"], on=PLACE, how="left", validate="many_to_one", suffixes=("", "_of_noise"))
        if "signal_of_noise" in table:  # a reading whose signal is another has a column of its own
            table["signal"] = table["signal"].fillna(table.pop("signal_of_noise"))
    return table


def _says(table: "pd.DataFrame", columns: Sequence[str], values: Mapping[str, Any]) -> "pd.Series[bool]":
    """True for rows that have these values in these columns."""
    return table[list(columns)].isin({column: [values[column], BOTH_KINDS] for column in columns}).all(axis=1)
