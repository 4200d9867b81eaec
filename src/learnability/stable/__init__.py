"""The symmetric α-stable (SαS) law, its estimators and its Fisher information."""

from learnability.stable.law import (
    cumulative,
    density,
    location_information,
    location_informations,
    quantile,
    quantiles,
)
from learnability.stable.mcculloch import StableFit, fit_stable, interquartile_range

__all__ = [
    "StableFit",
    "cumulative",
    "density",
    "fit_stable",
    "interquartile_range",
    "location_information",
    "location_informations",
    "quantile",
    "quantiles",
]
