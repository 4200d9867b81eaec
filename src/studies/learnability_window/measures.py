"""Measures that the paper's claims are about: each takes the evidence on one run and gives a number.

NaN says that there is nothing to measure, ∞ is a value.
"""

from dataclasses import replace

import numpy as np
import pandas as pd

from learnability.claims import Evidence, Measure, Measures
from learnability.stats.fits import fit_exponential, fit_line
from learnability.windows.detection import CLOSED_FORM
from learnability.windows.noise import REJECTED
from learnability.windows.scaling import (
    growth_exponent,
    predicted_growth,
    rank_correlation,
    residual,
    signal_on_envelope,
)
from studies.learnability_window.opening import EARLY

ROLES = ("const_gate", "shared_gate", "diag_gate")
"""The roles that the paper compares, least memory first; a group puts an architecture in each."""
COMPARING = (
    "mass_beside_diag",
    "scaling_r2_lead",
    "alpha_below_others",
    "tau_env_over_former",
    "tau_env_range_over_others",
    "horizon_over_former",
    "growth_under_exponential",
    "tau_q_largest_over_const",
    "windows_with_time_scales",
    "tail_index_with_decay",
    "decades_below_former_at_start",
    "decades_below_former_early",
)
"""Measures that hold a role against others."""
OPTIMIZERS = ("adamw", "sgd", "sgd_momentum")
"""Those that the paper compares (Appendix I)."""
MARGIN = 0.05
"""Of R², by which one decay law fits better than another, and not by chance of the grid."""


def under_each(evidence: Evidence, measure: Measure) -> tuple[float, ...]:
    """A measure under each of `OPTIMIZERS`; NaN where the seed has no run."""
    fits = evidence.tables["fits"]
    own = fits[(fits["architecture"] == evidence.roles[evidence.role]) & (fits["seed"] == evidence.seed)]
    trained = own["optimizer"].tolist()
    return tuple(measure(replace(evidence, optimizer=each)) if each in trained else np.nan for each in OPTIMIZERS)


def over_networks(evidence: Evidence, x: Measure, y: Measure) -> float:
    """Spearman's correlation of two measures over the networks of a seed: all roles under each of `OPTIMIZERS`.

    NaN unless all nine have both numbers; a seed's networks of one optimizer are three, in any order by chance.
    """
    values = [[under_each(evidence.of(role), measure) for role in evidence.roles] for measure in (x, y)]
    return rank_correlation(*np.array(values).reshape(2, -1))


def _fit(model: str, column: str) -> Measure:
    def measure(evidence: Evidence) -> float:
        fits = evidence.table("fits")
        return float(fits.loc[fits["model"] == model, column].iloc[0])

    return measure


tau_env, exponential_r2 = _fit("exponential", "parameter"), _fit("exponential", "r_squared")
beta, power_r2 = _fit("power", "parameter"), _fit("power", "r_squared")


def tau_env_over_former(evidence: Evidence) -> float:
    """τ_env over that of the role before."""
    return tau_env(evidence) / tau_env(evidence.former())


def tau_env_range(evidence: Evidence) -> float:
    """Largest over smallest τ_env of a seed under `OPTIMIZERS`; NaN unless it has runs of all."""
    values = np.array(under_each(evidence, tau_env))
    return float(values.max() / values.min())


def tau_env_range_over_others(evidence: Evidence) -> float:
    """`tau_env_range` over the largest of the other two roles."""
    return float(tau_env_range(evidence) / np.max(evidence.of_others(tau_env_range)))


def decades_to_32(evidence: Evidence) -> float:
    """log10 of f̂ at the first lag over f̂ at the last lag up to 32; NaN unless there are two."""
    envelope = evidence.table("envelope").set_index("lag")["envelope"].loc[:32].to_numpy()
    if len(envelope) < 2:
        return np.nan
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.log10(envelope[0] / envelope[-1]))


def power_advantage(evidence: Evidence) -> float:
    """R² of the power law less that of the exponential."""
    return power_r2(evidence) - exponential_r2(evidence)


def monotone_share(evidence: Evidence) -> float:
    """Share of grid steps at which the envelope falls."""
    return float((np.diff(evidence.table("envelope")["envelope"]) < 0).mean())


def mass_beside_diag(evidence: Evidence) -> float:
    """Largest ratio of the envelope to DiagGate's, over lags of at least 20."""
    own, diag = (e.table("envelope").set_index("lag")["envelope"] for e in (evidence, evidence.of("diag_gate")))
    return float((own / diag).loc[20:].max())


def first_horizon(evidence: Evidence) -> float:
    """Ĥ_N at the smallest N of the grid; NaN where the median over directions never opens."""
    first = float(evidence.table("window").sort_values("sample_size")["horizon"].iloc[0])
    return first if evidence.median(last_horizon) else np.nan


