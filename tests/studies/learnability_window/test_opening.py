"""When lags are seen and when they are learned, from rows made by hand."""

import numpy as np
import pandas as pd
import pytest

from studies.learnability_window.opening import first_epochs, seen_before_learned
from studies.learnability_window.tables import through_training

EPOCHS = [0, 1, 5, 20]


def network(seed, seen, learned, permuted=np.inf):
    """N̂ falls to 10 at epoch `seen` of each lag; r reaches c at epoch `learned`."""
    run = {"architecture": "lstm", "optimizer": "adamw", "seed": seed}
    windows = [
        run
        | {"epoch": epoch, "control": control, "noise": noise, "lag": lag, "sequences": 128}
        | {"log_sample_complexity": value}
        for lag in seen
        for epoch in EPOCHS
        for control, noise, value in (
            ("none", "total", np.log(10) if epoch >= seen[lag] else np.log(1000)),
            ("none", "matched", 0.0),
            ("permuted_errors", "total", permuted),
        )
    ]
    responses = [
        run | {"epoch": epoch, "lag": lag, "coefficient": 0.5, "response": 0.5 if epoch >= learned[lag] else 0.06}
        for lag in learned
        for epoch in EPOCHS
    ]
    off_task = run | {"epoch": 0, "lag": 7, "coefficient": 0.0, "response": 0.3}
    return pd.DataFrame(windows), pd.DataFrame([*responses, off_task])


def joined(*networks):
    return [pd.concat(parts, ignore_index=True) for parts in zip(*networks, strict=True)]


def test_the_first_epoch_is_found_and_never_is_infinite():
    windows, responses = network(0, {4: 1, 8: np.inf}, {4: 5, 8: 20})
    found = first_epochs(windows, responses).set_index(["noise", "lag"])
    assert found.loc[("total", 4), ["seen", "learned_0.1", "learned_0.5"]].tolist() == [1, 0, 5]
    assert found.loc[("total", 8), ["seen", "learned_0.5"]].tolist() == [np.inf, 20]
    assert found.loc[("matched", 8), "seen"] == 0


def test_lags_are_counted_by_what_comes_first():
    windows, responses = joined(
        network(0, {4: 0, 8: 5}, {4: 1, 8: 5}),
        network(1, {4: 5, 8: 5}, {4: 1, 8: np.inf}),
    )
    found = seen_before_learned(windows, responses).set_index(["noise", "r/c"]).loc[("total", 0.5)]
    assert found[["networks", "lags", "learned"]].tolist() == [2, 4, 3]
    assert found[["seen before", "same", "after", "seen, not learned"]].tolist() == [1, 1, 1, 1]
    permuted = seen_before_learned(windows, responses).set_index(["noise", "r/c"]).loc[("permuted", 0.5)]
    assert permuted[["learned", "seen before", "after"]].tolist() == [3, 0, 3]


def test_the_correlation_is_1_where_lags_are_learned_as_they_are_seen():
    times = [{4: 0, 8: 5}, {4: 1, 8: 20}, {4: 1, 8: 5}]
    windows, responses = joined(*(network(seed, own, own) for seed, own in enumerate(times)))
    found = seen_before_learned(windows, responses).set_index(["noise", "r/c"]).loc[("total", 0.5)]
    assert found[["Spearman", "low", "high"]].tolist() == pytest.approx([1, 1, 1])


def test_what_is_seen_with_errors_of_another_sequence_is_counted():
    windows, responses = network(0, {4: 0}, {4: 1}, permuted=0.0)
    found = seen_before_learned(windows, responses).set_index(["noise", "r/c"])
    assert found.loc[("permuted", 0.5), "seen before"] == 1


def test_the_table_has_the_epochs_that_are_asked_for():
    windows, responses = joined(network(0, {4: 1}, {4: 5}), network(1, {4: 5}, {4: np.inf}))
    (row,) = through_training(windows, responses, {"lstm": "LSTM"}).to_dict("records")
    assert row["log₁₀ N̂, epoch 0, total"] == pytest.approx(3)
    assert row["log₁₀ N̂, epoch 20, total"] == pytest.approx(1)
    assert (row["seen"], row["r/c ≥ 0.5"], row["seeds"]) == (3, np.inf, 2)
