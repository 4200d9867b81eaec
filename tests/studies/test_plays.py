"""Charts to play with, of all questions that have one, from stored tables."""

import json
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd
import pytest
import vl_convert
from pandas.api.types import is_numeric_dtype

from imports import module_file
from learnability.core.store import read_by_name
from learnability.report.pages.play import Play
from stored_index import REFERENCE, names_of, played_from
from studies.ground_truth.tables import last_look
from studies.questions import find_questions

CHARTS = [
    (folder.name, name)
    for folder in sorted(REFERENCE.iterdir())
    if folder.is_dir()
    for name in find_questions(folder.name)
    if module_file(f"studies.{folder.name}.{name}.play").is_file()
]


@cache
def tables_of(study: str) -> dict[str, pd.DataFrame]:
    return read_by_name(played_from(REFERENCE / study))


@cache
def numbers_of(study: str) -> set[Any]:
    """Numbers of the tables behind the charts of a study."""
    tables = tables_of(study).values()
    columns = [table[column] for table in tables for column in table if is_numeric_dtype(table[column])]
    return set(np.unique(np.concatenate([column.dropna().to_numpy(float) for column in columns])).tolist())


def new_play(study: str, name: str) -> Play:
    play: Play = import_module(f"studies.{study}.{name}.play").play(tables_of(study), *names_of(study))
    return play


play = cache(new_play)


def chart_of(study: str, name: str) -> dict[str, Any]:
    specification: dict[str, Any] = json.loads(play(study, name).specification)
    return specification


def columns_of(chart: dict[str, Any]) -> Iterator[tuple[str, set[Any]]]:
    """Values of each column of each data set in a chart."""
    for rows in chart["datasets"].values():
        yield from ((column, set(values.dropna())) for column, values in pd.DataFrame(rows).items())


@pytest.mark.parametrize(("study", "name"), CHARTS)
def test_a_chart_is_vega_lite_and_the_same_each_time(study: str, name: str) -> None:
    """Vega-Lite itself compiles it, and every control of it is an input of HTML that something follows."""
    specification = play(study, name).specification
    assert specification == new_play(study, name).specification
    chart = json.loads(specification)
    vl_convert.vegalite_to_vega({**chart, "width": 600})
    without_parameters = json.dumps([chart.get("layer"), chart.get("vconcat")])
    for parameter in chart["params"]:
        assert parameter["bind"]["input"] in ("range", "select") and parameter["bind"]["name"].strip()
        assert parameter["name"] in without_parameters
        if parameter["bind"]["input"] == "range":
            assert len(chart["usermeta"]["words"][parameter["name"]]) == parameter["bind"]["max"] + 1


@pytest.mark.parametrize(("study", "name"), CHARTS)
def test_a_chart_holds_values_of_tables_alone(study: str, name: str) -> None:
    """Numbers of a chart are in a table; a text may be a name for one."""
    for column, values in columns_of(chart_of(study, name)):
        numbers = {float(value) for value in values if not isinstance(value, str)}
        assert numbers <= numbers_of(study) | {0.0}, column


@pytest.mark.parametrize(("study", "name"), CHARTS)
def test_an_instruction_is_short(study: str, name: str) -> None:
    first = play(study, name).instruction.partition(". ")[0]
    assert first.startswith(("Move the slider", "Choose")) and len(first.split()) <= 25


def test_learning_curves_are_those_of_the_longest_training_by_each_recipe() -> None:
    """SAB copies by the recipe of public code; its longest training as printed ends early, and is drawn to its end."""
    tables, chart = tables_of("attention"), chart_of("attention", "learning")
    points = pd.DataFrame(max(chart["datasets"].values(), key=len))
    copies = points[(points["place"] == "copy, T = 100") & (points["network"] == "SAB")]
    assert set(copies["recipe"]) == {"recipe of public code", "recipe as printed"}
    for recipe, experiment in (("public code", "copy_100_by_authors_code"), ("printed", "copy_100_epochs_1000")):
        curve = tables["learning_curve"].query("architecture == 'sab' and epoch > 0")
        curve = curve[curve["experiment"] == experiment]
        recall = copies[copies["recipe"].str.endswith(recipe)].set_index("epochs")["recall"]
        assert recall.eq(curve.set_index("epoch")["validation_accuracy"][recall.index]).all()
        assert recall.index[-1] == curve["epoch"].max() and 30 < len(recall) < len(curve)
    ends = next(pd.DataFrame(rows) for rows in chart["datasets"].values() if "all_updates" in rows[0])
    ends = ends[(ends["place"] == "copy, T = 100") & (ends["network"] == "SAB")].set_index("recipe")
    assert ends.loc["recipe of public code", "updates"] == 11500
    end = ends.loc["recipe as printed"]
    assert np.isnan(end["updates"]) and (end["accuracy"], end["all_updates"]) == (0.166, 35900)


def test_every_seed_of_a_network_is_drawn_at_the_same_epochs() -> None:
    points = pd.DataFrame(max(chart_of("attention", "learning")["datasets"].values(), key=len))
    curves = tables_of("attention")["learning_curve"].query("experiment == 'copy_300' and architecture == 'rel_rnn'")
    of_network = points[(points["place"] == "copy, T = 300") & (points["network"] == "RelRNN")]
    rows = of_network[of_network["recipe"] == "recipe as printed"]
    assert set(rows.groupby("epochs").size()) == {curves["seed"].nunique()} == {3}


def test_what_n_sequences_teach_is_drawn_as_the_table_has_it() -> None:
    """Medians that the browser takes of the chart's rows are those of the table of learned shares."""
    chart = chart_of("ground_truth", "thresholds")
    rows = pd.DataFrame(max(chart["datasets"].values(), key=len))
    shares = tables_of("ground_truth")["learned_share"]
    medians = rows.groupby(["grid", "architecture", "lag", "sequences"])["share"].median()
    cells = shares.set_index(["grid", "architecture", "lag"])
    assert set(rows["grid"]) == {"dense", "sparse"}
    assert [cells.loc[tuple(key), f"N = {size}"] for *key, size in medians.index] == pytest.approx(medians.tolist())
    gaps = last_look(tables_of("ground_truth")["trials"])["share"].isna().sum()
    assert np.count_nonzero(rows["share"] == 0.0) >= gaps
