"""Formulas of the study on cases that are worked out by hand, whatever is stored."""

import numpy as np
import pandas as pd
import pytest
import torch

from learnability.networks.frozen import Frozen
from learnability.stats.thresholds import log_n50
from learnability.transport import TorchEngine
from studies.ground_truth import contest as of_contest
from studies.ground_truth import growth as of_growth
from studies.ground_truth.answers import n50_cell
from studies.ground_truth.choices import _choices, _outcome, _swapped
from studies.ground_truth.contest import (
    NONE,
    _error_left_out,
    _Field,
    _field,
    _finite,
    _left_out,
    _lines,
    _order,
    _resample,
    _scores,
    _scores_of_all,
    clipped,
    contest,
    contest_by_seeds,
    half_learned,
    judged,
    left_out,
    thresholds,
    winner,
)
from studies.ground_truth.growth import size_ratios
from studies.ground_truth.larger.numbers import n50_steps
from studies.ground_truth.tables import _in_steps
from studies.ground_truth.thresholds.numbers import still_rising
from studies.ground_truth.thresholds.numbers import tried as sizes_tried
from studies.ground_truth.trials import Budget, _learned, prepare_trials

SIZES = np.array([0.1, 10, 1000])


@pytest.fixture(autouse=True)
def few_draws(monkeypatch):
    monkeypatch.setattr(of_contest, "DRAWS", 60)


def generator():
    return np.random.default_rng(0)


def trials_of(n50, fresh=1.0, sizes=SIZES, grid="dense"):
    """Trials of settings (architecture, lag), a seed for each of their thresholds, where r/c passes ½."""
    rows = [
        [grid, architecture, lag, seed, size, 0.5 + 0.1 * np.log(size / threshold) if np.isfinite(size) else fresh]
        for (architecture, lag), of_seeds in n50.items()
        for seed, threshold in enumerate(of_seeds)
        for size in [*sizes, np.inf]
    ]
    names = ["grid", "architecture", "lag", "seed", "sample_size", "share"]
    return pd.DataFrame(rows, columns=names).assign(updates=10, gap=0.0)


def candidates(**values):
    """Candidates at the start alone, from log₁₀ of settings, the same in all of two seeds or as given."""
    rows = [
        ["dense", architecture, lag, seed, 0, name, log_value * np.log(10), 100.0 + ord(architecture[0])]
        for name, of_settings in values.items()
        for (architecture, lag), of_seeds in of_settings.items()
        for seed, log_value in enumerate(of_seeds)
    ]
    names = ["grid", "architecture", "lag", "seed", "updates", "candidate", "value", "parameters"]
    return pd.DataFrame(rows, columns=names)


def settings_of(*rows):
    return pd.DataFrame(rows, columns=["grid", "architecture", "lag", "half"])


@pytest.mark.parametrize(
    ("n50", "expected"),
    [
        ([10, 20, np.inf, np.inf], 20),  # two of four learn from 20
        ([10, 20, 30, 40], 20),
        ([10, 20, 30], 20),
        ([30, 10], 10),
        ([np.inf, np.inf, 10], np.inf),
        ([0, 5], 0),
        ([7], 7),
    ],
)
def test_n50_is_the_least_n_from_which_half_of_the_seeds_learn(n50, expected) -> None:
    with np.errstate(divide="ignore"):
        log_size = log_n50(np.log(np.array([n50], float)))
    assert np.exp(log_size[0]) == pytest.approx(expected)


def test_n50_of_four_seeds_from_their_trials() -> None:
    (row,) = half_learned(trials_of({("a", 4): [10, 20, 1e6, 1e6]}), generator()).to_dict("records")
    assert row["n50"] == pytest.approx(20) and row["seeds"] == 4
    assert row["n50_low"] >= 10 * (1 - 1e-9) and row["n50_high"] == np.inf


def test_a_threshold_lies_on_a_line_in_log_n_and_one_half_is_not_beyond_it() -> None:
    table = trials_of({("a", 4): [1]}, sizes=np.array([2.0, 8.0]))
    table["share"] = [0.25, 0.75, 0.5]
    (row,) = thresholds(table).to_dict("records")
    assert np.exp(row["log_threshold"]) == pytest.approx(4) and not row["reachable"]
    table["share"] = [0.5, 0.5, 0.51]
    (row,) = thresholds(table).to_dict("records")
    assert row["log_threshold"] == np.inf and row["reachable"]
    table["share"] = [0.6, np.nan, np.nan]  # diverged: nothing learned, and 0.6 and 0 have a mean below one half
    (row,) = thresholds(table).to_dict("records")
    assert row["log_threshold"] == np.inf and not row["reachable"]


