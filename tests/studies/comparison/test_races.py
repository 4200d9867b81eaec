"""Races of small cells: scores by hand, and that a race is what its seeds say."""

import numpy as np
import pandas as pd
import pytest
import torch

from learnability.networks.network import Network
from learnability.tasks import Sequences, build_task
from learnability.training.engines import NativeEngine, StackedEngine
from learnability.windows.readings import DetectionOptions, Reading, StatisticOptions
from studies.comparison import races
from studies.comparison.races import Candidate, Runner, compete, lengthen, size_up, tune
from studies.comparison.scores import chance, explainable, score
from studies.comparison.settings import Race

SUM = {"name": "delayed_sum", "input_size": 1, "duration": 10, "lags": [2, 4], "coefficients": [0.6, 0.5]}
SUM |= {"noise_sd": 0.3, "training_sequences": 20, "validation_sequences": 12, "test_sequences": 12}
RECALL = {"name": "recall", "duration": 5, "pairs": 2, "keys": 3, "values": 4}
RECALL |= {name: SUM[name] for name in ("training_sequences", "validation_sequences", "test_sequences")}
READING = Reading(StatisticOptions(probe="own_gradient", directions=1), detection=DetectionOptions(draws=100))
RACE = Race.model_validate(
    {
        "parameters": 80,
        "rates": [0.001, 0.01],
        "tried": 1,
        "seeds": 2,
        "updates": 4,
        "batch_size": 5,
        "gradient_clip": 1.0,
        "optimizer": {"method": "adam"},
        "measured": 20,
    }
)


def runner(cell="min_gru", task=SUM, **changes):
    return Runner({"cell": cell}, task, RACE.model_copy(update=changes), root_seed=1)


def test_the_score_of_a_delayed_sum_is_its_explained_variance():
    """Alone it can catch a best or a guess that is not what the task allows: both are made by hand."""
    task = build_task(SUM, 1, 0)
    batch = task.generate("diagnostic", 40_000)
    assert explainable(task) == pytest.approx(0.36 * 0.8 + 0.25 * 0.6)

    clean = np.zeros(batch.targets.shape)
    for lag, coefficient in zip(task.lags, task.coefficients, strict=True):
        clean[:, lag:] += coefficient * (batch.inputs @ task.direction)[:, :-lag]
    network = Network.for_task({"cell": "rnn"}, task, hidden_size=2)
    silent = {name: torch.zeros_like(value) for name, value in network.initial_parameters(1, 0).items()}
    samples = [batch._replace(targets=(batch.targets - values).astype(np.float32)) for values in (clean, 0 * clean)]
    assert [score(network, silent, task, sample) for sample in samples] == pytest.approx([1.0, 0.0], abs=0.02)


def test_the_score_of_classes_is_0_for_a_guess_and_1_for_no_error():
    task = build_task(RECALL, 1, 0)
    sequences = task.generate("diagnostic", 4000)
    network = Network.for_task({"cell": "rnn"}, task, hidden_size=2, readout_bias=True)
    parameters = {name: torch.zeros_like(value) for name, value in network.initial_parameters(1, 0).items()}
    parameters["b"][1] = 1.0  # says the second value, whatever is asked
    assert chance(task) == 1 / 4
    assert score(network, parameters, task, sequences) == pytest.approx(0.0, abs=0.03)
    always = Sequences(sequences.inputs, np.ones_like(sequences.targets), sequences.mask)
    assert score(network, parameters, task, always) == pytest.approx(1.0)


def test_a_seed_is_trained_on_its_own_sequences_whoever_trains_beside_it():
    """Alone it can catch batches that are given to another model of the stack than the one whose seed they are of."""
    pair = runner().train([Candidate(0.01, 0), Candidate(0.001, 3)])
    (alone,) = runner().train([Candidate(0.001, 3)])
    for name, parameter in alone[4].items():
        torch.testing.assert_close(pair[1][4][name], parameter, msg=name)
    assert sorted(alone) == [0, 2, 4]


def test_the_rate_is_the_one_with_the_best_mean_score():
    rows, rate = tune(runner(tried=2))
    last = rows[rows["updates"] == 4]
    means = {candidate: last[last["rate"] == candidate]["score"].mean() for candidate in RACE.rates}
    assert rate == max(means, key=means.get)
    assert sorted(last["seed"].unique()) == [0, 1]


def test_of_rates_that_differ_by_rounding_alone_the_smaller_is_chosen(monkeypatch):
    few = [(0.01, 0, 4, 0.3), (0.01, 1, 4, 0.3), (0.03, 0, 4, 0.1 + 0.2), (0.03, 1, 4, 0.1 + 0.2)]
    rows = pd.DataFrame(few, columns=["rate", "seed", "updates", "score"])
    assert rows["score"][2] > rows["score"][0]
    monkeypatch.setattr(races, "_scores", lambda *_: rows)
    assert tune(runner(tried=2))[1] == 0.01


@pytest.mark.parametrize("task", [SUM, RECALL], ids=["sum", "recall"])
def test_what_competes_are_fresh_seeds(task):
    tables = compete(runner(task=task), 0.01, READING)
    assert sorted(tables["scores"]["seed"].unique()) == [1, 2]  # 0 was tried
    assert tables["states"]["longer"].notna().all()
    assert len(tables["gradients"]) == (2 * 2 * 2 if task is SUM else 0)
    assert tables["states"]["capacity_end"].notna().all() == (task is SUM)


def test_a_cell_is_as_large_as_the_parameters_allow():
    shape = size_up(runner())
    assert (
        shape["parameters"]
        <= 80
        < Network.for_task({"cell": "min_gru"}, build_task(SUM, 1, 0), shape["units"] + 1, True).count_parameters()
    )
    assert (shape["depth"], size_up(runner("rnn"))["depth"]) == (4, 10)
    assert (runner().engine, runner("rnn").engine) == (StackedEngine, NativeEngine)


def test_longer_tasks_ask_the_same_of_more_steps():
    longer = lengthen(build_task(SUM, 1, 0))
    assert (longer.duration, longer.lags) == (20, [2, 4])
    assert lengthen(build_task({"name": "denoise", "delay": 3}, 1, 0)).delay == 6
    assert lengthen(build_task({"name": "pixels", "duration": 64}, 1, 0)) is None
