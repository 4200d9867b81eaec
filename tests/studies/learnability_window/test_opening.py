"""Epochs at which lags are detected and learned, from rows made by hand."""

import numpy as np
import pandas as pd
import pytest

from studies.learnability_window.opening import detected_before_learned, first_epochs
from studies.learnability_window.tables.through_training import through_training

EPOCHS = [0, 1, 5, 20]


def network(seed, detection_epochs, learning_epochs, permuted_log_size=np.inf):
    """N̂ falls to 10 at the `detection_epochs` of each lag; r reaches c at its `learning_epochs`."""
    run = {"architecture": "lstm", "optimizer": "adamw", "seed": seed}
    windows = [
        run
        | {"epoch": epoch, "control": control, "noise": noise, "lag": lag, "sequences": 128}
        | {"log_sample_complexity": value}
        for lag in detection_epochs
        for epoch in EPOCHS
        for control, noise, value in (
            ("none", "total", np.log(10) if epoch >= detection_epochs[lag] else np.log(1000)),
            ("none", "matched", 0.0),
            ("permuted_errors", "total", permuted_log_size),
        )
    ]
    responses = [
        run
        | {"epoch": epoch, "lag": lag, "coefficient": 0.5, "response": 0.5 if epoch >= learning_epochs[lag] else 0.06}
        for lag in learning_epochs
        for epoch in EPOCHS
    ]
    off_task = run | {"epoch": 0, "lag": 7, "coefficient": 0.0, "response": 0.3}
    return pd.DataFrame(windows), pd.DataFrame([*responses, off_task])


def join(*networks):
    return [pd.concat(parts, ignore_index=True) for parts in zip(*networks, strict=True)]


def table(windows, responses, root_seed=1):
    return detected_before_learned(windows, responses, root_seed).set_index(["noise", "N", "r/c"])


def test_the_first_epoch_is_found_and_never_is_infinite():
    windows, responses = network(0, {4: 1, 8: np.inf}, {4: 5, 8: 20})
    epochs = first_epochs(windows, responses).set_index(["noise", "lag"])
    assert epochs.loc[("total", 4), ["detected", "learned_0.1", "learned_0.5"]].tolist() == [1, 0, 5]
    assert epochs.loc[("total", 8), ["detected", "learned_0.5"]].tolist() == [np.inf, 20]
    assert epochs.loc[("matched", 8), "detected"] == 0


def test_lags_are_counted_by_what_comes_first():
    windows, responses = join(
        network(0, {4: 0, 8: 5}, {4: 1, 8: 5}),
        network(1, {4: 5, 8: 5}, {4: 1, 8: np.inf}),
    )
    row = table(windows, responses).loc[("total", 128, 0.5)]
    assert row[["networks", "lags", "learned"]].tolist() == [2, 4, 3]
    assert row[["detected before", "same", "after", "detected, not learned"]].tolist() == [1, 1, 1, 1]
    row_of_control = table(windows, responses).loc[("permuted", 128, 0.5)]
    assert row_of_control[["learned", "detected before", "after"]].tolist() == [3, 0, 3]


def test_fewer_sequences_detect_later_and_more_than_were_measured_are_not_asked_for():
    windows, responses = network(0, {4: 1}, {4: 5})
    windows["log_sample_complexity"] = np.log(windows["epoch"].map({0: 200, 1: 100, 5: 50, 20: 10}))
    counts = table(windows, responses).loc["total"]
    assert counts.index.unique("N").tolist() == [16, 64, 128]
    assert counts.index.unique("r/c").tolist() == [0.05, 0.1, 0.2, 0.5]
    order = counts[["detected before", "same", "after"]].xs(0.5, level="r/c")
    assert order.to_numpy().tolist() == [[0, 0, 1], [0, 1, 0], [1, 0, 0]]
    assert counts.loc[(128, 0.1), "after"] == 1  # r is 0.06, 0.12 of c, from the start
    fewer = table(windows.assign(sequences=40), responses)
    assert fewer.index.unique("N").tolist() == [16, 40]


def test_intervals_are_drawn_from_the_root_seed():
    times = np.random.default_rng(0).choice(EPOCHS, (12, 2, 2))
    windows, responses = join(
        *(
            network(seed, *(dict(zip((4, 8), epochs, strict=True)) for epochs in pair))
            for seed, pair in enumerate(times)
        )
    )
    first, again, second = (table(windows, responses, root_seed)[["low", "high"]] for root_seed in (1, 1, 2))
    pd.testing.assert_frame_equal(first, again)
    assert (first != second).loc[("total", 128, 0.5)].all()


def test_the_correlation_is_1_where_lags_are_learned_as_they_are_detected():
    times = [{4: 0, 8: 5}, {4: 1, 8: 20}, {4: 1, 8: 5}]
    windows, responses = join(*(network(seed, epochs, epochs) for seed, epochs in enumerate(times)))
    row = table(windows, responses).loc[("total", 128, 0.5)]
    assert row[["Spearman", "low", "high"]].tolist() == pytest.approx([1, 1, 1])


def test_what_is_detected_with_errors_of_another_sequence_is_counted():
    windows, responses = network(0, {4: 0}, {4: 1}, permuted_log_size=0.0)
    counts = table(windows, responses)
    assert counts.loc[("permuted", 128, 0.5), "detected before"] == 1


def test_the_table_has_the_epochs_that_are_asked_for():
    windows, responses = join(network(0, {4: 1}, {4: 5}), network(1, {4: 5}, {4: np.inf}))
    (row,) = through_training(windows, responses, {"lstm": "LSTM"}).to_dict("records")
    assert row["log₁₀ N̂, epoch 0, total"] == pytest.approx(3)
    assert row["log₁₀ N̂, epoch 20, total"] == pytest.approx(1)
    assert (row["detected"], row["r/c ≥ 0.5"], row["half learned"], row["seeds"]) == (3, np.inf, 1, 2)
    assert [row["r/c, epoch 5"], row["r/c, epoch 20"]] == pytest.approx([0.56, 0.56])  # between 0.12 and 1