def test_a_lag_is_learned_from_infinitely_many_or_from_those_that_were_tried() -> None:
    table = trials_of({("a", 4): [10, 10, 1e6], ("b", 4): [1e6, 1e6, 1e6]}, fresh=0.2)
    table.loc[table["architecture"].eq("b") & np.isinf(table["sample_size"]), "share"] = [0.9, 0.6, np.nan]
    rows = half_learned(table, generator()).set_index("architecture")
    assert rows["learned"].tolist() == pytest.approx([2 / 3, 2 / 3])
    assert rows["reachable"].tolist() == pytest.approx([0, 2 / 3])
    assert rows["fresh_share"].tolist() == pytest.approx([0.2, 0.6])
    assert np.isinf(rows.loc["b", "n50"]) and rows.loc["a", "n50"] == pytest.approx(10)


def test_the_contest_is_over_settings_that_at_least_half_of_the_seeds_learn() -> None:
    table = trials_of({("a", 4): [10] * 4, ("b", 4): [10] * 4, ("c", 4): [10] * 4})
    for architecture, seeds in (("b", (0, 1)), ("c", (0, 1, 2))):
        rows = table["architecture"].eq(architecture) & np.isinf(table["sample_size"]) & table["seed"].isin(seeds)
        table.loc[rows, "share"] = 0.1
    values = candidates(some=dict.fromkeys([("a", 4), ("b", 4), ("c", 4)], [1.0] * 4))
    assert _field(table, values).settings["architecture"].tolist() == ["a", "b"]


def test_what_is_beyond_the_n_that_were_tried_is_clipped() -> None:
    with np.errstate(divide="ignore"):
        decades = clipped(np.log(np.array([0, 4, np.inf])), np.array([2.0, 8.0]))
    np.testing.assert_allclose(decades, np.log10([1, 4, 16]))


def test_an_infinite_candidate_is_ten_times_its_largest_finite_value() -> None:
    values = np.array([[1, 2, np.inf], [np.inf] * 3])
    np.testing.assert_allclose(_finite(values, np.full(3, True)), [[1, 2, 3], [0, 0, 0]])
    members = np.array([True, False, True])
    np.testing.assert_allclose(_finite(values, members)[0], [1, 2, 2])


def test_lines_are_of_least_squares() -> None:
    x, y = np.array([[0.0, 1, 7, 2], [1, 1, 7, 1], [0, 0, 7, 3]]), np.array([1.0, 3, 7, 5])
    slopes, offsets = _lines(x, y, np.array([True, True, False, True]))
    np.testing.assert_allclose(slopes, [2, 0, 1])
    np.testing.assert_allclose(offsets, [1, 3, 2])
    slopes, offsets = _lines(x, y, np.full(4, False))
    assert slopes.tolist() == [0, 0, 0] and np.isnan(offsets).all()


HALVES = settings_of(
    ("g", "a", 1, "development"), ("g", "b", 2, "development"), ("g", "a", 2, "held_out"), ("g", "b", 1, "held_out")
)
LOG_N50, CANDIDATE = np.array([0.0, 1, 1, 2]), np.array([0.0, 1, 0, 1])
FIELD = _Field(
    settings=HALVES,
    architectures=np.array([0, 1, 0, 1]),
    places=np.array([0, 1, 1, 0]),
    log_thresholds=LOG_N50[:, None] * np.log(10),
    names=["x"],
    candidates=CANDIDATE[None, :, None] * np.log(10),
    sizes=np.array([1.0, 10, 100]),
)


def test_scores_of_four_settings() -> None:
    """Halves lie on lines of slope 1, one ten times above the other: each prediction is ten times off."""
    scores = _scores_of_all(FIELD)
    np.testing.assert_allclose(scores["slope"][:, 0], [1, 1, 1])
    np.testing.assert_allclose(scores["error"][:, 0], [1, 1, 1])
    np.testing.assert_allclose(scores["share_right"][:, 0], [2 / 3] * 3)  # of 1, 10 and 100 one is on the wrong side
    assert np.isnan(scores["correlation"][:2, 0]).all()
    assert scores["correlation"][2, 0] == pytest.approx(3 / (2 * np.sqrt(4.5)))


