"""Measures behind verdicts, findings and figures, each in a small case that is worked out by hand."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from learnability.claims import Evidence
from studies.learnability_window import measures
from studies.learnability_window.conclusions import conclusions
from studies.learnability_window.tables.resonances import distance_from_comb, harmonics_and_loss, resonances
from studies.learnability_window.tables.tasks import both_tasks, common_divisor
from studies.learnability_window.tables.through_training import detection_order
from studies.learnability_window.tables.windows import complexity_and_share, null_control

ROLES = ("const_gate", "shared_gate", "diag_gate")
GROUP = {role: role for role in ROLES}
LABELS = {"const_gate": "ConstGate", "shared_gate": "SharedGate", "diag_gate": "DiagGate"}
OPTIMIZERS = ("adamw", "sgd", "sgd_momentum")
RUN = {"architecture": "diag_gate", "optimizer": "adamw", "seed": 0}


def of_one(kind: str, optimizer: str = "adamw", **columns: Any) -> Evidence:
    """Evidence with one table of one run."""
    return Evidence({kind: pd.DataFrame(columns).assign(**RUN)}, GROUP, "diag_gate", optimizer, 0)


def noise(alpha: list[float], **columns: Any) -> Evidence:
    values = {"lag": range(len(alpha)), "alpha": alpha, "floored": False, "p_value": 0.5, "scale": 1.0} | columns
    return of_one("noise", **values)


def residuals(values: list[float]) -> Evidence:
    """κ = 2, σ = Δ = 1: R is log N̂."""
    columns = {"lag": range(len(values)), "criterion": "resampling", "kappa": 2.0, "scale": 1.0, "signal": 1.0}
    return of_one("sample_complexity", **columns, sample_complexity=np.exp(values))


def test_the_middle_half_is_trimmed_on_both_sides() -> None:
    """The two first and the two last of eight lags are left out: 3, 4, 5, 4.5 remain."""
    assert measures.residual_middle_range(residuals([90, 50, 3, 4, 5, 4.5, -50, -90])) == pytest.approx(2)
    assert measures.residual_fall(residuals([9, 50, 3, -50, 2.5])) == pytest.approx(6.5)
    assert np.isnan(measures.residual_fall(residuals([9, 2])))


def test_quantiles_of_tail_indices_are_those_that_they_say() -> None:
    """0, 0.01, …, 1: the 90 % point is 0.9, and 95 % less 5 % is 0.9."""
    alpha = np.linspace(0, 1, 101).tolist()
    assert measures.alpha_q90(noise(alpha)) == pytest.approx(0.9)
    assert measures.alpha_spread(noise(alpha)) == pytest.approx(0.9)
    assert measures.alpha_median(noise([1.0, 1.2, 1.9])) == 1.2
    assert measures.alpha_median(noise([1.0, 1.2, 2.0], floored=[False, False, True])) == pytest.approx(1.1)
    assert np.isnan(measures.alpha_spread(noise([1.5, 1.5])))


def test_time_scales_are_counted_at_their_bounds() -> None:
    """Time scales of 3, 3.1, 10 and 10.1 steps: one is at most 3, and two are above 3 and at most 10."""
    evidence = of_one("spectrum", time_scale=[3.0, 3.1, 10.0, 10.1])
    assert measures.tau_q_share_to_3(evidence) == 0.25
    assert measures.tau_q_share_3_to_10(evidence) == 0.5
    assert measures.tau_q_median(evidence) == pytest.approx(6.55)
    assert measures.tau_q_largest(evidence) == 10.1
    assert measures.tau_q_largest(of_one("spectrum", time_scale=[np.nan, 1.0])) == 1
    # 101 units from 1 to 2: the nearest 5 % and 95 % points are 1.05 and 1.95, the median 1.5
    assert measures.tau_q_spread(of_one("spectrum", time_scale=np.linspace(1, 2, 101))) == pytest.approx(0.6)


def test_windows_are_measured_at_their_ends() -> None:
    """Shut at 25 and 50, then 8, 8, 16 steps, with the rows out of order."""
    sizes, horizons = [400, 25, 50, 100, 200], [16, 0, 0, 8, 8]
    evidence = of_one("window", sample_size=sizes, horizon=horizons, chosen=True)
    assert measures.first_horizon(evidence) == 0 and measures.last_horizon(evidence) == 16
    assert measures.horizon_growth(evidence) == 16
    assert measures.horizon_steps(evidence) == 2
    assert measures.opening_size(evidence) == 100


def test_envelopes_are_compared_at_the_lags_that_are_named() -> None:
    """10^-1 at lag 4, 10^-3.5 at lag 32 and 10^-9 at 36; one step of four rises."""
    evidence = of_one("envelope", lag=[4, 20, 32, 36, 40], envelope=[1e-1, 1e-2, 10**-3.5, 1e-9, 1e-8])
    assert measures.decades_to_32(evidence) == pytest.approx(2.5)
    assert measures.monotone_share(evidence) == 0.75
    two = pd.DataFrame({"lag": [16, 20, 24] * 2, "envelope": [9.0, 0.2, 0.1, 1.0, 1.0, 0.2]})
    table = two.assign(architecture=["const_gate"] * 3 + ["diag_gate"] * 3, optimizer="adamw", seed=0)
    of_const = Evidence({"envelope": table}, GROUP, "const_gate", "adamw", 0)
    assert measures.mass_beside_diag(of_const) == 0.5  # 0.2/1 at 20, 0.1/0.2 at 24; not 9 at 16


def test_noise_scales_and_transport() -> None:
    assert measures.stable_distance(noise([1.5] * 4, distance=[0.9, 0.1, 0.2, np.nan])) == 0.2
    assert measures.scale_ratio(noise([1.5] * 3, lag=[8, 4, 12], scale=[9.0, 4.0, 1.0])) == 0.25
    columns = {"lag": [4, 8, 12], "relative_error": [0.1, 0.2, 0.9], "off_diagonal": [0.9, 0.3, 0.2]}
    evidence = of_one("transport", **columns, spectral_norm=[3.0, 1.0, 2.0], nuclear_norm=[4.0, 2.0, 2.0])
    spectrum = pd.DataFrame({"time_scale": [1.0, 2.0]}).assign(**RUN)
    evidence = replace(evidence, tables={**evidence.tables, "spectrum": spectrum})
    assert measures.transport_error(evidence) == 0.2 and measures.off_diagonal_share(evidence) == 0.3
    assert measures.anisotropy(evidence) == 1.5  # of two units: 3/2, 1, 2


def of_all(kind: str, value: dict[str, dict[str, float]], column: str, **columns: Any) -> pd.DataFrame:
    """A table with a value of each role under each optimizer."""
    rows = [
        {"architecture": role, "optimizer": optimizer, "seed": 0, column: number, **columns}
        for role, numbers in value.items()
        for optimizer, number in numbers.items()
    ]
    return pd.DataFrame(rows)


def under(*rows: tuple[float, float, float]) -> dict[str, dict[str, float]]:
    return {role: dict(zip(OPTIMIZERS, row, strict=True)) for role, row in zip(ROLES, rows, strict=True)}


def nine(taus: Any, alphas: Any, horizons: Any, conditions: Any) -> Evidence:
    """Nine networks of a seed."""
    tables = {
        "fits": of_all("fits", under(*taus), "parameter", model="exponential", r_squared=0.9),
        "noise": of_all("noise", under(*alphas), "alpha", lag=4, floored=False),
        "window": of_all("window", under(*horizons), "horizon", sample_size=100, chosen=True),
        "conditioning": of_all("conditioning", under(*conditions), "median", largest=1.0),
    }
    return Evidence(tables, GROUP, "diag_gate", "sgd", 0)


INCREASE = [(1.0, 2.0, 3.0), (4.0, 5.0, 6.0), (7.0, 8.0, 9.0)]
DECREASE = [tuple(2 - 0.1 * number for number in row) for row in INCREASE]


def test_networks_are_ranked_over_optimizers_and_roles() -> None:
    """α̂ falls, windows and condition numbers rise with τ_env: every rank correlation is 1."""
    evidence = nine(INCREASE, DECREASE, INCREASE, [tuple(-number for number in row) for row in INCREASE])
    assert measures.windows_with_envelopes(evidence) == pytest.approx(1)
    assert measures.envelopes_over_conditioning(evidence) == pytest.approx(0)  # in magnitude
    assert measures.windows_with_tails(evidence) == pytest.approx(1)
    assert measures.tail_index_with_decay(evidence) == pytest.approx(1)
    assert measures.tau_env_range(evidence) == pytest.approx(9 / 7)
    assert measures.tau_env_range_over_others(evidence) == pytest.approx(
        9 / 7 / 3
    )  # ConstGate's is 3, SharedGate's 1.5
    assert measures.momentum_shift(evidence) == pytest.approx(9 / 8)
    assert measures.momentum_shift(evidence.of("const_gate")) == pytest.approx(1.5)
    assert measures.tail_index_kept_by_adamw(evidence) == pytest.approx(1.3 - 1.1)
    assert measures.tail_index_kept_by_adamw(nine(INCREASE, [(1.91, 1.9, 2)] * 3, INCREASE, INCREASE)) == np.inf
    assert measures.tau_env_over_former(evidence) == pytest.approx(8 / 5)
    assert measures.alpha_below_others(evidence) == pytest.approx(1.5 - 1.2)


@pytest.mark.parametrize(("apart", "expected"), [(0.101, 1), (0.099, 0)])
def test_tails_that_hardly_differ_select_nothing(apart: float, expected: float) -> None:
    alphas = [tuple(2 - apart * number / 8 for number in row) for row in INCREASE]
    evidence = nine(INCREASE, alphas, INCREASE, INCREASE)
    assert measures.tail_index_with_decay(evidence) == pytest.approx(expected)
    assert measures.windows_with_tails(evidence) == pytest.approx(expected)


def test_windows_of_roles_are_compared_with_the_role_before() -> None:
    """10, 40 and 60 steps: 30 and 20 beyond the former."""
    evidence = nine(INCREASE, DECREASE, [(10.0, 1.0, 2.0), (40.0, 3.0, 2.0), (60.0, 4.0, 9.0)], INCREASE)
    adamw = Evidence(evidence.tables, GROUP, "diag_gate", "adamw", 0)
    assert measures.least_step_of_windows(adamw) == 20
    assert measures.horizon_lead_of_adamw(adamw) == 51


@pytest.mark.parametrize(("last", "expected"), [(0.4, 0.5), (0.39, 1.0), (0.1, np.inf)])
def test_adamw_is_timed_until_it_has_the_better_end_of_the_others(last: float, expected: float) -> None:
    """AdamW has 0.4 at epoch 2 of 4 and 0.2 at the last; SGD ends with 0.9, momentum with what is asked."""
    curves = {"adamw": [1, 0.7, 0.4, 0.4, 0.2], "sgd": [1, 1, 1, 1, 0.9], "sgd_momentum": [0.05, 1, 1, 1, last]}
    rows = [
        pd.DataFrame({"epoch": range(5), "validation_loss": losses}).assign(**RUN | {"optimizer": name})
        for name, losses in curves.items()
    ]
    evidence = Evidence({"curve": pd.concat(rows)}, GROUP, "diag_gate", "sgd", 0)
    assert measures.time_of_adamw(evidence) == expected


def test_a_mixture_explains_a_power_law_only_where_there_is_one() -> None:
    """f̂ is the sum of its units' exponentials, so that the mixture explains all of it."""
    lags = np.array([4, 8, 16, 32])
    f = 2 * np.exp(-lags / 5) + 3 * np.exp(-lags / 20)
    run = {"architecture": "diag_gate", "optimizer": "adamw", "seed": 0}
    for power, expected in ((0.9, 1.0), (0.89, -np.inf)):
        tables = {
            "envelope": pd.DataFrame({"lag": lags, "envelope": f}).assign(**run),
            "spectrum": pd.DataFrame({"time_scale": [5.0, 20.0, np.nan], "constant": [2.0, 3.0, 9.0]}).assign(**run),
            "fits": pd.DataFrame({"model": ["exponential", "power"], "r_squared": [0.9, power]}).assign(**run),
        }
        evidence = Evidence(tables, GROUP, "diag_gate", "adamw", 0)
        assert measures.mixture_r2_of_power_law(evidence) == pytest.approx(expected)


