"""Draws of the matched statistic and of its noise: the values of each sequence, lag by lag."""

from collections.abc import Iterator

import numpy as np
import xarray as xr
from jaxtyping import Float

Draws = Float[np.ndarray, "sequence draw"]


def statistic_draws(statistic: xr.Dataset) -> Iterator[Draws]:
    """S at each lag ℓ along one direction: at all its t > ℓ, or the one mean of each sequence."""
    values = statistic["statistic"].transpose("lag", "sequence", ...)
    for lag, at_lag in zip(statistic["lag"].to_numpy().tolist(), values.to_numpy(), strict=True):
        yield _columns(at_lag)[:, _beyond(statistic, lag) if "time" in values.dims else slice(None)]


def noise_draws(statistic: xr.Dataset) -> Iterator[Draws]:
    """Draws of the noise: S at each lag or, where the noise is `total`, that gradient, once for all lags if it is."""
    if has_one_noise(statistic):
        yield _columns(statistic["total"].transpose("sequence", ...).to_numpy())
    elif "total" in statistic:  # along a direction of each lag
        yield from map(_columns, statistic["total"].transpose("lag", "sequence", ...).to_numpy())
    else:
        yield from statistic_draws(statistic)


def has_one_noise(statistic: xr.Dataset) -> bool:
    """True if all lags share one noise, the whole gradient along one direction."""
    return "total" in statistic and "lag" not in statistic["total"].dims


def last_draws(statistic: xr.Dataset) -> Float[np.ndarray, "lag sequence"]:
    """The last draw of the noise of each sequence; a single row where all lags share one noise."""
    return np.stack([draws[:, -1] for draws in noise_draws(statistic)])


def _columns(values: np.ndarray) -> Draws:
    return values.reshape(len(values), -1)


def _beyond(statistic: xr.Dataset, lag: int) -> slice:
    """The t > ℓ; all, where t has no coordinate."""
    return slice(int(np.searchsorted(statistic["time"], lag, side="right")) if "time" in statistic.coords else 0, None)