def test_order_is_the_mean_over_lags_of_the_correlation_over_architectures() -> None:
    values = np.array([[1.0, 2, 3, 30, 20, 10], [1, 2, 3, 10, 20, 30]])
    n50, groups = np.array([5.0, 6, 7, 1, 2, 3]), np.array([0, 0, 0, 1, 1, 1])
    np.testing.assert_allclose(_order(values, n50, groups, 2), [0, 1], atol=1e-12)


def test_a_resample_draws_architectures_with_all_their_settings_and_seeds() -> None:
    field = FIELD._replace(log_thresholds=np.zeros((4, 5)), candidates=np.zeros((1, 4, 5)))
    draws = [_resample(field, np.random.default_rng(number)) for number in range(200)]
    assert {tuple(sorted(rows)) for rows, _ in draws} == {(0, 0, 2, 2), (0, 1, 2, 3), (1, 1, 3, 3)}
    assert {len(seeds) for _, seeds in draws} == {5}
    assert len({tuple(seeds) for _, seeds in draws}) > 150 and max(seeds.max() for _, seeds in draws) == 4


def test_draws_together_are_what_each_is_alone() -> None:
    generator = np.random.default_rng(5)
    field = FIELD._replace(log_thresholds=generator.normal(size=(4, 3)), candidates=generator.normal(size=(2, 4, 3)))
    draws = [(np.array([0, 2, 1, 3, 0]), np.array([2, 0, 0])), (np.array([1, 3, 3]), np.array([1, 1, 2]))]
    rows = np.stack([np.pad(settings, (0, 5 - len(settings)), constant_values=NONE) for settings, _ in draws])
    for of_draws in (_scores, _error_left_out):
        together = of_draws(field, rows, np.stack([seeds for _, seeds in draws]))
        alone = [of_draws(field, settings[None], seeds[None]) for settings, seeds in draws]
        for score, values in together.items():
            np.testing.assert_allclose(values, np.concatenate([draw[score] for draw in alone]), err_msg=score)


def test_intervals_of_the_contest_hold_what_seeds_do() -> None:
    """Resamples of one architecture have the same settings; only their seeds differ."""
    n50 = {("a", lag): [10.0 * lag, 40.0 / lag, 10.0, 20.0 * lag, 15.0] for lag in (1, 2, 3, 4)}
    values = candidates(some={names: [float(names[1])] * 5 for names in n50})
    table = contest(trials_of(n50), values, generator()).set_index(["candidate", "half"])
    row = table.loc["some, start", "all"]
    assert row["error_low"] < row["error_high"]


VERDICT = pd.DataFrame(
    [
        ["lag", "development", 0.1, 0, 0, 1.0],
        ["generalisation_gap", "development", 0.1, 0, 0, 1.0],
        ["x, start", "development", 0.2, 0, 0, 1.0],
        ["y, start", "development", 0.3, 1, 1, 1.0],
        ["x, start", "held_out", 0.4, 0.95, 0.95, 0.1],
    ],
    columns=["candidate", "half", "error", "better_than_lag", "better_than_parameters", "correlation_low"],
)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, "x, start"),
        ({"better_than_lag": 0.94}, ""),
        ({"better_than_parameters": 0.94}, ""),
        ({"correlation_low": 0.0}, ""),
    ],
)
def test_the_winner_is_better_than_both_baselines_and_rises_with_n50(changes, expected) -> None:
    table = VERDICT.copy()
    for name, value in changes.items():
        table.loc[4, name] = value
    assert judged(table) == "x, start" and winner(table) == expected


def test_halves_are_exchanged_and_the_outcome_is_of_the_held_out_half() -> None:
    assert _swapped(VERDICT)["half"].tolist() == ["held_out"] * 4 + ["development"]
    lag = {**dict.fromkeys(VERDICT, 0.0), "candidate": "lag", "half": "held_out", "error": 0.7}
    table = pd.concat([VERDICT, pd.DataFrame([lag])]).assign(correlation=0.5, correlation_high=0.9)
    row = _outcome(table)
    assert (row["judged"], row["error"], row["error_of_lag"], row["foretells"]) == ("x, start", 0.4, 0.7, True)
    assert not _outcome(table.assign(better_than_lag=0.5))["foretells"]


def test_choices_move_what_counts_as_learned_and_the_updates() -> None:
    table = pd.concat([trials_of({("a", 4): [10]}).assign(updates=updates, share=0.1 * updates) for updates in (5, 6)])
    choices = _choices(table, ["dense", "sparse"])
    assert choices["learned: r/c > 0.3"][0]["share"].unique() == pytest.approx([0.8])
    assert choices["learned: r/c > 0.7"][0]["share"].unique() == pytest.approx([0.4])
    assert choices["after 5 updates"][0]["share"].unique() == pytest.approx([0.5])
    last, grids = choices["sparse alone"]
    assert last["updates"].unique() == [6] and grids == ["sparse"]