def test_the_slowest_quantile_is_fitted() -> None:
    lags = np.arange(4, 40, 4)
    evidence = of_one("envelope", lag=lags, rate_q05=np.exp(-lags / 2), rate_q95=np.exp(-lags / 6))
    assert measures.slowest_quantile(evidence) == pytest.approx(6)
    assert measures.slowest_quantile(of_one("envelope", lag=lags, rate_q95=np.exp(lags / 6))) == np.inf


def test_windows_of_exponential_envelopes_may_grow_with_the_logarithm() -> None:
    """Closed at 100, 20 steps at 100 e³, τ_env = 10 and κ = 2: 15 of the 20 steps are the logarithm's."""
    sizes = 100 * np.exp([0.0, 1.0, 3.0])
    tables = of_all("fits", under(*[(10.0, 1.0, 1.0)] * 3), "parameter", model="exponential", r_squared=0.9)
    power = tables.assign(model="power", r_squared=np.where(tables["architecture"] == "diag_gate", 0.86, 0.85))
    windows = {"const_gate": [0, 8, 20], "shared_gate": [0, 0, 0], "diag_gate": [0, 8, 128]}
    rows = [
        pd.DataFrame({"sample_size": sizes, "horizon": steps, "chosen": True}).assign(**RUN | {"architecture": role})
        for role, steps in windows.items()
    ]
    kappa = pd.concat(
        [pd.DataFrame({"kappa": [2.0, 2.0, 9.0], "chosen": True, **RUN, "architecture": role}) for role in ROLES]
    )
    evidence = Evidence(
        {"fits": pd.concat([tables, power]), "window": pd.concat(rows), "sample_complexity": kappa},
        GROUP,
        "diag_gate",
        RUN["optimizer"],
        0,
    )
    assert measures.growth_beyond_logarithm(evidence) == pytest.approx(5)
    power_laws = evidence.tables["fits"].assign(r_squared=0.9)
    assert np.isnan(measures.growth_beyond_logarithm(replace(evidence, tables=evidence.tables | {"fits": power_laws})))


