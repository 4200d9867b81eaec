"""The symmetric α-stable (SαS) law, its estimators and its Fisher information."""

from collections.abc import Callable

from learnability.stats.stable.characteristic_function import fit_characteristic_function
from learnability.stats.stable.hill import fit_hill
from learnability.stats.stable.law import (
    cumulative,
    cumulatives,
    density,
    location_information,
    location_informations,
    log_densities,
    quantile,
    quantiles,
)
from learnability.stats.stable.mcculloch import StableFit, fit_stable, interquartile_range

ESTIMATORS: dict[str, Callable[..., StableFit]] = {
    "mcculloch": fit_stable,
    "characteristic_function": fit_characteristic_function,
    "hill": fit_hill,
}
"""Estimators by name; each fits along the last axis."""

__all__ = [
    "ESTIMATORS",
    "StableFit",
    "cumulative",
    "cumulatives",
    "density",
    "fit_characteristic_function",
    "fit_hill",
    "fit_stable",
    "interquartile_range",
    "location_information",
    "location_informations",
    "log_densities",
    "quantile",
    "quantiles",
]
