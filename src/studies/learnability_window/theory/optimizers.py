"""Appendix I: mean and quantile envelopes, and whether spectra are bounded, under every optimiser.

Figures 8 to 11 and Table 1 show the mean envelope μ̄(ℓ) = f̂(ℓ)/H and the time scales τ_q. A mean of many exponentials
can look like a power law; the paper tells the two apart by the quantiles over units and by the largest τ_q.
"""

import numpy as np
import pandas as pd

from learnability.stats.fits import fit_exponential, fit_power

ENVELOPES = {
    "mean_rate": "mean",
    "rate_q05": "5 %",
    "rate_q25": "25 %",
    "rate_q50": "50 %",
    "rate_q75": "75 %",
    "rate_q95": "95 %",
}
"""Columns of `learnability.transport.rates.envelope_table`, and what they are called."""
RUN = ["optimizer", "architecture"]


def quantile_fits(envelope: pd.DataFrame) -> pd.DataFrame:
    """Fits of both decay laws to the mean envelope and to each quantile envelope; medians over seeds.

    Args:
        envelope: with columns optimizer, architecture and seed.

    Returns:
        A row for each optimizer, architecture and `envelope`: `time_scale` τ, `exponential_r_squared`, `exponent` β,
        `power_r_squared`.
    """
    rows = []
    for (optimizer, architecture, seed), group in envelope.groupby([*RUN, "seed"], sort=False):
        for column, name in ENVELOPES.items():
            lags, values = group["lag"].to_numpy(), group[column].to_numpy()
            exponential, power = fit_exponential(lags, values), fit_power(lags, values)
            rows.append(
                {
                    "optimizer": optimizer,
                    "architecture": architecture,
                    "envelope": name,
                    "seed": seed,
                    "time_scale": exponential.parameter,
                    "exponential_r_squared": exponential.r_squared,
                    "exponent": power.parameter,
                    "power_r_squared": power.r_squared,
                }
            )
    medians = pd.DataFrame(rows).groupby([*RUN, "envelope"], sort=False).median()
    return medians.drop(columns="seed").reset_index()


def spectrum_bounds(spectrum: pd.DataFrame) -> pd.DataFrame:
    """Time scales over units and seeds.

    Args:
        spectrum: with columns optimizer, architecture, `time_scale` and `last_lag`.

    Returns:
        A row for each optimizer and architecture: `smallest`, `median`, `largest` of the τ_q > 0; `units` in all;
        `no_decay`, units whose rate does not fall; `bounded`, whether there are none of these and the largest τ_q is
        below the largest lag, so that the grid can tell.
    """
    rows = []
    for (optimizer, architecture), group in spectrum.groupby(RUN, sort=False):
        scales = group["time_scale"]
        finite = scales[np.isfinite(scales) & (scales > 0)]
        endless = len(group) - len(finite)
        rows.append(
            {
                "optimizer": optimizer,
                "architecture": architecture,
                "smallest": finite.min(),
                "median": finite.median(),
                "largest": finite.max(),
                "units": len(group),
                "no_decay": endless,
                "bounded": bool(endless == 0 and finite.max() < group["last_lag"].max()),
            }
        )
    return pd.DataFrame(rows)


def tabulate(envelope: pd.DataFrame, spectrum: pd.DataFrame) -> pd.DataFrame:
    """`quantile_fits` beside `spectrum_bounds`, from the tables `envelope` and `spectrum`."""
    return quantile_fits(envelope).merge(spectrum_bounds(spectrum), on=RUN)
