"""Verdicts are computed: a world that agrees with the paper reproduces every claim, a contrary one none."""

from collections.abc import Callable
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml
from scipy.optimize import nnls

from learnability.claims import Evidence, check_classes, judge_conditions, score, verdict
from learnability.core.errors import InputError
from learnability.report.scorecard import artefact_link, as_html, as_markdown, counts, judge_claims, scale_notice
from learnability.stats.fits import fit_power
from studies.learnability_window import measures
from studies.learnability_window.measures import COMPARING, FUNCTIONS, MEASURES, ROLES

PAPER = yaml.safe_load((Path(__file__).parents[3] / "config" / "paper_claims.yaml").read_text())
CLAIMS = PAPER["claims"]
GROUPS = {"main": {role: role for role in ROLES}}
LAGS = np.arange(4, 129, 4)
SIZES = np.array([25, 50, 100, 150, 200, 400, 800, 1600, 3200, 6400, 12800])

UNCLASSED: dict[str, Any] = {"tuned": {}, "after_results": [], "by_construction": []}

Tables = dict[str, pd.DataFrame]


def world(describe: Callable[[str, str, int], Tables]) -> Tables:
    """Tables of all runs from a description of one."""
    roles: dict[str, list[pd.DataFrame]] = {}
    for optimizer in ("adamw", "sgd", "sgd_momentum"):
        for role in ROLES:
            for seed in (0, 1, 2):
                for kind, table in describe(role, optimizer, seed).items():
                    named = table.assign(architecture=role, optimizer=optimizer, seed=seed, direction=0)
                    roles.setdefault(kind, []).append(named)
    return {kind: pd.concat(tables, ignore_index=True) for kind, tables in roles.items()}


def fits(tau: float, tau_r2: float, beta: float, beta_r2: float) -> pd.DataFrame:
    rows = [("exponential", tau, tau_r2), ("power", beta, beta_r2)]
    return pd.DataFrame(rows, columns=["model", "parameter", "r_squared"])


