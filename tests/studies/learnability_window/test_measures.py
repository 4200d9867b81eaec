"""Measures by which claims are judged, in tables made by hand."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from evidence import (
    CLAIMS,
    GROUPS,
    LAGS,
    SIZES,
    Tables,
    agreeing,
    fits,
    sample_complexity,
    transport,
    window,
    world,
)
from learnability.claims import Evidence, judge_conditions, score
from studies.learnability_window import measures
from studies.learnability_window.measures import COMPARING, FUNCTIONS, MEASURES, ROLES


def test_residuals_are_not_judged_under_a_closed_form() -> None:
    tables = world(agreeing)
    tables["sample_complexity"]["criterion"] = "fano"
    (claim,) = [claim for claim in CLAIMS if claim["id"] == "residual_plateau"]
    scores = score([claim], judge_conditions([claim], tables, GROUPS, MEASURES))
    assert scores["verdict"].tolist() == ["not testable"]


def test_a_scale_that_is_one_number_for_all_lags_is_not_judged() -> None:
    tables = world(agreeing)
    tables["noise"]["scale"] = 0.3
    claims = [claim for claim in CLAIMS if claim["id"].startswith("sigma")]
    assert score(claims, judge_conditions(claims, tables, GROUPS, MEASURES))["verdict"].tolist() == ["not testable"] * 2


def test_a_window_that_never_opens_is_not_called_constant() -> None:
    tables = world(agreeing)
    tables["window"]["horizon"] = 0
    (claim,) = [claim for claim in CLAIMS if claim["id"] == "const_window"]
    assert score([claim], judge_conditions([claim], tables, GROUPS, MEASURES))["verdict"].tolist() == ["not reproduced"]


def test_only_slow_diag_gates_are_no_mixture_of_their_units() -> None:
    stored = Path(__file__).parents[3] / "results" / "reference" / "learnability_window" / "measured"
    tables = {kind: pd.read_csv(stored / f"{kind}.csv.gz") for kind in ("envelope", "spectrum")}
    r2 = {
        (f"{role}{start}", seed): measures.mixture_r2(Evidence(tables, {role: f"{role}{start}"}, role, "adamw", seed))
        for role in ROLES
        for start in ("", "_slow")
        for seed in range(5)
    }
    assert len(r2) == 30
    slow = [value for (name, _), value in r2.items() if name == "diag_gate_slow"]
    assert round(max(slow), 2) == 0.88
    assert all(value > 0.99 for (name, _), value in r2.items() if name != "diag_gate_slow")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_measure_needs_other_roles_only_if_it_says_so(name: str) -> None:
    tables = world(agreeing)
    alone = {kind: table[table["architecture"] == "shared_gate"] for kind, table in tables.items()}

    def value_in(tables: Tables) -> float:
        return FUNCTIONS[name](Evidence(tables, GROUPS["main"], "shared_gate", "adamw", 0))

    among_others = value_in(tables)
    assert not np.isnan(among_others)
    try:
        assert (value_in(alone) == among_others) == (name not in COMPARING)
    except (IndexError, ValueError):  # a quantile or the largest of no units
        assert name in COMPARING


def test_a_unit_that_does_not_decay_has_an_infinite_time_scale() -> None:
    table = pd.DataFrame({"architecture": "diag_gate", "optimizer": "adamw", "seed": 0, "time_scale": [1.0, 2.0, -5.0]})
    evidence = Evidence({"spectrum": table}, GROUPS["main"], "diag_gate", "adamw", 0)
    assert measures.tau_q_largest(evidence) == np.inf
    assert measures.tau_q_median(evidence) == 2


@pytest.mark.parametrize("absent_role", ROLES)
def test_what_is_compared_with_other_roles_needs_all_of_them(absent_role: str) -> None:
    alphas = dict.fromkeys(ROLES, 1.5) | {absent_role: np.nan}
    names = {"optimizer": "adamw", "seed": 0, "direction": 0, "lag": LAGS}
    noise = pd.concat([pd.DataFrame(names | {"architecture": role, "alpha": alphas[role]}) for role in ROLES])
    log_n = {role: np.where(role == absent_role, np.inf, 0.1 * LAGS) for role in ROLES}
    sample_complexities = pd.concat(
        [sample_complexity(1.0 / LAGS, log_n[role], np.zeros(len(LAGS))).assign(architecture=role) for role in ROLES]
    )
    tables = {
        "noise": noise.assign(floored=False),
        "sample_complexity": sample_complexities.assign(optimizer="adamw", seed=0, direction=0),
    }
    for role in ROLES:
        evidence = Evidence(tables, GROUPS["main"], role, "adamw", 0)
        assert np.isnan(measures.alpha_below_others(evidence))
        assert np.isnan(measures.scaling_r2_lead(evidence))


def test_along_several_directions_their_median_counts() -> None:
    windows = [window(np.full(11, horizon)).assign(direction=number) for number, horizon in enumerate([0, 8, 128])]
    run = {"architecture": "diag_gate", "optimizer": "adamw", "seed": 0}
    tables = {"window": pd.concat(windows, ignore_index=True).assign(**run)}
    evidence = Evidence(tables, GROUPS["main"], "diag_gate", "adamw", 0)
    assert evidence.median(measures.last_horizon) == 8
    assert evidence.median(measures.horizon_growth) == 0
    assert evidence.median(measures.opening_size) == SIZES[0]


def test_windows_that_stay_shut_along_some_directions_do_not_make_others_grow_more() -> None:
    horizons = [np.r_[np.zeros(10), end] for end in (0, 0, 96, 112)]
    run = {"architecture": "diag_gate", "optimizer": "adamw", "seed": 0}
    windows = [window(ends).assign(direction=number, **run) for number, ends in enumerate(horizons)]
    evidence = Evidence({"window": pd.concat(windows)}, GROUPS["main"], "diag_gate", "adamw", 0)
    assert evidence.median(measures.horizon_growth) == evidence.median(measures.last_horizon) == 48
    mostly_shut = replace(evidence, tables={"window": pd.concat([*windows[:3], windows[0].assign(direction=3)])})
    assert np.isnan(mostly_shut.median(measures.horizon_growth))


def test_optimizers_are_compared_where_a_seed_has_runs_of_all() -> None:
    tables = world(agreeing)
    evidence = Evidence(tables, GROUPS["main"], "diag_gate", "sgd", 0)
    assert measures.horizon_lead_of_adamw(evidence) == 128 - 36
    fewer = {kind: table[table["optimizer"] != "sgd_momentum"] for kind, table in tables.items()}
    assert np.isnan(measures.horizon_lead_of_adamw(replace(evidence, tables=fewer)))
    assert np.isnan(measures.tau_q_spread_of_adamw(replace(evidence, tables=fewer)))


@pytest.mark.parametrize(
    ("lags", "f", "decades"), [([4, 32, 36], [1, 0.01, 0], 2), ([4, 8], [1, 0], np.inf), ([36, 64], [1, 1], np.nan)]
)
def test_decades_are_of_lags_up_to_32(lags: list[int], f: list[float], decades: float) -> None:
    run = {"architecture": "diag_gate", "optimizer": "adamw", "seed": 0}
    table = pd.DataFrame({"lag": lags, "envelope": np.array(f, dtype=float)}).assign(**run)
    evidence = Evidence({"envelope": table}, GROUPS["main"], "diag_gate", "adamw", 0)
    assert measures.decades_to_32(evidence) == pytest.approx(decades, nan_ok=True)


@pytest.mark.parametrize(("signal", "r2"), [(np.exp(-LAGS / 9), 1), (np.exp(LAGS / 9), 0), (0.0 * LAGS, np.nan)])
def test_a_signal_that_rises_is_no_decay_and_none_says_nothing(signal: np.ndarray, r2: float) -> None:
    run = {"architecture": "diag_gate", "optimizer": "adamw", "seed": 0, "direction": 0}
    table = pd.DataFrame({"lag": LAGS, "signal": signal, "transport": "exact"}).assign(**run)
    evidence = Evidence({"sample_complexity": table}, GROUPS["main"], "diag_gate", "adamw", 0)
    assert measures.signal_exponential_r2(evidence) == pytest.approx(r2, nan_ok=True)


def test_first_order_signals_are_not_judged_for_they_have_the_rates_as_factors() -> None:
    tables = world(agreeing)
    tables["sample_complexity"]["transport"] = "first_order"
    claims = [claim for claim in CLAIMS if claim["id"].startswith("signal")]
    assert score(claims, judge_conditions(claims, tables, GROUPS, MEASURES))["verdict"].tolist() == ["not testable"] * 2


def test_a_window_that_never_opens_does_not_start_at_nought() -> None:
    tables = world(agreeing)
    shut = tables["window"].assign(horizon=0)
    evidence = Evidence(tables, GROUPS["main"], "diag_gate", "adamw", 0)
    assert measures.first_horizon(evidence) == 0
    assert np.isnan(measures.first_horizon(replace(evidence, tables={"window": shut})))


def test_a_tail_index_that_a_floor_sets_is_none() -> None:
    run = {"architecture": "diag_gate", "optimizer": "adamw", "seed": 0, "direction": 0}
    noise = pd.DataFrame({"lag": [4, 8, 12, 16], "alpha": [1.2, 1.4, 2.0, 2.0], "floored": [False, False, True, True]})
    evidence = Evidence({"noise": noise.assign(**run)}, GROUPS["main"], "diag_gate", "adamw", 0)
    assert measures.alpha_median(evidence) == pytest.approx(1.3)
    assert measures.alpha_q90(evidence) < 1.4
    assert measures.alpha_spread(evidence) < 0.2


@pytest.mark.parametrize(("shared_r2", "growth"), [(0.8, 24), (0.88, 0), (0.95, 0)])
def test_growth_is_asked_where_an_exponential_fits(shared_r2: float, growth: float) -> None:
    power_r2 = {"const_gate": 0.8, "shared_gate": shared_r2, "diag_gate": 0.95}
    ends = {"const_gate": 8, "shared_gate": 32, "diag_gate": 128}
    run = {"optimizer": "adamw", "seed": 0}
    tables = {
        "fits": pd.concat([fits(1, 0.9, 1, power_r2[role]).assign(architecture=role, **run) for role in ROLES]),
        "window": pd.concat(
            [window(np.r_[np.full(10, 8), end]).assign(architecture=role, **run) for role, end in ends.items()]
        ),
        "sample_complexity": pd.DataFrame({"architecture": ROLES, "kappa": np.inf, "chosen": True, **run}),
    }
    evidence = Evidence(tables, GROUPS["main"], "diag_gate", "adamw", 0)
    assert measures.growth_beyond_logarithm(evidence) == growth
    shut = tables["window"].assign(horizon=0)
    assert np.isnan(measures.growth_beyond_logarithm(replace(evidence, tables=tables | {"window": shut})))


@pytest.mark.parametrize(("sign", "correlation"), [(1, 1), (-1, -1)])
def test_correlations_are_over_all_networks_of_a_seed(sign: int, correlation: float) -> None:
    runs = pd.MultiIndex.from_product([ROLES, measures.OPTIMIZERS], names=["architecture", "optimizer"])
    rows = runs.to_frame(index=False).assign(seed=0, direction=0)
    rank = np.arange(1.0, 10)
    tables = {
        "fits": rows.assign(model="exponential", parameter=1 / rank),
        "window": rows.assign(sample_size=25, horizon=10 + sign * rank),
        "noise": rows.assign(alpha=1.5 + sign * rank / 20, floored=False),
    }
    evidence = Evidence(tables, GROUPS["main"], "diag_gate", "adamw", 0)
    assert measures.windows_with_envelopes(evidence) == pytest.approx(-correlation)
    assert measures.tail_index_with_decay(evidence) == pytest.approx(correlation)
    fewer = replace(evidence, tables={kind: table.iloc[1:] for kind, table in tables.items()})
    assert np.isnan(measures.windows_with_envelopes(fewer))
    assert np.isnan(measures.tail_index_with_decay(fewer))


def test_sensitivity_to_the_optimizer_is_that_of_the_others_or_more() -> None:
    scales = {"const_gate": (1, 1, 1), "shared_gate": (1, 4, 2), "diag_gate": (30, 6, 3)}
    rows = [
        {"architecture": role, "optimizer": optimizer, "seed": 0, "model": "exponential", "parameter": scale}
        for role, three in scales.items()
        for optimizer, scale in zip(measures.OPTIMIZERS, three, strict=True)
    ]
    evidence = Evidence({"fits": pd.DataFrame(rows)}, GROUPS["main"], "diag_gate", "sgd", 0)
    assert measures.tau_env_range_over_others(evidence) == pytest.approx(10 / 4)
    assert measures.tau_env_range_over_others(evidence.of("shared_gate")) == pytest.approx(4 / 10)
    assert np.isnan(measures.tau_env_range_over_others(replace(evidence, tables={"fits": pd.DataFrame(rows[:-1])})))


def test_transport_is_measured_against_a_diagonal_and_an_isotropic_one() -> None:
    run = {"architecture": "diag_gate", "optimizer": "adamw", "seed": 0}
    spectrum = pd.DataFrame({"time_scale": np.ones(64)}).assign(**run)
    for expected in ((0.0, 0.0, 1.0), (1.0, 0.98, 64.0)):
        tables = {"transport": transport(*expected).assign(**run), "spectrum": spectrum}
        evidence = Evidence(tables, GROUPS["main"], "diag_gate", "adamw", 0)
        names = (measures.transport_error, measures.off_diagonal_share, measures.anisotropy)
        assert tuple(measure(evidence) for measure in names) == pytest.approx(expected)


def test_a_line_through_sample_complexities_has_its_own_r2() -> None:
    run = {"architecture": "diag_gate", "optimizer": "adamw", "seed": 0, "direction": 0}
    f, zigzag = 1.0 / LAGS, np.tile([5.0, 9.0], len(LAGS) // 2)
    for log_n, low, high in ((-2 * np.log(f), 0.999, 1), (zigzag, 0, 0.1)):
        table = sample_complexity(f, log_n, np.zeros(len(LAGS))).assign(**run)
        evidence = Evidence({"sample_complexity": table}, GROUPS["main"], "diag_gate", "adamw", 0)
        assert low <= measures.scaling_r2(evidence) <= high


@pytest.mark.parametrize(("tail", "low", "high"), [(0.1, 0.999, 1), (10, -np.inf, 0.9)])
def test_a_mixture_explains_the_sum_of_its_units(tail: float, low: float, high: float) -> None:
    run = {"architecture": "diag_gate", "optimizer": "adamw", "seed": 0}
    units = pd.DataFrame({"time_scale": [2.0, 20.0], "constant": [1.0, 0.1]})
    f = np.exp(-np.outer(LAGS, 1 / units["time_scale"])) @ np.array([1, tail])
    tables = {"spectrum": units, "envelope": pd.DataFrame({"lag": LAGS, "envelope": f})}
    tables_of_run = {kind: table.assign(**run) for kind, table in tables.items()}
    assert low <= measures.mixture_r2(Evidence(tables_of_run, GROUPS["main"], "diag_gate", "adamw", 0)) <= high