def last_horizon(evidence: Evidence) -> float:
    """Ĥ_N at the largest N of the grid."""
    return float(evidence.table("window").sort_values("sample_size")["horizon"].iloc[-1])


def horizon_growth(evidence: Evidence) -> float:
    """Ĥ_N at the largest N less that at the smallest; NaN where the median over directions never opens."""
    return last_horizon(evidence) - first_horizon(evidence)


def growth_under_exponential(evidence: Evidence) -> float:
    """Largest `horizon_growth` of roles whose f̂ an exponential fits better than a power law, by `MARGIN` of R².

    NaN if there is none such, or none opens.
    """
    each = [evidence.of(role) for role in evidence.roles]
    growths = [horizon_growth(one) for one in each if power_advantage(one) <= -MARGIN]
    return max((growth for growth in growths if not np.isnan(growth)), default=np.nan)


def horizon_over_former(evidence: Evidence) -> float:
    """Ĥ_N at the largest N less that of the role before."""
    return last_horizon(evidence) - last_horizon(evidence.former())


def horizon_steps(evidence: Evidence) -> float:
    """Number of different Ĥ_N > 0 over N."""
    horizons = evidence.table("window")["horizon"]
    return float(horizons[horizons > 0].nunique())


def horizon_lead_of_adamw(evidence: Evidence) -> float:
    """Ĥ_N at the largest N under AdamW less the larger of those under SGD, without and with momentum."""
    adamw, sgd, momentum = under_each(evidence, last_horizon)
    return float(adamw - np.maximum(sgd, momentum))


def windows_with_time_scales(evidence: Evidence) -> float:
    """`over_networks`, of the slowest unit's τ_q and Ĥ_N at the largest N."""
    return over_networks(evidence, tau_q_largest, last_horizon)


def growth_over_theory(evidence: Evidence) -> float:
    """Growth of log Ĥ_N with log N, where the window is open and not at the last lag, over 1/(κβ) (Sec. 5.4)."""
    sample_complexity = evidence.table("sample_complexity")
    return growth_exponent(evidence.table("window"), int(sample_complexity["lag"].max())) / predicted_growth(
        sample_complexity
    )


def opening_size(evidence: Evidence) -> float:
    """Smallest N with Ĥ_N > 0; ∞ if there is none."""
    window = evidence.table("window")
    opened = window.loc[window["horizon"] > 0, "sample_size"]
    return float(opened.min()) if len(opened) else np.inf


def _signals(evidence: Evidence) -> pd.DataFrame:
    """Rows with Δ̂(ℓ), none to first order: there S has the rates as factors, and Δ̂ goes as f̂ whatever the data."""
    sample_complexity = evidence.table("sample_complexity")
    return sample_complexity[sample_complexity["transport"] != "first_order"]


def signal_slope(evidence: Evidence) -> float:
    """Slope of log Δ̂(ℓ) over log f̂(ℓ) (Eq. 72), of exact transport."""
    return signal_on_envelope(_signals(evidence)).slope


def signal_exponential_r2(evidence: Evidence) -> float:
    """R² of an exponential through Δ̂(ℓ), of exact transport; 0 if it rises."""
    signals = _signals(evidence)
    fit = fit_exponential(signals["lag"].to_numpy(), signals["signal"].to_numpy())
    return 0.0 if fit.parameter < 0 else fit.r_squared


def scaling_r2(evidence: Evidence) -> float:
    """R² of log N̂(ℓ) over -log f̂(ℓ), N̂ on the grid of sample sizes, at lags with a finite N̂."""
    sample_complexity = evidence.table("sample_complexity")
    return fit_line(
        -np.log(sample_complexity["envelope"].to_numpy()), np.log(sample_complexity["sample_complexity"].to_numpy())
    ).r_squared


def scaling_r2_lead(evidence: Evidence) -> float:
    """`scaling_r2` of this role less the best of the other two; NaN unless all three have one."""
    return float(scaling_r2(evidence) - np.max(evidence.of_others(scaling_r2)))


def _time_scales(evidence: Evidence) -> np.ndarray:
    """τ_q of each unit: ∞ for one that does not decay, 0 for one that is gone before three lags."""
    values = evidence.table("spectrum")["time_scale"].to_numpy()
    return np.where(np.isnan(values), 0, np.where(values > 0, values, np.inf))


def tau_q_median(evidence: Evidence) -> float:
    """Median over units of τ_q, steps."""
    return float(np.median(_time_scales(evidence)))


def tau_q_spread(evidence: Evidence) -> float:
    """(95 % - 5 % point of τ_q over units) / median."""
    scales = _time_scales(evidence)
    low, high = np.quantile(scales, [0.05, 0.95], method="nearest")  # no mean of a number and ∞
    return float((high - low) / np.median(scales)) if np.isfinite(high) else np.inf