def test_spreads_of_units_are_compared() -> None:
    """Spreads 0.6 and, of one scale for all units, 0; windows and τ_env in the order of the spreads."""
    scales = {
        "const_gate": np.full(101, 1.0),
        "shared_gate": np.linspace(1, 2, 101),
        "diag_gate": np.linspace(1, 9, 101),
    }
    rows = [
        pd.DataFrame(
            {"time_scale": scales[role] * (1 + 0.1 * order), "architecture": role, "optimizer": name, "seed": 0}
        )
        for role in ROLES
        for order, name in enumerate(OPTIMIZERS)
    ]
    evidence = nine(
        [(1.0,) * 3, (2.0,) * 3, (3.0,) * 3],
        [(2.0,) * 3, (1.9,) * 3, (1.5,) * 3],
        [(3.0,) * 3, (2.0,) * 3, (1.0,) * 3],
        INCREASE,
    )
    evidence = replace(evidence, tables=evidence.tables | {"spectrum": pd.concat(rows)})
    assert measures.tau_q_spread_less_const(evidence.of("shared_gate")) == pytest.approx(0.6)
    assert measures.envelopes_with_spreads(evidence) > 0.9
    assert measures.windows_with_spreads(evidence) < -0.9
    assert measures.spreads_with_tails(evidence) > 0.9


