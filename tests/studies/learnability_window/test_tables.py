"""Tables from rows made by hand."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from studies.learnability_window.tables.networks import learned, learning_rates
from studies.learnability_window.tables.transport import transport_check
from studies.learnability_window.tables.windows import (
    echoes,
    floor,
    spread,
    task_lags,
    window_order,
    windows,
    windows_by_direction,
    windows_by_option,
)

LABELS = {"diag_gate": "DiagGate", "const_gate": "ConstGate"}
RUN = {"architecture": "diag_gate", "optimizer": "adamw", "transport": "exact", "chosen": True}


def rows(**columns):
    """A lag in each row."""
    return pd.DataFrame({"seed": 0, "direction": 0, **columns}).assign(**RUN)


def test_sample_complexities_at_the_lags_of_the_task_stand_beside_those_between():
    table = rows(
        lag=[2, 4, 6, 8, 10],
        task_lag=[False, True, False, True, False],
        log_sample_complexity=[1.0, 2.0, 5.0, 3.0, np.inf],
    )
    row = task_lags(table, LABELS).iloc[0]
    assert row["architecture"] == "DiagGate"
    assert row[["lags at", "lags away"]].tolist() == [2, 3]
    assert row[["found at", "found away"]].tolist() == pytest.approx([1, 2 / 3])
    assert row[["log N̂ at", "log N̂ between"]].tolist() == [2.5, 5]  # between 4 and 8


def test_criteria_that_were_not_chosen_do_not_count():
    table = rows(lag=[4], task_lag=[True], log_sample_complexity=[2.0])
    criteria = pd.concat([table, table.assign(log_sample_complexity=99.0, chosen=False)])
    assert task_lags(criteria, LABELS)["log N̂ at"].tolist() == [2]


def test_spreads_over_seeds_directions_and_draws_are_told_apart():
    rng = np.random.default_rng(0)
    rows = []
    for lag in range(40):
        for seed, offset in enumerate(rng.normal(0, 3, 40)):
            for direction, shift in enumerate(rng.normal(0, 0.5, 4)):
                value = 10 + offset + shift
                ends = {"log_sample_complexity_low": value - 0.196, "log_sample_complexity_high": value + 0.196}
                rows.append({"lag": lag, "seed": seed, "direction": direction, "log_sample_complexity": value, **ends})
    row = spread(pd.DataFrame(rows).assign(**RUN), LABELS).iloc[0]
    assert row["over seeds"] == pytest.approx(3, rel=0.1)
    assert row["over directions"] == pytest.approx(0.5, rel=0.15)
    assert row["bootstrap"] == pytest.approx(0.1)


def test_one_seed_and_one_direction_have_no_spread():
    row = spread(
        rows(
            lag=[2, 4],
            log_sample_complexity=[1.0, np.inf],
            log_sample_complexity_low=0.5,
            log_sample_complexity_high=2.0,
        ),
        LABELS,
    ).iloc[0]
    assert row["lags"] == 1
    assert np.isnan([row["over seeds"], row["over directions"]]).all()


def test_windows_are_medians_over_seeds_of_medians_over_directions():
    ends = {0: [0, 0, 8], 1: [8, 8, 8], 2: [64, 8, 64]}
    table = pd.concat(
        rows(sample_size=[100], horizon=[end], seed=seed, direction=direction)
        for seed, horizons in ends.items()
        for direction, end in enumerate(horizons)
    )
    assert windows(pd.concat([table, table.assign(chosen=False, horizon=99)]), LABELS)["N = 100"].tolist() == [8]
    assert windows(table[table["seed"] != 1], LABELS)["N = 100"].tolist() == [32]


def test_windows_are_counted_over_seeds_and_directions():
    horizons = {100: [0, 0, 0, 8], 1600: [4, 8, 0, 64]}
    table = [
        rows(sample_size=[size], horizon=[horizon], seed=number // 2, direction=number % 2)
        for size, values in horizons.items()
        for number, horizon in enumerate(values)
    ]
    counts = windows_by_direction(pd.concat([*table, table[0].assign(chosen=False, horizon=99)]), LABELS).set_index("N")
    assert counts["windows"].tolist() == [4, 4]
    assert counts["open"].tolist() == [0.25, 0.75]
    assert counts.loc[1600, ["0%", "25%", "50%", "75%", "100%"]].tolist() == [0, 3, 6, 22, 64]


def test_seeds_with_windows_in_order_are_counted_and_windows_that_need_no_signal():
    ends = {"a": [4, 4, 0, 4], "b": [8, 8, 4, 2], "c": [12, 16, 0, 20]}
    permuted = {"a": [0, 0, 0, 4], "b": [8, 0, 4, 0], "c": [12, 0, 0, 20]}
    real, without = (
        pd.concat(
            rows(sample_size=[100], horizon=[end], seed=seed).assign(architecture=name)
            for name, horizons in of_table.items()
            for seed, end in enumerate(horizons)
        )
        for of_table in (ends, permuted)
    )
    (row,) = window_order(real, without, {name: name.upper() for name in "abc"}, list("abc")).to_dict("records")
    assert (row["N"], row["seeds"], row["in order"]) == (100, 4, 2)
    assert [row[f"kept, {name}"] for name in "ABC"] == [1, 2, 2]
    assert row["in order and kept, C"] == 1


def test_windows_end_at_lags_of_the_task_and_at_others():
    response = pd.DataFrame({"lag": [1, 2, 3, 4], "coefficient": [0.0, 0.5, 0.0, 0.2]})
    as_it_is, with_echoes = (
        pd.concat(rows(sample_size=[100], horizon=[end], seed=seed) for seed, end in enumerate(ends))
        for ends in ([0, 3, 3, 4, 2], [0, 1, 4, 4, 2])
    )
    alternative = rows(sample_size=[100], horizon=[4]).assign(chosen=False)
    (row,) = echoes(pd.concat([as_it_is, alternative]), with_echoes, response, LABELS).to_dict("records")
    assert (row["N"], row["windows"]) == (100, 5)
    assert [row["end at the task's lags"], row["end at others"]] == [0.4, 0.4]
    assert [row["end at the task's lags, echoes granted"], row["end at others, echoes granted"]] == [0.6, 0.2]


def test_what_was_learned_is_told_by_lag_and_by_part_of_the_loss():
    run = {"architecture": "diag_gate", "optimizer": "sgd"}
    response = pd.DataFrame(
        {
            "seed": [0] * 4 + [1] * 4,
            "lag": [1, 2, 3, 4] * 2,
            "coefficient": [0.0, 0.5, 0.0, 0.2] * 2,
            "response": [0.05, 0.4, -0.1, 0.0, -0.05, 0.5, -0.2, 0.1],
        }
    )
    parts = ["noise", "missing", "echoes", "rest"]
    loss = pd.DataFrame(
        {"seed": [0] * 4 + [1] * 4, "part": parts * 2, "loss": [0.09, 0.1, 0.3, 0.0, 0.09, 0.3, 0.1, 0.02]}
    )
    (row,) = learned(response.assign(**run), loss.assign(**run), LABELS).to_dict("records")
    assert row == pytest.approx(
        {
            "optimizer": "sgd",
            "architecture": "DiagGate",
            "r/c at 2": 0.9,
            "r/c at 4": 0.25,
            "largest echo": -0.15,
            "its lag": 3,
            **dict(zip([f"loss: {part}" for part in parts], [0.09, 0.2, 0.2, 0.01], strict=True)),
            "seeds": 2,
        }
    )


def test_learning_rates_take_the_last_epoch_of_each_run():
    run = {"architecture": "diag_gate", "optimizer": "sgd_0.01"}
    fits = pd.DataFrame({"seed": [0, 1], "model": "exponential", "r_squared": [0.9, 0.7], "parameter": [4.0, 6.0]})
    power = fits.assign(model="power", parameter=99.0)
    curve = pd.DataFrame(
        {
            "seed": [0, 0, 1, 1],
            "epoch": [0, 1, 1, 0],
            "training_loss": [9.0, 0.4, 0.6, 9.0],
            "validation_loss": [9.0, 0.5, 0.7, 9.0],
            "clipped_fraction": [np.nan, 0.2, 0.6, np.nan],
        }
    )
    gates = curve[["seed", "epoch"]].assign(mean=[0.5, 0.2, 0.4, 0.5])
    tables = [table.assign(**run) for table in (pd.concat([power, fits]), curve, gates)]
    (row,) = learning_rates(*tables, LABELS).to_dict("records")
    assert row == pytest.approx(
        {
            "optimizer": "sgd_0.01",
            "architecture": "DiagGate",
            "training loss": 0.5,
            "validation loss": 0.6,
            "clipped steps": 0.4,
            "mean gate": 0.3,
            "R² (semi-log)": 0.8,
            "τ_env": 5.0,
            "τ_env, smallest": 4.0,
            "τ_env, largest": 6.0,
            "seeds": 2,
        }
    )


def test_the_floor_makes_lags_normal():
    noise = pd.DataFrame(
        {
            "lag": [2, 12, 40, 48],
            "spread": [1e-3, 1e-9, 1e-13, 1e-15],
            "alpha_unfloored": [1.4, 1.5, 1.2, 1.3],
            "scale_unfloored": [1e-3, 1e-9, 1e-13, 1e-15],
        }
    ).assign(seed=0, direction=0, **RUN)
    larger = noise.assign(direction=1, scale_unfloored=5 * noise["scale_unfloored"])
    row = floor(pd.concat([noise, larger]), LABELS).iloc[0]
    assert row[["lags floored", "first floored", "first floored, last seed"]].tolist() == [0.5, 40, 40]
    above = row[[f"decades above at {lag}" for lag in (12, 40, 120)]]
    assert above.tolist() == pytest.approx([3, -1, np.nan], nan_ok=True)
    assert row[["α̂ without", "α̂ with"]].tolist() == pytest.approx([1.35, 1.75])
    assert row["σ̂ largest/smallest"] == pytest.approx(1e12)


@pytest.mark.parametrize(("spreads", "last"), [([1e-9, 1e-13], 40), ([1e-9, 1e-9], np.nan)])
def test_the_first_lag_below_the_floor_is_of_each_seed(spreads: list[float], last: float):
    noise = pd.DataFrame({"lag": [12, 40], "alpha_unfloored": 1.5, "scale_unfloored": 1.0}).assign(direction=0, **RUN)
    seeds = [noise.assign(seed=0, spread=1e-13), noise.assign(seed=1, spread=spreads)]
    row = floor(pd.concat(seeds), LABELS).iloc[0]
    assert row[["first floored", "first floored, last seed"]].tolist() == pytest.approx([12, last], nan_ok=True)


def test_windows_by_option_show_their_interval_where_there_is_one():
    rows = pd.DataFrame(
        {
            "option": ["as named", "estimator"] * 2,
            "value": [np.nan, "hill"] * 2,
            "sample_size": [400, 400, 12_800, 12_800],
            "horizon": [1, 1, 16, 8],
            "horizon_low": [0, np.nan, 12, np.nan],
            "horizon_high": [2, np.nan, 20, np.nan],
        }
    )
    table = windows_by_option(rows.assign(architecture="diag_gate"), LABELS)
    assert table.to_numpy().tolist() == [["as named", "", "16 [12, 20]"], ["estimator", "hill", "8"]]


def test_the_check_of_transport_is_that_of_each_networks_two_envelopes_over_lags():
    rng, lags = np.random.default_rng(0), np.arange(4, 132, 4)
    networks = []
    for architecture, seed, has_reset in (("diag_gate", 0, False), ("diag_gate", 1, False), ("const_gate", 0, True)):
        names = {"architecture": architecture, "optimizer": "adamw", "seed": seed}
        sums = {kind: np.exp(rng.normal(size=32)) * 0.8**lags for kind in ("exact", "first_order", "eq26")}
        sums["eq26"] = sums["eq26"] if has_reset else np.nan
        networks.append(pd.DataFrame({"lag": lags, **sums}).assign(**names))
    check = transport_check(pd.concat(networks), LABELS)
    assert check["gru_rates"].tolist() == ["both", "both", "strict", "eq26"]
    assert check["architecture"].tolist() == ["DiagGate", "DiagGate", "ConstGate", "ConstGate"]
    assert check["seed"].tolist() == [0, 1, 0, 0]
    sides = [(0, "first_order"), (1, "first_order"), (2, "first_order"), (2, "eq26")]
    for (_, row), (place, column) in zip(check.iterrows(), sides, strict=True):
        exact, first = networks[place]["exact"], networks[place][column]
        exact_slope, first_slope = (stats.linregress(np.log10(lags), np.log10(f)).slope for f in (exact, first))
        assert row["lags"] == 32
        assert row["Spearman"] == pytest.approx(stats.spearmanr(exact, first).statistic, rel=1e-12)
        assert row["Pearson of logs"] == pytest.approx(stats.pearsonr(np.log10(exact), np.log10(first)).statistic)
        assert row["slope, exact"] == pytest.approx(exact_slope)
        assert row["slope, first order"] == pytest.approx(first_slope)
        assert row["slope ratio"] == pytest.approx(first_slope / exact_slope)
        assert row["orders at the last lag"] == pytest.approx(np.log10(exact.iloc[-1] / first.iloc[-1]))


def test_envelopes_that_fall_alike_pass_the_check_and_so_do_others_that_fall_at_all():
    lags = np.arange(4, 132, 4)
    alike, steep = 3.0 / lags, 0.3**lags
    pair = {"architecture": "diag_gate", "optimizer": "adamw", "lag": lags, "exact": 2.0 / lags}
    table = pd.concat([pd.DataFrame(pair | {"seed": n, "first_order": f}) for n, f in enumerate((alike, steep))])
    check = transport_check(table, LABELS)
    assert check["Spearman"].tolist() == pytest.approx([1, 1])
    assert check["slope ratio"].iloc[0] == pytest.approx(1)
    assert check["slope ratio"].iloc[1] > 40