def window(horizons: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame({"chosen": True, "sample_size": SIZES, "horizon": horizons})


def transport(error: float, off_diagonal: float, anisotropy: float) -> pd.DataFrame:
    """Of 64 units whose mean singular value is 0.5."""
    columns = {"relative_error": error, "off_diagonal": off_diagonal, "spectral_norm": anisotropy / 2}
    return pd.DataFrame({"lag": LAGS, **columns, "nuclear_norm": 32.0})


def sample_complexity(f: np.ndarray, log_sample_complexity: np.ndarray, residual: np.ndarray) -> pd.DataFrame:
    """κ = 2 and σ = 1; Δ such that R(ℓ) = log N̂ + 2 log Δ is `residual`."""
    columns = {
        "lag": LAGS,
        "transport": "exact",
        "criterion": "resampling",
        "chosen": True,
        "envelope": f,
        "log_sample_complexity": log_sample_complexity,
    }
    signal = np.exp((residual - log_sample_complexity) / 2)
    return pd.DataFrame(
        columns | {"sample_complexity": np.exp(log_sample_complexity), "kappa": 2.0, "scale": 1.0, "signal": signal}
    )


def agreeing(role: str, optimizer: str, seed: int) -> Tables:
    rng, diag = np.random.default_rng(seed), role == "diag_gate"
    tau = {
        "adamw": {"const_gate": 0.85, "shared_gate": 1.9, "diag_gate": 47},
        "sgd": {"const_gate": 0.88, "shared_gate": 4.71, "diag_gate": 5.43},
        "sgd_momentum": {"const_gate": 0.88, "shared_gate": 4.7, "diag_gate": 6},
    }[optimizer][role]
    spectra = {
        "const_gate": 0.85 * np.linspace(0.99, 1.01, 64),
        "shared_gate": 1.9 * np.linspace(0.95, 1.05, 64),
        "diag_gate": np.r_[np.linspace(1, 3, 40), np.linspace(3.1, 10, 20), [12, 30, 35, 40]],
    }
    units = spectra[role] if optimizer == "adamw" else 5 + (spectra[role] - 5) / 50
    if optimizer == "sgd" and role != "const_gate":
        units = np.linspace(4, 6 if diag else 5.8, 64)
    terms = np.exp(-np.outer(LAGS, 1 / units))
    weights = nnls(terms * LAGS[:, None] ** 0.9, np.ones(len(LAGS)))[0] if diag else np.full(len(units), 1 / len(units))
    f = terms @ weights
    horizons = {
        "const_gate": np.full(11, 12),
        "shared_gate": np.full(11, 36),
        "diag_gate": np.r_[
            np.zeros(5), np.minimum(32 * (SIZES[5:] / 400) ** (0.5 / fit_power(LAGS, f).parameter), 128)
        ],
    }
    horizons["diag_gate"] = horizons["diag_gate"] if optimizer == "adamw" else horizons["shared_gate"]
    straight = -2 * np.log(f)
    noisy = rng.permutation(np.linspace(5, 9, len(LAGS)))
    fall = noisy + 2 * np.log(f)
    curved = optimizer != "adamw" or not diag
    return {
        "fits": fits(tau, 0.999 if curved else 0.85, 0.9, 0.8 if curved else 0.93),
        "envelope": pd.DataFrame({"lag": LAGS, "envelope": f}),
        "spectrum": pd.DataFrame({"time_scale": units, "constant": weights}),
        "conditioning": pd.DataFrame({"median": [10.0], "largest": [100.0]}),
        "transport": transport(0.03, 0.05, 6.4),
        "noise": pd.DataFrame(
            {
                "lag": LAGS,
                "alpha": (1.6 if diag else 1.97) + 0.02 * np.sin(LAGS),
                "scale": 1 + 1 / LAGS if diag else np.exp(-LAGS / 4.0),
                "p_value": 0.5,
                "floored": False,
            }
        ),
        "sample_complexity": sample_complexity(
            f, straight if diag else noisy, np.full(len(LAGS), 6.0) if diag else fall
        ),
        "window": window(horizons[role]),
    }


def contrary(role: str, optimizer: str, seed: int) -> Tables:
    diag = role == "diag_gate"
    f = np.tile([1, 2], len(LAGS) // 2) * LAGS**-0.1 * (1 if diag else 100)
    wide = role == "const_gate" or (role == "shared_gate" and optimizer != "sgd")
    spread = np.linspace(0.1, 3, 64) if wide else np.linspace(0.98, 1.02, 64)
    noisy = np.random.default_rng(seed).permutation(np.linspace(5, 9, len(LAGS)))
    horizons = np.full(11, 32) if diag else np.r_[np.zeros(10), 128]
    return {
        "fits": fits(1000, 0.2, 9, 0.1 if diag and optimizer == "adamw" else 0.9),
        "envelope": pd.DataFrame({"lag": LAGS, "envelope": f}),
        "spectrum": pd.DataFrame({"time_scale": 500 * spread, "constant": 1.0}),
        "conditioning": pd.DataFrame({"median": [1e6], "largest": [1e9]}),
        "transport": transport(1.0, 0.98, 1.0),
        "noise": pd.DataFrame(
            {
                "lag": LAGS,
                "alpha": np.where(LAGS % 32, 2.0 if diag else 1.3, 1.0 if diag else 2.0),
                "scale": np.exp(-LAGS / 4.0) if diag else 1 + 1 / LAGS,
                "p_value": 0.01,
                "floored": False,
            }
        ),
        "sample_complexity": sample_complexity(f, noisy if diag else np.log(f), np.linspace(0, 50, len(LAGS))),
        "window": window(np.zeros(11) if optimizer == "sgd" else horizons),
    }


def against(claim: str, tables: Tables) -> Tables:
    """The contrary world, changed where it leaves a claim nothing to measure or agrees with it by accident."""
    fits, window = tables["fits"], tables["window"]
    if claim == "exponential_windows":
        return tables | {"fits": fits.assign(r_squared=np.where(fits["model"] == "exponential", 0.9, 0.2))}
    if claim == "slow_spectra_long_windows":
        return tables | {"window": window.assign(horizon=np.where(window["architecture"] == "diag_gate", 128, 4))}
    if claim == "alpha_slow_decay":
        slow = (fits["architecture"] == "diag_gate") & (fits["model"] == "exponential")
        return tables | {"fits": fits.assign(parameter=fits["parameter"].where(~slow, 2000))}
    return tables


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim["id"])
def test_agreeing_data_reproduce_a_claim(claim: dict[str, Any]) -> None:
    conditions = judge_conditions([claim], world(agreeing), GROUPS, MEASURES)
    assert set(conditions["status"]) == {"met"}, conditions.to_string()
    assert score([claim], conditions)["verdict"].tolist() == ["reproduced"]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim["id"])