def evidence_of(sizes: dict[str, dict[int, float]]) -> Evidence:
    """log₁₀ N̂ by role and epoch of lag 64; below it other noise, a control, a nearer lag and one that is no lag."""
    rows = [
        {"architecture": role, "epoch": epoch, "lag": lag, "control": control, "noise": kind, "decades": value}
        for role, epochs in sizes.items()
        for epoch, size in epochs.items()
        for lag, control, kind, value in (
            (64, "none", "total", size),
            (64, "none", "matched", -5.0),
            (64, "permuted_errors", "total", -6.0),
            (32, "none", "total", -7.0),
            (80, "none", "total", -8.0),
        )
    ]
    windows = pd.DataFrame(rows).assign(optimizer="adamw", seed=0, sequences=128, alpha=1.5)
    windows["log_sample_complexity"] = windows["decades"] * np.log(10)
    lags = pd.DataFrame({"lag": [32, 64, 80], "coefficient": [0.5, 0.4, 0.0]})
    responses = pd.concat([lags.assign(architecture=role, optimizer="adamw", seed=0, epoch=0) for role in sizes])
    return Evidence({"training_windows": windows, "training_responses": responses}, GROUP, "diag_gate", "adamw", 0)


def test_the_order_of_gates_is_that_of_the_epoch_that_is_named() -> None:
    """Decades: 9, 5, 4 before training; at epoch 1, the last up to 2, 8, 3, 1; later at most 0.7 and 1.5 apart."""
    evidence = evidence_of(
        {
            "const_gate": {0: 9, 1: 8, 3: 0, 9: 9, 10: 1.7, 20: 2.0},
            "shared_gate": {0: 5, 1: 3, 3: 7, 9: 1, 10: 1.0, 20: 0.5},
            "diag_gate": {0: 4, 1: 1, 3: 9, 9: 2, 10: 1.2, 20: 1.5},
        }
    )
    assert measures.decades_below_former_at_start(evidence) == pytest.approx(1)
    assert measures.decades_below_former_at_start(evidence.of("shared_gate")) == pytest.approx(4)
    assert measures.decades_below_former_at_2(evidence) == pytest.approx(2)
    assert measures.decades_apart_later(evidence) == pytest.approx(1.5)