OF_THREE = {("a", 1): 1, ("a", 2): 10, ("b", 1): 1, ("b", 2): 10, ("c", 1): 10, ("c", 2): 100}
"""N₅₀ of three architectures: a and b on one line in the candidate, c ten times above."""


def test_an_architecture_is_predicted_by_the_line_of_all_others() -> None:
    n50 = {names: [value] * 3 for names, value in OF_THREE.items()}
    values = candidates(x={names: [float(names[1])] * 3 for names in n50})
    rows = left_out(trials_of(n50), values, generator()).set_index(["candidate", "architecture"])
    errors = rows.loc["x, start", "error"]
    assert errors[["a", "b", "c"]].tolist() == pytest.approx([0.5, 0.5, 1])
    assert errors["all"] == pytest.approx(np.sqrt((4 * 0.25 + 2) / 6))
    row = rows.loc["x, start", "all"]
    assert row["error_low"] < row["error"] < row["error_high"]
    assert rows.loc[("lag", "all"), "better_than_lag"] == 0


def test_copies_of_an_architecture_are_left_out_together() -> None:
    names = settings_of(("g", "a", 1, ""), ("g", "a", 2, ""), ("g", "b", 1, ""), ("g", "b", 2, ""))
    n50, x = np.array([2.0, 3, 0, 2]), np.array([0.0, 1, 0, 1])
    field = FIELD._replace(
        settings=names,
        architectures=np.array([0, 0, 1, 1]),
        log_thresholds=n50[:, None] * np.log(10),
        candidates=x[None, :, None] * np.log(10),
        sizes=np.array([1e-9, 1e9]),
    )
    (predictions,), _ = _left_out(field, np.array([[0, 1, 0, 1, 2, 3]]), np.zeros((1, 1), int))
    np.testing.assert_allclose(predictions, [[0, 2, 0, 2, 2, 3]])  # a by 0 + 2x of b, b by 2 + x of a


def test_the_contest_with_three_of_four_seeds() -> None:
    n50 = {names: [value] * 4 for names, value in OF_THREE.items()}
    right = {names: [np.log10(value)] * 4 for names, value in OF_THREE.items()}
    infinite = {names: [np.inf, np.inf, 0.0, 0.0] for names in n50}
    values = candidates(right=right, wrong=infinite)
    rows = contest_by_seeds(trials_of(n50), values)
    assert rows["seeds"].tolist() == ["0 1 2", "0 1 3", "0 2 3", "1 2 3"]
    assert rows["judged"].str.startswith("right").all() and rows["infinite"].eq(0).all()
    np.testing.assert_allclose(rows["error"], 0, atol=1e-9)
    alone = contest_by_seeds(trials_of(n50), values[values["candidate"] == "wrong"])
    assert alone["infinite"].tolist() == [1, 1, 0, 0]
    fewer = trials_of({names: [value] * 3 for names, value in OF_THREE.items()})
    assert len(contest_by_seeds(fewer, values[values["seed"] < 3])) == 0


def test_growth_beyond_the_n_that_were_tried_is_bounded() -> None:
    short, long = np.log10([4.0, 4, 4, 4, 4]), np.log10([40.0, 40, 40, 40, 40])
    short[[0, 3]], long[[2, 3]] = -np.inf, np.inf
    growth = of_growth._censored_growth(short, long, np.log10([2.0, 400]))
    # ratios: at least 40/2, 10, at least 400/4, at least 400/2, 10
    assert growth["decades_low"] == pytest.approx(np.log10(20)) and growth["decades_high"] == np.inf
    assert (growth["architectures"], growth["censored"]) == (5, 3)
    decline = of_growth._censored_growth(np.array([np.inf]), np.log10([40.0]), np.log10([2.0, 400]))
    assert decline["decades_low"] == -np.inf and decline["decades_high"] == pytest.approx(-1)


def test_growth_of_a_candidate_counts_where_it_is_infinite() -> None:
    growth = of_growth._growth(np.array([0.0, 1, 2, np.inf]), np.array([1.0, np.inf, 5, 2]))
    assert growth["decades_low"] == growth["decades_high"] == 3
    assert (growth["architectures"], growth["infinite"]) == (3, 1)


