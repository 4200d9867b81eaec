"""Measures that the paper's claims are about: each takes the evidence on one run and gives a number.

NaN says that there is nothing to measure, ∞ is a value.
"""

from dataclasses import replace

import numpy as np
import pandas as pd

from learnability.claims import Evidence, Measure, Measures
from learnability.stats.fits import fit_exponential, fit_line
from learnability.windows.detection import CLOSED_FORM
from learnability.windows.scaling import (
    growth_exponent,
    predicted_growth,
    rank_correlation,
    residual,
    signal_on_envelope,
)
from studies.learnability_window.opening import SETTLED

ROLES = ("const_gate", "shared_gate", "diag_gate")
"""The roles that the paper compares, least memory first; a group puts an architecture in each."""
COMPARING = (
    "mass_beside_diag",
    "scaling_r2_lead",
    "alpha_below_others",
    "tau_env_over_former",
    "tau_env_range_over_others",
    "growth_beyond_logarithm",
    "tau_q_spread_less_const",
    "tau_q_largest_over_const",
    "envelopes_with_spreads",
    "windows_with_spreads",
    "tail_index_with_decay",
    "least_step_of_windows",
    "windows_with_envelopes",
    "envelopes_over_conditioning",
    "spreads_with_tails",
    "windows_with_tails",
    "decades_below_former_at_start",
    "decades_below_former_at_2",
    "decades_apart_later",
)
"""Measures that hold a role against others."""
OF_ALL = (
    *("envelopes_with_spreads", "windows_with_spreads", "spreads_with_tails", "windows_with_tails"),
    *("windows_with_envelopes", "envelopes_over_conditioning", "tail_index_with_decay", "growth_beyond_logarithm"),
    *("least_step_of_windows", "decades_apart_later"),
)
"""Measures whose number is of all roles together."""
OPTIMIZERS = ("adamw", "sgd", "sgd_momentum")
"""Optimizers that the paper compares (Appendix I)."""
MARGIN = 0.05
"""Difference of R² by which one decay law fits better than another, and not by chance of the grid."""
NEARLY_GAUSSIAN = 1.9
"""Tail index above which tails are not heavy."""
LEAST_DIFFERENCE = 0.1
"""Difference of tail indices that tells one network from another: as far as 1.9, "below 2", is from 2."""
SHARPEST = 2
"""Epoch at which sample complexities of gates differ most in their order."""


def under_each(evidence: Evidence, measure: Measure) -> tuple[float, ...]:
    """A measure under each of `OPTIMIZERS`; NaN where the seed has no run."""
    fits = evidence.tables["fits"]
    rows = fits[(fits["architecture"] == evidence.roles[evidence.role]) & (fits["seed"] == evidence.seed)]
    optimizers = rows["optimizer"].tolist()
    return tuple(
        measure(replace(evidence, optimizer=optimizer)) if optimizer in optimizers else np.nan
        for optimizer in OPTIMIZERS
    )


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
    envelope, diag = (e.table("envelope").set_index("lag")["envelope"] for e in (evidence, evidence.of("diag_gate")))
    return float((envelope / diag).loc[20:].max())


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


def growth_beyond_logarithm(evidence: Evidence) -> float:
    """Largest `horizon_growth` beyond (τ_env/κ) ln(N_last/N_first), which an exponential f̂ allows (Sec. 5.4).

    Of roles whose f̂ an exponential fits better than a power law, by `MARGIN` of R². NaN if there is none such, or none
    opens. κ is the median over lags.
    """
    members = [evidence.of(role) for role in evidence.roles]
    excesses = [_growth_beyond_logarithm(member) for member in members if power_advantage(member) <= -MARGIN]
    return max((excess for excess in excesses if not np.isnan(excess)), default=np.nan)


def _growth_beyond_logarithm(evidence: Evidence) -> float:
    sizes, kappa = evidence.table("window")["sample_size"], evidence.table("sample_complexity")["kappa"].median()
    return horizon_growth(evidence) - tau_env(evidence) / kappa * float(np.log(sizes.max() / sizes.min()))


def least_step_of_windows(evidence: Evidence) -> float:
    """The smallest of Ĥ_N at the largest N less that of the role before, over all roles but the first."""
    return float(np.min(np.diff([last_horizon(evidence.of(role)) for role in evidence.roles])))


def horizon_steps(evidence: Evidence) -> float:
    """Number of different Ĥ_N > 0 over N."""
    horizons = evidence.table("window")["horizon"]
    return float(horizons[horizons > 0].nunique())


def horizon_lead_of_adamw(evidence: Evidence) -> float:
    """Ĥ_N at the largest N under AdamW less the larger of those under SGD, without and with momentum."""
    adamw, sgd, momentum = under_each(evidence, last_horizon)
    return float(adamw - np.maximum(sgd, momentum))