def test_a_gate_that_never_detects_is_infinitely_behind() -> None:
    evidence = evidence_of(
        {"const_gate": {0: np.inf, 10: np.inf}, "shared_gate": {0: 3, 10: 1}, "diag_gate": {0: 3, 10: 1}}
    )
    assert measures.decades_below_former_at_start(evidence.of("shared_gate")) == np.inf
    assert measures.decades_apart_later(evidence) == np.inf
    never = evidence_of({role: {0: np.inf} for role in ROLES})
    assert np.isnan(measures.decades_below_former_at_start(never)) and np.isnan(measures.decades_apart_later(never))


def test_the_table_of_the_order_counts_seeds() -> None:
    """DiagGate needs fewer than SharedGate in one of two seeds, SharedGate fewer than ConstGate in both."""
    parts = [evidence_of({"const_gate": {0: 4}, "shared_gate": {0: 2}, "diag_gate": {0: n}}).tables for n in (1.0, 3.0)]
    windows, responses = (
        pd.concat([part[kind].assign(seed=seed) for seed, part in enumerate(parts)])
        for kind in ("training_windows", "training_responses")
    )
    windows["alpha"] += windows["seed"] / 5
    (row,) = detection_order(windows, responses, LABELS, ROLES).to_dict("records")
    assert (row["epoch"], row["lag"], row["seeds"]) == (0, 64, 2)
    assert row["SharedGate below ConstGate"] == 2
    assert row["DiagGate below SharedGate"] == row["all in order"] == 1
    assert [row[f"α̂, {name}"] for name in ("ConstGate", "DiagGate")] == pytest.approx([1.6, 1.6])
    assert row["log₁₀ N̂, DiagGate"] == pytest.approx(2) and row["factor of medians"] == pytest.approx(100)