def test_a_law_is_fitted_with_an_offset_for_each_architecture() -> None:
    lags = [2, 4, 8]
    table = pd.DataFrame({"architecture": ["a"] * 3 + ["b"] * 3, "lag": lags * 2, "q": [0.0, 1, 1, 10, 11, 11]})
    assert of_growth._fit(table, "q", np.log10) == pytest.approx(0.75)
    assert np.isnan(of_growth._fit(table[table["lag"] < 8], "q", np.log10))


def test_ratios_of_larger_networks_are_in_sequences_and_in_usable_steps() -> None:
    small = trials_of({("a", 32): [20] * 5, ("b", 32): [1e6] * 5, ("c", 32): [10, 20, 30, 40, 50]}, grid="sparse")
    large = trials_of({("a", 32): [10] * 3, ("b", 32): [10] * 3, ("c", 32): [60] * 3}, grid="larger")
    rows = size_ratios(pd.concat([small, large]), {"sparse": 256, "larger": 512}, generator()).set_index("architecture")
    assert rows.loc["a", ["ratio", "ratio_low", "ratio_high"]].tolist() == pytest.approx([0.5] * 3)
    assert rows.loc["a", "steps_ratio"] == pytest.approx(0.5 * 480 / 224)
    assert np.isnan(rows.loc["b", "ratio"])
    assert rows.loc["c", "ratio"] == pytest.approx(2) and rows.loc["c", "ratio_low"] < 2 < rows.loc["c", "ratio_high"]


def test_n50_in_usable_steps() -> None:
    table = pd.DataFrame(
        {"grid": ["g", "h"], "lag": [4, 8], "n50": [3.0, np.inf], "n50_low": [0.0, 2], "n50_high": [5.0, 6]}
    )
    steps = _in_steps(table, {"g": 10, "h": 20})
    assert steps["n50_steps"].tolist() == [18, np.inf] and steps["n50_steps_low"].tolist() == [0, 24]


def test_a_budget_looks_twice_and_measures_at_powers_of_ten() -> None:
    budget = Budget({}, 1.0, 6000, 16)
    assert budget.looks == [3000, 6000] and budget.path == [0, 10, 100, 1000, 3000, 6000]


def test_the_gap_is_in_parts_of_the_variance_of_targets() -> None:
    """A network of zeros predicts 0: its loss is the mean square of the targets."""
    task_settings = {
        "name": "delayed_sum",
        "input_size": 2,
        "duration": 12,
        "lags": [2],
        "coefficients": [0.8],
        "noise_sd": 0.1,
    }
    frozen, task = prepare_trials(
        {"cell": "const_gate", "gate_value": 0.7}, task_settings, {"hidden_size": 4}, False, 30, 1, 0
    )
    zeros = {name: torch.zeros_like(value).double() for name, value in frozen.network.initial_parameters(1, 0).items()}
    training = Frozen.of(frozen.network, {}, task.generate("training", 3))
    gap = _learned(zeros, frozen, training, task, TorchEngine())["gap"].unique()
    fresh, few = frozen.targets.numpy(), training.targets.numpy()
    assert gap == pytest.approx([((fresh**2).mean() - (few**2).mean()) / fresh.var(ddof=1)])


def test_six_lags_do_not_count_among_the_n_that_were_tried() -> None:
    shares = pd.DataFrame(
        {"grid": ["a", "six_lags"], "N = 2": [0.1, np.nan], "N = 400": [0.2, 0.2], "N = 1600": [np.nan, 1]}
    )
    assert sizes_tried(shares.assign(**{"N = ∞": 0.5})) == (2, 400)


def test_cells_of_n50() -> None:
    row = pd.Series({"n50": 0.0, "n50_low": 0.0, "n50_high": np.inf, "learned": 0.5, "n50_steps": 0.0})
    assert n50_cell(row) == "< [<, >]" and n50_steps(row) == "–"
    assert n50_steps(row.replace({0.0: 7.0})) == "7"
    assert n50_cell(row.replace({0.5: 0.49})) == "–"


def test_dashes_that_still_rise_are_counted() -> None:
    rises = {"a": (0.1, 0.16), "b": (0.1, 0.14), "c": (0.1, 0.4)}
    table = pd.DataFrame(
        [
            ["g", name, 4, updates, share, float(name == "c")]
            for name, ends in rises.items()
            for updates, share in zip((50, 100), ends, strict=True)
        ],
        columns=["grid", "architecture", "lag", "updates", "fresh_share", "learned"],
    )
    assert still_rising(table) == 1