def test_contrary_data_turn_a_claim_negative(claim: dict[str, Any]) -> None:
    conditions = judge_conditions([claim], against(claim["id"], world(contrary)), GROUPS, MEASURES)
    assert set(conditions["status"]) <= {"missed", "unmeasured"}, conditions.to_string()
    assert score([claim], conditions)["verdict"].tolist() == ["not reproduced"]


def test_without_runs_a_claim_is_not_testable() -> None:
    tables = {kind: table[table["optimizer"] == "adamw"] for kind, table in world(agreeing).items()}
    scores = score(CLAIMS, judge_conditions(CLAIMS, tables, GROUPS, MEASURES))
    untested = {claim["id"] for claim in CLAIMS if claim["optimizer"] != "adamw"}
    assert set(scores.loc[scores["verdict"] == "not testable", "id"]) == untested


def test_a_group_without_runs_gives_no_row() -> None:
    groups = GROUPS | {"slow": {"const_gate": "const_gate", "shared_gate": "x", "diag_gate": "y"}}
    scores = score(CLAIMS, judge_conditions(CLAIMS, world(agreeing), groups, MEASURES))
    assert set(scores["group"]) == {"main"}
    assert len(scores) == len(CLAIMS)


@pytest.mark.parametrize("beside", [{}, {"lstm": "lstm"}])
def test_a_group_that_repeats_another_gives_no_row_of_its_own(beside: dict[str, str]) -> None:
    tables = world(agreeing)
    lstm = tables["fits"].query("architecture == 'diag_gate' and seed == 0").assign(architecture="lstm")
    tables["fits"] = pd.concat([tables["fits"], lstm])
    scores = score(CLAIMS, judge_conditions(CLAIMS, tables, GROUPS | {"again": GROUPS["main"] | beside}, MEASURES))
    assert set(scores["group"]) == {"main"}


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


def test_the_median_over_seeds_decides_and_the_range_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FUNCTIONS, "tau_env", lambda evidence: [1.0, 2.0, 9.0][evidence.seed])
    condition = {"measure": "tau_env", "of": ["diag_gate"], "met": [2, 3]}
    claim = CLAIMS[0] | UNCLASSED | {"conditions": [condition]}
    (row,) = judge_conditions([claim], world(agreeing), GROUPS, MEASURES).to_dict("records")
    assert (row["median"], row["low"], row["high"], row["seeds"], row["seeds_met"]) == (2, 1, 9, 3, 1)
    assert row["status"] == "met"