def envelopes_with_spreads(evidence: Evidence) -> float:
    """`over_networks`, of the spread of τ_q and τ_env."""
    return over_networks(evidence, tau_q_spread, tau_env)


def windows_with_spreads(evidence: Evidence) -> float:
    """`over_networks`, of the spread of τ_q and Ĥ_N at the largest N."""
    return over_networks(evidence, tau_q_spread, last_horizon)


def windows_with_envelopes(evidence: Evidence) -> float:
    """`over_networks`, of τ_env and Ĥ_N at the largest N."""
    return over_networks(evidence, tau_env, last_horizon)


def envelopes_over_conditioning(evidence: Evidence) -> float:
    """`windows_with_envelopes` less the magnitude of the same of the condition number of J_T in place of τ_env."""
    return windows_with_envelopes(evidence) - abs(over_networks(evidence, jacobian_condition, last_horizon))


def growth_over_theory_of_power_law(evidence: Evidence) -> float:
    """Growth of log Ĥ_N with log N, where the window is open and not at the last lag, over 1/(κβ) (Sec. 5.4).

    0 where an exponential fits f̂ better than a power law.
    """
    sample_complexity = evidence.table("sample_complexity")
    growth = growth_exponent(evidence.table("window"), int(sample_complexity["lag"].max()))
    return growth / predicted_growth(sample_complexity) if np.isnan(growth) or power_advantage(evidence) >= 0 else 0.0


def opening_size(evidence: Evidence) -> float:
    """Smallest N with Ĥ_N > 0; ∞ if there is none."""
    window = evidence.table("window")
    sizes = window.loc[window["horizon"] > 0, "sample_size"]
    return float(sizes.min()) if len(sizes) else np.inf


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


def tau_q_spread_less_const(evidence: Evidence) -> float:
    """`tau_q_spread` less ConstGate's."""
    return tau_q_spread(evidence) - tau_q_spread(evidence.of("const_gate"))


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
        values, fit = np.log(envelope["envelope"].to_numpy()), np.log(mixture)
        return float(1 - ((values - fit) ** 2).sum() / ((values - values.mean()) ** 2).sum())


def mixture_r2_of_power_law(evidence: Evidence) -> float:
    """`mixture_r2` where a power law fits f̂ at least as well as an exponential; -∞ where there is none to explain."""
    return mixture_r2(evidence) if power_advantage(evidence) >= 0 else -np.inf


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
    """`over_networks`, of 1/τ_env and the median α̂: positive if tails are heavier where f̂ decays slowly.

    0 where the α̂ of all these networks differ by less than `LEAST_DIFFERENCE`: no tail is then heavier than another.
    """
    return _of_different_tails(evidence, lambda member: 1 / tau_env(member), alpha_median)


def spreads_with_tails(evidence: Evidence) -> float:
    """`over_networks`, of 2 - α̂, its median over lags, and the spread of τ_q; 0 as of `tail_index_with_decay`."""
    return _of_different_tails(evidence, lambda member: 2 - alpha_median(member), tau_q_spread)


def windows_with_tails(evidence: Evidence) -> float:
    """`over_networks`, of 2 - α̂, its median over lags, and Ĥ_N: positive if heavier tails go with longer windows.

    0 where the α̂ differ by less than `LEAST_DIFFERENCE`, as of `tail_index_with_decay`.
    """
    return _of_different_tails(evidence, lambda member: 2 - alpha_median(member), last_horizon)


def _of_different_tails(evidence: Evidence, x: Measure, y: Measure) -> float:
    tails = np.array([under_each(evidence.of(role), alpha_median) for role in evidence.roles])
    return 0.0 if np.ptp(tails) < LEAST_DIFFERENCE else over_networks(evidence, x, y)


def tail_index_kept_by_adamw(evidence: Evidence) -> float:
    """Median α̂ under AdamW less the smaller of those under SGD, without and with momentum, all with clipping.

    ∞ where that under AdamW is above `NEARLY_GAUSSIAN`: no heavy tail is kept.
    """
    adamw, sgd, momentum = under_each(evidence, alpha_median)
    return np.inf if adamw > NEARLY_GAUSSIAN else float(adamw - np.minimum(sgd, momentum))


def time_of_adamw(evidence: Evidence) -> float:
    """Epochs until AdamW has the lowest validation loss that SGD ends with, without or with momentum, over all epochs.

    ∞ if it never has.
    """
    adamw, *rest = (
        replace(evidence, optimizer=optimizer).table("curve").sort_values("epoch") for optimizer in OPTIMIZERS
    )
    if not len(adamw) or not all(map(len, rest)):
        return np.nan
    goal = min(curve["validation_loss"].iloc[-1] for curve in rest)
    epochs = adamw.loc[adamw["validation_loss"] <= goal, "epoch"]
    return float(epochs.iloc[0] / adamw["epoch"].iloc[-1]) if len(epochs) else np.inf