def combs_of(counts: list[int], losses: list[float], combs: list[float], fine: list[float]) -> tuple[pd.DataFrame, ...]:
    """Tables of a network at as many epochs, with the harmonics of 32 steps that it carries, and of 31 one."""
    epochs = {"epoch": range(len(counts)), **RUN}
    of_comb = {"carried": counts, "between": 1, "kept": 9, "period": 32, "possible": 17}
    harmonics = pd.DataFrame({**epochs, **of_comb, "comb_loss": combs, "comb_and_between_loss": fine})
    wrong = pd.DataFrame({**epochs, "period": 31, "possible": 16, "carried": 1})
    return harmonics, wrong, pd.DataFrame({**epochs, "validation_loss": losses})


def test_the_distance_from_a_comb_is_that_of_networks_with_as_many_harmonics() -> None:
    """Loss less comb: 0.1, -0.2, -0.3, -0.5, with 0, 4, 5 and 6 harmonics."""
    tables = combs_of([0, 4, 5, 6], [1.1, 0.8, 0.6, 0.3], [1.0, 1.0, 0.9, 0.8], [1.0, 0.9, 0.5, 0.4])
    rows = distance_from_comb(tables[0], tables[2], {}).set_index("of")
    assert rows["epochs"].tolist() == [4, 1, 1, 2, 1]
    assert rows["from the comb"].tolist() == pytest.approx([-0.25, 0.1, -0.2, -0.4, -0.5])
    assert rows["magnitude"].tolist() == pytest.approx([0.25, 0.1, 0.2, 0.4, 0.5])
    assert rows["from the comb with those between"].tolist() == pytest.approx([0.0, 0.1, -0.1, 0.0, -0.1])
    assert rows["its magnitude"].tolist() == pytest.approx([0.1, 0.1, 0.1, 0.1, 0.1])
    assert rows["below the comb"].tolist() == [3, 0, 1, 2, 1]


def test_resonances_are_counted_at_the_last_epoch() -> None:
    (row,) = resonances(*combs_of([0, 4], [1.1, 0.8], [1.0, 1.0], [1.0, 0.9]), LABELS).to_dict("records")
    assert (row["at harmonics"], row["half-way between"], row["anywhere"], row["at harmonics of 31"]) == (4, 1, 9, 1)
    assert (row["validation loss"], row["loss of such a comb"], row["with those between"]) == (0.8, 1.0, 0.9)
    assert (row["below the comb"], row["seeds"]) == (1, 1)


def test_counts_are_ranked_with_the_loss_each_for_itself() -> None:
    ranks = harmonics_and_loss(*combs_of([0, 4, 6], [1.1, 0.8, 0.3], [1.0] * 3, [1.0] * 3), {}, 1).set_index("counted")
    assert ranks.index.tolist() == ["harmonics of 32", "half-way between", "anywhere", "harmonics of 31"]
    assert ranks.loc["harmonics of 32", "Spearman"] == pytest.approx(-1)
    assert np.isnan(ranks.loc["harmonics of 31", "Spearman"])