@pytest.mark.parametrize(
    ("values", "median", "status"),
    [
        ((1.0, 4.0), 2.5, "met"),
        ((2.0, 4.5), 3.25, "near"),
        ((2.0, np.inf), np.inf, "missed"),
        ((np.nan, 3.0), 3.0, "met"),
        ((np.nan, np.nan), np.nan, "unmeasured"),
    ],
)
def test_of_two_seeds_the_mean_is_the_median(
    values: tuple[float, float], median: float, status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(FUNCTIONS, "tau_env", lambda evidence: values[evidence.seed])
    condition = {"measure": "tau_env", "of": ["diag_gate"], "met": [2, 3], "near": [2, 5]}
    tables = {kind: table[table["seed"] < 2] for kind, table in world(agreeing).items()}
    claim = CLAIMS[0] | UNCLASSED | {"conditions": [condition]}
    (row,) = judge_conditions([claim], tables, GROUPS, MEASURES).to_dict("records")
    assert row["median"] == pytest.approx(median, nan_ok=True)
    assert row["status"] == status


def test_of_an_architecture_in_two_groups_a_claim_about_it_alone_is_judged_once() -> None:
    tables = world(agreeing)
    others = {"shared_gate": "other", "diag_gate": "another"}
    for kind, table in tables.items():
        taken = table[(table["architecture"] != "const_gate") & (table["seed"] < 2)]
        tables[kind] = pd.concat([table, taken.assign(architecture=taken["architecture"].map(others))])
    slow = GROUPS | {"slow": {"const_gate": "const_gate"} | others}
    scores = score(CLAIMS, judge_conditions(CLAIMS, tables, slow, MEASURES))
    of_const = {claim["id"] for claim in CLAIMS if {p for c in claim["conditions"] for p in c["of"]} == {"const_gate"}}
    comparing = {claim["id"] for claim in CLAIMS if {c["measure"] for c in claim["conditions"]} & set(COMPARING)}
    twice = set(scores.loc[scores["group"] == "slow", "id"])
    assert of_const - comparing
    assert twice == {claim["id"] for claim in CLAIMS} - (of_const - comparing)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_measure_needs_other_roles_only_if_it_says_so(name: str) -> None:
    tables = world(agreeing)
    alone = {kind: table[table["architecture"] == "shared_gate"] for kind, table in tables.items()}

    def measured(tables: Tables) -> float:
        return FUNCTIONS[name](Evidence(tables, GROUPS["main"], "shared_gate", "adamw", 0))

    among_others = measured(tables)
    assert not np.isnan(among_others)
    try:
        assert (measured(alone) == among_others) == (name not in COMPARING)
    except (IndexError, ValueError):  # a quantile or the largest of no units
        assert name in COMPARING


@pytest.mark.parametrize(
    ("statuses", "expected"),
    [
        (["met", "met"], "reproduced"),
        (["met", "near"], "partly"),
        (["near"], "partly"),
        (["met", "missed"], "partly"),
        (["missed", "missed"], "not reproduced"),
        (["missed", "unmeasured"], "not reproduced"),
        (["met", "unmeasured"], "partly"),
        (["unmeasured"], "not testable"),
    ],
)
def test_verdicts(statuses: list[str], expected: str) -> None:
    assert verdict(statuses) == expected


def test_a_unit_that_does_not_decay_has_an_infinite_time_scale() -> None:
    table = pd.DataFrame({"architecture": "diag_gate", "optimizer": "adamw", "seed": 0, "time_scale": [1.0, 2.0, -5.0]})
    evidence = Evidence({"spectrum": table}, GROUPS["main"], "diag_gate", "adamw", 0)
    assert measures.tau_q_largest(evidence) == np.inf
    assert measures.tau_q_median(evidence) == 2


@pytest.mark.parametrize("missing", ROLES)
def test_what_is_compared_with_other_roles_needs_all_of_them(missing: str) -> None:
    alphas = dict.fromkeys(ROLES, 1.5) | {missing: np.nan}
    names = {"optimizer": "adamw", "seed": 0, "direction": 0, "lag": LAGS}
    noise = pd.concat([pd.DataFrame(names | {"architecture": role, "alpha": alphas[role]}) for role in ROLES])
    grown = {role: np.where(role == missing, np.inf, 0.1 * LAGS) for role in ROLES}
    sample_complexities = pd.concat(
        [sample_complexity(1.0 / LAGS, grown[role], np.zeros(len(LAGS))).assign(architecture=role) for role in ROLES]
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
    windows = [window(each).assign(direction=number, **run) for number, each in enumerate(horizons)]
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
    }
    evidence = Evidence(tables, GROUPS["main"], "diag_gate", "adamw", 0)
    assert measures.growth_under_exponential(evidence) == growth
    shut = tables["window"].assign(horizon=0)
    assert np.isnan(measures.growth_under_exponential(replace(evidence, tables=tables | {"window": shut})))


@pytest.mark.parametrize(("sign", "correlation"), [(1, 1), (-1, -1)])
def test_correlations_are_over_all_networks_of_a_seed(sign: int, correlation: float) -> None:
    runs = pd.MultiIndex.from_product([ROLES, measures.OPTIMIZERS], names=["architecture", "optimizer"])
    named = runs.to_frame(index=False).assign(seed=0, direction=0)
    rank = np.arange(1.0, 10)
    tables = {
        "fits": named.assign(model="exponential", parameter=1 / rank),
        "spectrum": named.assign(time_scale=rank),
        "window": named.assign(sample_size=25, horizon=10 + sign * rank),
        "noise": named.assign(alpha=1.5 + sign * rank / 20, floored=False),
    }
    evidence = Evidence(tables, GROUPS["main"], "diag_gate", "adamw", 0)
    assert measures.windows_with_time_scales(evidence) == pytest.approx(correlation)
    assert measures.tail_index_with_decay(evidence) == pytest.approx(correlation)
    fewer = replace(evidence, tables={kind: table.iloc[1:] for kind, table in tables.items()})
    assert np.isnan(measures.windows_with_time_scales(fewer))
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
    f, jagged = 1.0 / LAGS, np.tile([5.0, 9.0], len(LAGS) // 2)
    for log_n, low, high in ((-2 * np.log(f), 0.999, 1), (jagged, 0, 0.1)):
        table = sample_complexity(f, log_n, np.zeros(len(LAGS))).assign(**run)
        evidence = Evidence({"sample_complexity": table}, GROUPS["main"], "diag_gate", "adamw", 0)
        assert low <= measures.scaling_r2(evidence) <= high


@pytest.mark.parametrize(("tail", "low", "high"), [(0.1, 0.999, 1), (10, -np.inf, 0.9)])
def test_a_mixture_explains_the_sum_of_its_units(tail: float, low: float, high: float) -> None:
    run = {"architecture": "diag_gate", "optimizer": "adamw", "seed": 0}
    units = pd.DataFrame({"time_scale": [2.0, 20.0], "constant": [1.0, 0.1]})
    f = np.exp(-np.outer(LAGS, 1 / units["time_scale"])) @ np.array([1, tail])
    tables = {"spectrum": units, "envelope": pd.DataFrame({"lag": LAGS, "envelope": f})}
    named = {kind: table.assign(**run) for kind, table in tables.items()}
    assert low <= measures.mixture_r2(Evidence(named, GROUPS["main"], "diag_gate", "adamw", 0)) <= high


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"tuned": None}, "'x: tuned' must be a mapping of diag_gate"),
        ({"by_construction": None}, "'x: by_construction' must be a list of diag_gate"),
        ({"after_results": "tau_env"}, "'x: after_results' must be a list of tau_env"),
        ({"after_results": ["beta"]}, "'x: after_results' must be one of tau_env. Got 'beta'"),
        ({"by_construction": ["lstm"]}, "'x: by_construction' must be one of diag_gate. Got 'lstm'"),
        ({"tuned": {"lstm": "gate"}}, "'x: tuned' must be one of diag_gate. Got 'lstm'"),
        ({"tuned": {"diag_gate": "seed"}}, "'x: tuned' must be one of gate, learning_rate. Got 'seed'"),
    ],
)
def test_a_claim_without_its_classes_is_refused(changed: dict[str, Any], told: str) -> None:
    claim = {"id": "x", "conditions": [{"measure": "tau_env", "of": ["diag_gate"], "met": [0, 1]}]} | UNCLASSED
    check_classes([claim])
    with pytest.raises(InputError, match=told) as error:
        check_classes([claim | changed])
    assert "\n" not in str(error.value)
    missing = {key: value for key, value in claim.items() if key not in changed}
    with pytest.raises(InputError, match="Got None"):
        check_classes([missing])