def slowest_quantile(evidence: Evidence) -> float:
    """Time scale of an exponential through the 95 % point of the rates over units, steps; ∞ if it does not decay."""
    envelope = evidence.table("envelope")
    scale = fit_exponential(envelope["lag"].to_numpy(), envelope["rate_q95"].to_numpy()).parameter
    return float(scale) if scale > 0 else np.inf


def momentum_shift(evidence: Evidence) -> float:
    """Factor between τ_env under momentum and under plain SGD, at least 1."""
    _, sgd, momentum = under_each(evidence, tau_env)
    return float(np.maximum(sgd, momentum) / np.minimum(sgd, momentum))


def stable_distance(evidence: Evidence) -> float:
    """Median over lags of the largest distance between the distributions of the draws and of the fitted law."""
    return float(evidence.table("noise")["distance"].median())


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


def _decades_to_detect(evidence: Evidence) -> "pd.Series[float]":
    """log₁₀ N̂ along its own gradient, in the noise of the whole one, of the farthest lag of the task that was measured.

    By stored epoch.
    """
    windows, responses = evidence.table("training_windows"), evidence.table("training_responses")
    total = windows[(windows["control"] == "none") & (windows["noise"] == "total")]
    task_rows = total[total["lag"].isin(responses.loc[responses["coefficient"] != 0, "lag"])]
    farthest = task_rows[task_rows["lag"] == task_rows["lag"].max()].set_index("epoch")["log_sample_complexity"]
    return farthest.sort_index() / np.log(10)


def _decades_below_former(epoch: int) -> Measure:
    """Decades at the last stored epoch up to `epoch`; NaN where there is none, or neither role detects the lag."""

    def measure(evidence: Evidence) -> float:
        decades, former = (_decades_to_detect(member).loc[:epoch] for member in (evidence, evidence.former()))
        if decades.empty or former.empty or np.isinf([decades.iloc[-1], former.iloc[-1]]).all():
            return np.nan
        return float(former.iloc[-1] - decades.iloc[-1])

    return measure


decades_below_former_at_start, decades_below_former_at_2 = map(_decades_below_former, (0, SHARPEST))


def decades_apart_later(evidence: Evidence) -> float:
    """Most decades between the roles' N̂ of the farthest lag at a stored epoch, of those from `SETTLED` on.

    NaN unless all roles have the lag at such epochs; ∞ where a role does not detect it and another does.
    """
    roles = pd.concat([_decades_to_detect(evidence.of(role)).loc[SETTLED:] for role in evidence.roles], axis=1)
    complete = roles.dropna()
    apart = complete.max(axis=1) - complete.min(axis=1)  # NaN where no role detects it
    return float(apart.max())


def jacobian_condition(evidence: Evidence) -> float:
    """Median over sequences of the 2-norm condition number of J_T."""
    return float(evidence.table("conditioning")["median"].iloc[0])


def jacobian_condition_largest(evidence: Evidence) -> float:
    """Largest over sequences of the 2-norm condition number of J_T."""
    return float(evidence.table("conditioning")["largest"].iloc[0])


FUNCTIONS: dict[str, Measure] = {
    "tau_env": tau_env,
    "exponential_r2": exponential_r2,
    "beta": beta,
    "power_r2": power_r2,
    "decades_below_former_at_start": decades_below_former_at_start,
    "decades_below_former_at_2": decades_below_former_at_2,
    **{
        function.__name__: function
        for function in (
            *(tau_env_over_former, tau_env_range_over_others, decades_to_32, power_advantage, monotone_share),
            *(mass_beside_diag, first_horizon, last_horizon, horizon_growth, growth_beyond_logarithm),
            *(least_step_of_windows, horizon_steps, horizon_lead_of_adamw, envelopes_with_spreads),
            *(windows_with_spreads, windows_with_envelopes, envelopes_over_conditioning, spreads_with_tails),
            *(windows_with_tails, growth_over_theory_of_power_law, opening_size, signal_slope, signal_exponential_r2),
            *(scaling_r2, scaling_r2_lead, tau_q_median, tau_q_spread, tau_q_spread_less_const, tau_q_largest),
            *(tau_q_largest_over_const, tau_q_spread_of_adamw, mixture_r2_of_power_law, tau_q_share_to_3),
            *(tau_q_share_3_to_10, alpha_median, alpha_q90, alpha_below_others, alpha_spread, tail_index_with_decay),
            *(tail_index_kept_by_adamw, time_of_adamw, slowest_quantile, momentum_shift, stable_distance, scale_ratio),
            *(residual_middle_range, residual_fall, transport_error, off_diagonal_share, anisotropy),
            *(decades_apart_later, jacobian_condition, jacobian_condition_largest),
        )
    },
}

MEASURES = Measures(FUNCTIONS, ROLES, COMPARING, nameless=OF_ALL)
