"""Stored statements, by which claims are judged, are made of the stored tables again."""

from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from learnability.core.store import read_table
from learnability.core.yaml_files import load_yaml

ROOT = Path(__file__).parents[3]
REFERENCE = ROOT / "results" / "reference" / "gated"
SETTINGS = load_yaml((ROOT / "config" / "gated" / "full.yaml").read_text())["gated"]["exhibits"]
Tables = dict[str, pd.DataFrame]
Statements = Iterable[tuple[str, int, float]]


def of_all(*names: str) -> Callable[[Any, Tables, list[int]], Statements]:
    """Statements by the tables of these names, all seeds at once."""
    return lambda module, tables, _: module._statements(*(tables[name] for name in names))


def of_each(*names: str) -> Callable[[Any, Tables, list[int]], Statements]:
    """Statements by the tables of these names, or by all, a seed at a time."""

    def statements(module: Any, tables: Tables, seeds: list[int]) -> Statements:
        arguments = [tables[name] for name in names] or [tables]
        return [row for seed in seeds for row in module._statements(*arguments, seed)]

    return statements


def of_carousel(module: Any, tables: Tables, seeds: list[int]) -> Statements:
    paths = tables["carousel_paths"]
    return [row for seed in seeds for row in module._statements(paths[paths["seed"] == seed], seed)]


def of_counting(module: Any, tables: Tables, seeds: list[int]) -> Statements:
    longest = SETTINGS["counting"]["longest_trained"]
    return [row for seed in seeds for row in module._statements(tables, longest, seed)]


def of_deep_reservoirs(module: Any, tables: Tables, seeds: list[int]) -> Statements:
    for seed in seeds:
        yield from module._statements(tables["deep_layers"], seed)
        yield from module._settings_statements(tables["deep_settings"], seed)


def of_gates(module: Any, tables: Tables, seeds: list[int]) -> Statements:
    return [*module._switch_statements(tables["gates_switch"], seeds[0]), *module._statements(tables)]


def of_lstm_and_gru(module: Any, tables: Tables, seeds: list[int]) -> Statements:
    yield from module._of_gates(tables["gru_interpolation"])
    yield from module._of_costs(tables["lstm_gru_costs"], seeds[0])
    yield from module._of_learning(tables["lstm_gru_losses"], tables["lstm_gru_curves"])


def of_richness(module: Any, tables: Tables, seeds: list[int]) -> Statements:
    table = tables["richness_dimensions"]
    return [row for seed in seeds for row in module._statements(table, SETTINGS["richness"], seed)]


def of_truncation(module: Any, tables: Tables, seeds: list[int]) -> Statements:
    architectures = tables["truncation_losses"]["architecture"].unique().tolist()
    yield from module._of_learning(tables["truncation_shares"], architectures)
    yield from module._of_costs(tables["truncation_costs"], seeds[0])


MADE_OF = {
    "activity": of_all("activity_units", "activity_gradients"),
    "carousel": of_carousel,
    "counting": of_counting,
    "deep_reservoirs": of_deep_reservoirs,
    "depth": of_all("depth_layers", "depth_losses"),
    "dropout": of_all("dropout_losses", "dropout_noise"),
    "echo_states": of_each(),
    "gates": of_gates,
    "generation": of_each(),
    "identity": of_each(),
    "lstm_and_gru": of_lstm_and_gru,
    "memory": of_each(),
    "mini_batches": of_each(),
    "refinements": of_all("refinements_steps"),
    "richness": of_richness,
    "separability": of_each("separability_shares"),
    "training_cost": of_each("cost_trainings"),
    "truncation": of_truncation,
}


@pytest.mark.parametrize("exhibit", MADE_OF)
def test_stored_statements_are_those_of_the_stored_tables(exhibit: str) -> None:
    reference = read_table(REFERENCE / "statements" / f"{exhibit}.csv").set_index(["statement", "seed"])["value"]
    module = import_module(f"studies.gated.{exhibit}.measure")
    tables = {name: read_table(REFERENCE / "tables" / f"{name}.csv") for name in module.TABLES}
    seeds = sorted(reference.index.get_level_values("seed").unique())
    values = {(name, seed): value for name, seed, value in MADE_OF[exhibit](module, tables, seeds)}
    series = pd.Series(values, dtype=float).rename_axis(reference.index.names).sort_index()
    pd.testing.assert_series_equal(series, reference.astype(float).sort_index(), rtol=1e-6, atol=0, check_names=False)


def test_every_exhibit_whose_tables_hold_each_seed_is_made_again() -> None:
    """The summary is left out: its statements need numbers of single seeds, of which medians alone are stored."""
    assert {file.stem for file in (REFERENCE / "statements").glob("*.csv")} == {*MADE_OF, "summary"}