def test_what_holds_by_construction_decides_only_where_nothing_else_does() -> None:
    condition = {"measure": "tau_env", "of": ["const_gate", "diag_gate"], "met": [0.8, 0.9]}
    claim = CLAIMS[0] | UNCLASSED | {"conditions": [condition], "optimizer": "adamw"}

    def verdicts(**classes: Any) -> list[list[str]]:
        scores = score([claim | classes], judge_conditions([claim | classes], world(agreeing), GROUPS, MEASURES))
        return scores[["tuned", "after_results", "by_construction", "verdict"]].to_numpy().tolist()

    assert verdicts() == [["no", "no", "no", "partly"]]
    assert verdicts(by_construction=["const_gate"]) == [["no", "no", "in part", "not reproduced"]]
    assert verdicts(by_construction=["const_gate", "diag_gate"]) == [["no", "no", "yes", "partly"]]
    late = verdicts(tuned={"const_gate": "gate"}, after_results=["tau_env"])
    assert late == [["gate, in part", "yes", "no", "partly"]]


def card(**rows: list[str]) -> pd.DataFrame:
    """A scorecard from verdicts by claim; claims named after a class are of it."""
    return pd.DataFrame(
        [
            {
                "id": name,
                "tuned": "gate" if name == "tuned" else "no",
                "after_results": "in part" if name == "late" else "no",
                "by_construction": "yes" if name.startswith("built") else "no",
                "verdict": verdict,
            }
            for name, verdicts in rows.items()
            for verdict in verdicts
        ]
    )


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        (["reproduced", "reproduced"], "reproduced"),
        (["reproduced", "not testable"], "reproduced"),
        (["reproduced", "not reproduced"], "partly"),
        (["partly", "not reproduced"], "partly"),
        (["not reproduced", "not reproduced"], "not reproduced"),
        (["not testable", "not testable"], "not testable"),
    ],
)
def test_rows_of_groups_make_one_verdict(verdicts: list[str], expected: str) -> None:
    assert judge_claims(card(x=verdicts))["verdict"].tolist() == [expected]
    built = "true by construction" if expected in ("reproduced", "partly") else expected
    assert judge_claims(card(built=verdicts))["verdict"].tolist() == [built]