def tau_q_largest(evidence: Evidence) -> float:
    """Largest τ_q, steps; ∞ if a unit does not decay."""
    return float(_time_scales(evidence).max())


def tau_q_largest_over_const(evidence: Evidence) -> float:
    """`tau_q_largest` over ConstGate's."""
    return tau_q_largest(evidence) / tau_q_largest(evidence.of("const_gate"))


def tau_q_spread_of_adamw(evidence: Evidence) -> float:
    """`tau_q_spread` under AdamW over the larger of those under SGD, without and with momentum."""
    adamw, sgd, momentum = under_each(evidence, tau_q_spread)
    return float(adamw / np.maximum(sgd, momentum))


def mixture_r2(evidence: Evidence) -> float:
    """Share of the variance of log f̂(ℓ) that Σ_q C_q e^{-ℓ/τ_q}, the sum of the fits of units, explains."""
    envelope, units = evidence.table("envelope"), evidence.table("spectrum").dropna(subset=["time_scale"])
    rates = 1 / units["time_scale"].to_numpy()
    mixture = np.exp(-np.outer(envelope["lag"], rates)) @ units["constant"].to_numpy()
    with np.errstate(divide="ignore", invalid="ignore"):
        found, explained = np.log(envelope["envelope"].to_numpy()), np.log(mixture)
        return float(1 - ((found - explained) ** 2).sum() / ((found - found.mean()) ** 2).sum())


def tau_q_share_to_3(evidence: Evidence) -> float:
    """Share of units with τ_q ≤ 3 steps."""
    return float((_time_scales(evidence) <= 3).mean())


def tau_q_share_3_to_10(evidence: Evidence) -> float:
    """Share of units with 3 < τ_q ≤ 10 steps."""
    values = _time_scales(evidence)
    return float(((values > 3) & (values <= 10)).mean())


def _tail_indices(evidence: Evidence) -> pd.Series:
    """α̂ at each lag; not where the reading's floor sets it to 2, whatever the draws."""
    noise = evidence.table("noise")
    return noise.loc[~noise["floored"], "alpha"]


def alpha_median(evidence: Evidence) -> float:
    """Median over lags of α̂."""
    return float(_tail_indices(evidence).median())


def alpha_q90(evidence: Evidence) -> float:
    """90 % point over lags of α̂."""
    return float(_tail_indices(evidence).quantile(0.9))


def alpha_below_others(evidence: Evidence) -> float:
    """Smallest median α̂ of the other two roles less this role's; NaN unless all three have one."""
    return float(np.min(evidence.of_others(alpha_median)) - alpha_median(evidence))


def alpha_spread(evidence: Evidence) -> float:
    """95 % less 5 % point over lags of α̂; NaN under total noise, where it is one number for all lags."""
    alpha = _tail_indices(evidence)
    return float(alpha.quantile(0.95) - alpha.quantile(0.05)) if alpha.nunique() > 1 else np.nan


def tail_index_with_decay(evidence: Evidence) -> float:
    """`over_networks`, of 1/τ_env and the median α̂: positive if tails are heavier where f̂ decays slowly."""
    return over_networks(evidence, lambda each: 1 / tau_env(each), alpha_median)


def stable_share(evidence: Evidence) -> float:
    """Share of lags at which the test of the stable law (`windows.noise.check_law`) does not reject it at 5 %."""
    p_values = evidence.table("noise")["p_value"].dropna()
    return float((p_values >= REJECTED).mean())


def scale_ratio(evidence: Evidence) -> float:
    """σ̂ at the largest lag over σ̂ at the smallest; NaN under total noise, where it is one number for all lags."""
    scale = evidence.table("noise").sort_values("lag")["scale"].to_numpy()
    return float(scale[-1] / scale[0]) if scale[0] > 0 and np.ptp(scale) > 0 else np.nan


def _residuals(evidence: Evidence) -> np.ndarray:
    rows = evidence.table("sample_complexity").sort_values("lag")
    closed_form = rows["criterion"].isin(CLOSED_FORM)  # there R is α̂ and the rounding of the grid, whatever the data
    return residual(rows).mask(closed_form).to_numpy()


