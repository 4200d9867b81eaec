"""Generation: errors against a literal loop, what a perfect network would show, and what is said of them."""

import numpy as np
import pandas as pd
import pytest
import torch

from layout import assert_complete
from learnability.core.errors import InputError
from learnability.networks.network import Network
from learnability.report.style import Style
from learnability.tasks import build_task
from studies.gated.exhibit import ExhibitRequest, Trained
from studies.gated.generation import measure as generation
from studies.gated.generation.figure import draw
from studies.gated.generation.measure import EXPERIMENTS, FORCED, FREE, RESERVOIR
from studies.gated.generation.numbers import numbers

SETTINGS = {
    "warm_up": 8,
    "lyapunov_times": 1.2,
    "sequences": 3,
    "lost": 0.4,
    "lyapunov": {"steps": 400, "count": 4},
    "reservoir": {"drawn": {"units": 30, "bias_scale": 0.3, "input_scale": 0.3}, "penalties": [1e-6], "washout": 5},
}
TASKS = {
    "lorenz": {"name": "lorenz", "step": 0.1, "duration": 30},
    "mackey_glass": {"name": "mackey_glass", "delay": 30, "duration": 30},
}
STYLE = Style(("gru", "lstm"), {"gru": "b", "lstm": "r"}, {"gru": "GRU", "lstm": "LSTM"}, width_mm=175, font_size=7)


def a_network(series: str, architecture: str, seed: int) -> Trained:
    sizes = {"training_sequences": 20, "validation_sequences": 4}
    task = build_task(TASKS[series], 1, seed)
    network = Network.for_task({"cell": architecture, "gate_init": 0.5}, task, hidden_size=4, readout_bias=True)
    parameters = {name: value.double() for name, value in network.initial_parameters(1, seed).items()}
    settings = {"task": TASKS[series] | sizes}
    return Trained(series, architecture, seed, network, parameters, task, pd.DataFrame(), settings)


@pytest.fixture(scope="module")
def case():
    models = [a_network(*names) for names in ((s, a, n) for s in EXPERIMENTS for a in ("gru", "lstm") for n in (0, 2))]
    return ExhibitRequest(SETTINGS, [0, 2], 1, models)


@pytest.fixture(scope="module")
def exhibit(case):
    return generation.make(case)


def test_errors_are_those_of_a_loop(case, exhibit):
    model = case.trained[1]
    table = (
        exhibit.tables["generation_growth"]
        .set_index(["experiment", "architecture", "seed", "mode", "step"])
        .sort_index()
    )
    errors = table.loc[("lorenz", "gru", 2)]
    steps = len(errors.loc[FREE])
    task = build_task(TASKS["lorenz"] | {"duration": 7 + steps}, 1, 2)
    data = task.generate("test", 3)
    x, y = (np.asarray(part, float) for part in (data.inputs, data.targets))
    spread = np.sqrt(y[:, 7:].var((0, 1)).sum())
    cell, parameters = model.network.cell, model.parameters
    for mode in (FORCED, FREE):
        sizes = []
        for series, targets in zip(x, y, strict=True):
            state, prediction = cell.initial_state(torch.tensor(series[:1])), None
            for t in range(8 + 3):
                x_t = series[t] if mode == FORCED or t < 8 else prediction
                state = cell.step(cell.prepared(parameters), state, torch.tensor(x_t)[None])
                prediction = model.network.read_out(parameters, cell.output(state))[0].numpy()
            sizes.append(np.linalg.norm(prediction - targets[10]) / spread)
        row = errors.loc[(mode, 4)]
        assert row["error"] == pytest.approx(np.sqrt(np.mean(np.square(sizes))))
        assert row["typical"] == pytest.approx(np.exp(np.mean(np.log(sizes))))


def test_both_are_the_same_at_the_first_step(exhibit):
    table = exhibit.tables["generation_growth"]
    first = table[table["step"] == 1].pivot(index=["experiment", "architecture", "seed"], columns="mode")
    np.testing.assert_allclose(first["error"][FREE], first["error"][FORCED], rtol=1e-12)


def test_a_reservoir_stands_beside_the_networks_with_a_readout_of_its_own(exhibit):
    times = exhibit.tables["generation_times"].set_index(["experiment", "architecture", "seed"])
    assert len(times) == 12
    for series, size in (("lorenz", 3), ("mackey_glass", 1)):
        rows = times.loc[series]
        assert (rows.loc[RESERVOIR, "trained"] == 31 * size).all()
        assert (rows.loc[RESERVOIR, "one_step_error"] < rows.loc["gru", "one_step_error"] / 3).all()


def test_the_rate_is_that_of_the_exponential_that_was_put_in():
    errors = 1e-4 * np.exp(0.3 * np.arange(60))
    assert generation.growth_rate(errors, 0.1) == pytest.approx(0.3)
    assert np.isnan(generation.growth_rate(np.full(60, 0.5), 0.1))


def test_a_series_that_is_never_lost_is_followed_to_its_end():
    steps = range(1, 11)
    rows = [pd.DataFrame({"mode": mode, "step": steps, "error": 0.1, "typical": 0.01}) for mode in (FORCED, FREE)]
    assert generation._times(pd.concat(rows), 0.4, 0.2)["followed"] == 10
    growth = rows[1].assign(error=np.linspace(0.1, 1, 10))
    assert generation._times(pd.concat([rows[0], growth]), 0.4, 0.2) | {"growth": 0} == {
        "exponent": 0.2,
        "one_step_error": pytest.approx(0.1),
        "forced_at_lyapunov_time": 0.1,
        "free_at_lyapunov_time": pytest.approx(0.5),
        "followed": 3,
        "followed_lyapunov_times": pytest.approx(0.6),
        "growth": 0,
    }


def test_a_series_that_is_not_chaotic_is_named(case):
    calm = build_task({"name": "mackey_glass", "delay": 5, "duration": 30}, 1, 0)
    periodic = [model._replace(task=calm) for model in case.trained if model.experiment == "mackey_glass"]
    chaotic = [model for model in case.trained if model.experiment == "lorenz"]
    with pytest.raises(InputError, match=r"'task of mackey_glass' must be chaotic"):
        generation.make(case._replace(trained=chaotic + periodic))


@pytest.mark.parametrize("seeds", [[0], [0, 2]])
def test_the_figure_is_whole(exhibit, seeds, tmp_path):
    tables = {name: table[table["seed"].isin(seeds)] for name, table in exhibit.tables.items()}
    assert_complete(draw(tables, STYLE), tmp_path)


def test_numbers_of_the_page_are_medians(exhibit):
    times = exhibit.tables["generation_times"]
    page = numbers(exhibit.tables, {})
    rows = times[times["experiment"] == "lorenz"]
    assert page["worse"]["lorenz"] == pytest.approx(
        (rows["free_at_lyapunov_time"] / rows["forced_at_lyapunov_time"]).median()
    )
    networks = numbers(exhibit.tables | {"generation_times": times.assign(growth=np.nan)}, {})["lost"]
    assert len(networks) == len(times) and f"lorenz {RESERVOIR}" in networks
    assert page["reservoir"]["trained"].min() == 31
    assert exhibit.statements["statement"].nunique() == 6
