"""Which rows of which stored table a figure, a table or a claim takes."""

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
    found = [dict(zip(columns, values, strict=True)) for values in product(*columns.values())]
    return pd.DataFrame([PLACE | row | {"value": "/".join(row.values())} for row in found])


@pytest.fixture
def stored() -> dict[str, pd.DataFrame]:
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
    stored: dict[str, pd.DataFrame], name: str, readings: list[str], expected: list[str]
) -> None:
    found = view(name, stored, {reading: READINGS[reading] for reading in readings})
    assert found["value"].tolist() == expected


def test_sample_complexities_carry_the_noise_of_their_lag(stored: dict[str, pd.DataFrame]) -> None:
    found = view("sample_complexities", stored, {"paper": READINGS["paper"]})
    assert len(found) == 4
    assert (found["alpha"] == found["value"]).all()
    assert stored_kinds(["sample_complexities", "windows", "window", "response"]) == [
        *("sample_complexity", "window", "response", "noise"),
    ]


def test_runs_of_other_optimizers_and_architectures_are_left_out(stored: dict[str, pd.DataFrame]) -> None:
    asked = {"of": {"w": "window", "r": "response"}, "optimizer": "adamw", "members": ["gru"]}
    found = tables_of(asked, stored, {"paper": READINGS["paper"]})
    assert [table["architecture"].tolist() for table in found.values()] == [["gru"], ["gru"]]
    assert tables_of(asked | {"optimizer": "sgd"}, stored, {"paper": READINGS["paper"]})["w"].empty


def test_every_view_but_whole_tables_says_whose_rows_it_takes() -> None:
    assert all(asked.own for asked in VIEWS.values())