def test_claims_are_counted_and_not_rows() -> None:
    scores = card(
        x=["reproduced", "reproduced"],
        tuned=["reproduced"],
        late=["reproduced"],
        y=["reproduced", "not reproduced"],
        built=["reproduced", "reproduced"],
        built_wrong=["not reproduced"],
        z=["not testable"],
    )
    assert counts(scores) == (
        "Of 7 claims: 3 reproduced (1 with nothing tuned and every test written before results), 1 partly, "
        "1 not reproduced, 1 not testable, 1 true by construction"
    )


def test_every_measure_is_used_and_every_claim_has_an_artefact() -> None:
    used = {condition["measure"] for claim in CLAIMS for condition in claim["conditions"]}
    assert used == set(FUNCTIONS)
    assert all(claim["artefact"].startswith(("figures/", "tables/")) for claim in CLAIMS)


def test_an_unknown_measure_is_named() -> None:
    claim = CLAIMS[0] | UNCLASSED | {"conditions": [{"measure": "tau", "of": ["diag_gate"], "met": [0, 1]}]}
    with pytest.raises(InputError, match="'tau'"):
        judge_conditions([claim], world(agreeing), GROUPS, MEASURES)


def test_the_scorecard_states_counts_scale_and_links() -> None:
    scores = score(CLAIMS, judge_conditions(CLAIMS, world(agreeing), GROUPS, MEASURES))
    scores["link"] = [artefact_link(row, {"main": ""}, {"conditioning"}) for row in scores.to_dict("records")]
    ours = PAPER["paper_scale"] | {"epochs": 40}
    notice = scale_notice(PAPER["paper_scale"], ours)
    assert "epochs 40 (paper: 500)" in notice
    assert scale_notice(PAPER["paper_scale"], PAPER["paper_scale"]) == ""
    html, markdown = (write(scores, "paper", notice) for write in (as_html, as_markdown))
    assert '"tables/table_1.html"' in html and '"../tables/conditioning.html"' in html
    assert "tables/table_1.md" in markdown
    for page in (html, markdown):
        assert f"Of {len(CLAIMS)} claims: " in page
        assert "By construction" in page
        assert notice in unescape(page)
        assert "figures/figure_02.png" in page