def residual_middle_range(evidence: Evidence) -> float:
    """Range of R(ℓ) over the middle half of the lag grid, where finite (at least three lags)."""
    values = _residuals(evidence)
    middle = values[len(values) // 4 : -(len(values) // 4)]
    finite = middle[np.isfinite(middle)]
    return float(np.ptp(finite)) if len(finite) >= 3 else np.nan


def residual_fall(evidence: Evidence) -> float:
    """R(ℓ) at the first less that at the last lag at which it is finite (at least three lags)."""
    values = _residuals(evidence)
    finite = values[np.isfinite(values)]
    return float(finite[0] - finite[-1]) if len(finite) >= 3 else np.nan


def transport_error(evidence: Evidence) -> float:
    """Median over lags of Σ_q ⟨|diag M - γ⁰ - γ¹|⟩ / Σ_q ⟨|diag M|⟩."""
    return float(evidence.table("transport")["relative_error"].median())


def off_diagonal_share(evidence: Evidence) -> float:
    """Median over lags of the share of ‖M‖²_F off the diagonal."""
    return float(evidence.table("transport")["off_diagonal"].median())


def anisotropy(evidence: Evidence) -> float:
    """Median over lags of ‖M‖₂ over the mean singular value: 1 if M stretches all directions alike, H at most."""
    transport, units = evidence.table("transport"), len(evidence.table("spectrum"))
    return float((transport["spectral_norm"] * units / transport["nuclear_norm"]).median())


def _decades_to_detect(evidence: Evidence, epoch: int) -> float:
    """log₁₀ N̂ along its own gradient, in the noise of the whole one, of the farthest lag of the task that was measured.

    At the last stored epoch up to `epoch`.
    """
    windows, responses = evidence.table("training_windows"), evidence.table("training_responses")
    own = windows[(windows["control"] == "none") & (windows["noise"] == "total") & (windows["epoch"] <= epoch)]
    asked = own["lag"].isin(responses.loc[responses["coefficient"] != 0, "lag"])
    farthest = own[asked].sort_values(["lag", "epoch"])
    return float(farthest["log_sample_complexity"].iloc[-1] / np.log(10)) if len(farthest) else np.nan


def _decades_below_former(epoch: int) -> Measure:
    def measure(evidence: Evidence) -> float:
        own, former = (_decades_to_detect(each, epoch) for each in (evidence, evidence.former()))
        return former - own if np.isfinite(former) or np.isfinite(own) else np.nan

    return measure


decades_below_former_at_start, decades_below_former_early = map(_decades_below_former, (0, EARLY))


def jacobian_condition(evidence: Evidence) -> float:
    """Median over sequences of the 2-norm condition number of J_T."""
    return float(evidence.table("conditioning")["median"].iloc[0])


def jacobian_condition_largest(evidence: Evidence) -> float:
    """Largest over sequences of the 2-norm condition number of J_T."""
    return float(evidence.table("conditioning")["largest"].iloc[0])


FUNCTIONS: dict[str, Measure] = {
    "tau_env": tau_env,
    "tau_env_over_former": tau_env_over_former,
    "tau_env_range_over_others": tau_env_range_over_others,
    "decades_to_32": decades_to_32,
    "exponential_r2": exponential_r2,
    "beta": beta,
    "power_advantage": power_advantage,
    "monotone_share": monotone_share,
    "mass_beside_diag": mass_beside_diag,
    "first_horizon": first_horizon,
    "last_horizon": last_horizon,
    "horizon_growth": horizon_growth,
    "growth_under_exponential": growth_under_exponential,
    "horizon_over_former": horizon_over_former,
    "horizon_steps": horizon_steps,
    "horizon_lead_of_adamw": horizon_lead_of_adamw,
    "windows_with_time_scales": windows_with_time_scales,
    "growth_over_theory": growth_over_theory,
    "opening_size": opening_size,
    "signal_slope": signal_slope,
    "signal_exponential_r2": signal_exponential_r2,
    "scaling_r2": scaling_r2,
    "scaling_r2_lead": scaling_r2_lead,
    "tau_q_median": tau_q_median,
    "tau_q_spread": tau_q_spread,
    "tau_q_largest": tau_q_largest,
    "tau_q_largest_over_const": tau_q_largest_over_const,
    "tau_q_spread_of_adamw": tau_q_spread_of_adamw,
    "mixture_r2": mixture_r2,
    "tau_q_share_to_3": tau_q_share_to_3,
    "tau_q_share_3_to_10": tau_q_share_3_to_10,
    "alpha_median": alpha_median,
    "alpha_q90": alpha_q90,
    "alpha_below_others": alpha_below_others,
    "alpha_spread": alpha_spread,
    "tail_index_with_decay": tail_index_with_decay,
    "stable_share": stable_share,
    "scale_ratio": scale_ratio,
    "residual_middle_range": residual_middle_range,
    "residual_fall": residual_fall,
    "transport_error": transport_error,
    "off_diagonal_share": off_diagonal_share,
    "anisotropy": anisotropy,
    "decades_below_former_at_start": decades_below_former_at_start,
    "decades_below_former_early": decades_below_former_early,
    "jacobian_condition": jacobian_condition,
    "jacobian_condition_largest": jacobian_condition_largest,
}

MEASURES = Measures(FUNCTIONS, ROLES, COMPARING)
