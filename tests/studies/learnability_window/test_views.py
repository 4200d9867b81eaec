"""Rows of stored tables that a figure, a table or a claim takes."""

from itertools import product

import pandas as pd
import pytest

from studies.learnability_window.views import VIEWS, stored_kinds, tables_of, view

READINGS = {
    "paper": {"transport": "first_order", "gru_rates": "eq26"},
    "gradient_step": {"transport": "exact", "gru_rates": "strict"},
}
PLACE = {"optimizer": "adamw", "seed": 0, "direction": 0, "lag": 4}


def rows(**columns: list[str]) -> pd.DataFrame:
    """A row for each combination, named by all of it."""
    combinations = [dict(zip(columns, values, strict=True)) for values in product(*columns.values())]
    return pd.DataFrame([PLACE | row | {"value": "/".join(row.values())} for row in combinations])


@pytest.fixture
def tables() -> dict[str, pd.DataFrame]:
    places = {"architecture": ["gru", "lstm"], "reading": [*READINGS], "transport": ["first_order", "exact"]}
    rates = pd.concat(
        [rows(architecture=["gru"], gru_rates=["strict", "eq26"]), rows(architecture=["lstm"], gru_rates=["both"])]
    )
    return {
        "envelope": rates,
        "noise": rows(**places).rename(columns={"value": "alpha"}),
        "sample_complexity": rows(**places),
        "window": rows(**places, control=["none", "permuted_errors", "granted_echoes"]),
        "response": rows(architecture=["gru", "lstm"]),
    }


@pytest.mark.parametrize(
    ("name", "readings", "expected"),
    [
        ("envelope", ["paper"], ["gru/eq26", "lstm/both"]),
        ("envelope", ["gradient_step"], ["gru/strict", "lstm/both"]),
        ("sample_complexity", ["gradient_step"], ["gru/gradient_step/exact", "lstm/gradient_step/exact"]),
        ("window", ["paper"], ["gru/paper/first_order/none", "lstm/paper/first_order/none"]),
        ("granted", ["paper"], ["gru/paper/first_order/granted_echoes", "lstm/paper/first_order/granted_echoes"]),
        (
            "permuted",
            ["paper"],
            [f"{a}/paper/{t}/permuted_errors" for a in ("gru", "lstm") for t in ("first_order", "exact")],
        ),
        (
            "window",
            ["paper", "gradient_step"],
            [f"{a}/{r}/none" for a in ("gru", "lstm") for r in ("paper/first_order", "gradient_step/exact")],
        ),
        ("response", [], ["gru", "lstm"]),
    ],
)
def test_a_view_takes_the_rows_of_its_readings(
    tables: dict[str, pd.DataFrame], name: str, readings: list[str], expected: list[str]
) -> None:
    rows = view(name, tables, {reading: READINGS[reading] for reading in readings})
    assert rows["value"].tolist() == expected


def test_sample_complexities_carry_the_noise_of_their_lag(tables: dict[str, pd.DataFrame]) -> None:
    rows = view("sample_complexities", tables, {"paper": READINGS["paper"]})
    assert len(rows) == 4
    assert (rows["alpha"] == rows["value"]).all()
    assert stored_kinds(["sample_complexities", "windows", "window", "response"]) == [
        *("sample_complexity", "window", "response", "noise"),
    ]


def test_runs_of_other_optimizers_and_architectures_are_left_out(tables: dict[str, pd.DataFrame]) -> None:
    selection = {"of": {"w": "window", "r": "response"}, "optimizer": "adamw", "members": ["gru"]}
    views = tables_of(selection, tables, {"paper": READINGS["paper"]})
    assert [table["architecture"].tolist() for table in views.values()] == [["gru"], ["gru"]]
    assert tables_of(selection | {"optimizer": "sgd"}, tables, {"paper": READINGS["paper"]})["w"].empty


def test_every_view_but_whole_tables_says_whose_rows_it_takes() -> None:
    assert [name for name, kind in VIEWS.items() if not kind.selectors] == ["noise_of_all"]