def test_two_tasks_are_compared_at_equal_epochs() -> None:
    """Lags 4 and 8 against 3 and 8, at epochs 0 and 2; epoch 5 is of one alone."""

    def task(lags: list[int], epochs: list[int], loss: float, share: float, cycles: list[float]) -> list[pd.DataFrame]:
        at = pd.MultiIndex.from_product([epochs, lags], names=["epoch", "lag"]).to_frame(index=False).assign(**RUN)
        windows = at.assign(control="none", noise="total", sequences=10)
        windows["log_sample_complexity"] = np.log(windows["lag"].map({lags[0]: 10, 8: 11}))
        matched_windows = windows.assign(noise="matched", log_sample_complexity=0.0)
        off = at.assign(lag=5, coefficient=0.0, response=1.0)
        spectra = [
            pd.DataFrame({"epoch": epoch, "frequency": np.array(cycles) / 4, "modulus": [0.9, 0.9, 0.5]}).assign(**RUN)
            for epoch in epochs
        ]
        return [
            pd.DataFrame({"epoch": epochs, "validation_loss": loss}).assign(**RUN),
            pd.concat([windows, matched_windows]),
            pd.concat([at.assign(coefficient=0.5, response=0.5 * share), off]),
            pd.concat(spectra),
        ]

    tables = [
        table
        for pair in zip(
            task([4, 8], [0, 2], 0.3, 0.9, [0, 1, 1]), task([3, 8], [0, 2, 5], 0.6, 0.4, [0, 0.5, 1]), strict=True
        )
        for table in pair
    ]
    rows = both_tasks(*tables)
    assert rows[["epoch", "divisor"]].to_numpy().tolist() == [[0, 4], [2, 4], [0, 1], [2, 1]]
    table = common_divisor(*tables, LABELS)
    last = table[table["epoch"] == 2].to_dict("records")
    assert [row["divisor"] for row in last] == [4, 1]
    assert [row["validation_loss"] for row in last] == [0.3, 0.6]
    assert [row["share 2"] for row in last] == pytest.approx([0.9, 0.4])
    assert [(row["detected"], row["measured"]) for row in last] == [(1, 2)] * 2  # 10 sequences detect the nearer lag
    assert [row["resonances"] for row in last] == [2, 2]  # 0.9^4 = 0.66, 0.5^4 = 0.06
    assert [row["at harmonics"] for row in last] == [2, 1]


def test_conclusions_hold_in_a_share_of_readings() -> None:
    """DiagGate's window is the longest in one of two readings; SharedGate's is longer than ConstGate's in both."""
    rows = [
        {"role": role, "noise": kind, "sample_size": size, "horizon": horizon}
        for kind, ends in {"matched": ((4, 4), (8, 8), (0, 16)), "total": ((4, 4), (8, 8), (8, 8))}.items()
        for role, horizons in zip(ROLES, ends, strict=True)
        for size, horizon in zip((25, 100), horizons, strict=True)
    ]
    table = conclusions(pd.DataFrame(rows)).set_index("conclusion")
    assert table["holds"].tolist() == [0.5, 0.5, 0.5, 1, 1, 1]
    assert table["noise: matched"].tolist() == [1, 1, 1, 1, 1, 1] and table["readings"].tolist() == [2] * 6


def test_networks_with_false_windows_are_counted_once() -> None:
    """Networks are two: one opens with errors of another sequence, at one N, the other under random signs."""
    keys = {"architecture": "diag_gate", "optimizer": "adamw", "transport": "exact", "chosen": True}
    control = pd.DataFrame({"seed": [0, 0, 1], "horizon": [0, 8, 0], "sequences": 300}).assign(**keys)
    flips = pd.DataFrame({"seed": [0, 1, 1], "low": [0.1, 0.05, 0.11], "level": 0.1}).assign(**keys)
    (row,) = null_control(flips, control, LABELS).to_dict("records")
    assert (row["permuted"], row["random signs"], row["networks"], row["sequences"]) == (1, 1, 2, 300)


def test_complexity_is_ranked_with_the_share_at_each_lag() -> None:
    """N̂ rises over three networks while the share falls; the median over directions counts."""
    base = {"optimizer": "adamw", "architecture": "diag_gate", "lag": 4}
    sizes = pd.DataFrame(
        {"seed": [0, 0, 0, 1, 2], "log_sample_complexity": [1.0, 1.0, 99.0, 2.0, 3.0], "chosen": True}
    ).assign(**base)
    shares = pd.DataFrame({"seed": [0, 1, 2], "response": [0.9, 0.5, 0.1], "coefficient": 0.5}).assign(**base)
    off = shares.assign(lag=6, coefficient=0.0)
    (row,) = complexity_and_share(sizes, pd.concat([shares, off]), LABELS).to_dict("records")
    assert (row["lag"], row["networks"], row["Spearman"]) == (4, 3, pytest.approx(-1))
