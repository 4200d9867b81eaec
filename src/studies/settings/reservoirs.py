"""Reservoirs that an exhibit draws."""

from typing import Annotated

from pydantic import Field

from studies.settings.sections import NOT_GIVEN, Distribution, Section, Share

Units = Annotated[int, Field(ge=1, le=100000)]
Scale = Annotated[float, Field(ge=0, le=1e6)]


class ReservoirDraw(Section):
    """Arguments of `draw_reservoir`."""

    units: Units = NOT_GIVEN
    """Units."""
    spectral_radius: Scale = NOT_GIVEN
    """ρ(W), 0.9 where it is not given."""
    density: Share = NOT_GIVEN
    """Share of recurrent weights that are not 0, 1 where it is not given."""
    distribution: Distribution = NOT_GIVEN
    """Distribution of the recurrent weights."""
    input_scale: Scale = NOT_GIVEN
    """Factor of the input weights, 1 where it is not given."""
    bias_scale: Scale = NOT_GIVEN
    """Factor of the bias, 0 where it is not given."""
    input_distribution: Distribution = NOT_GIVEN
    """Distribution of input weights and bias."""
    leak: Share = NOT_GIVEN
    """Leak rate, 1 where it is not given."""


class SizedReservoirDraw(ReservoirDraw):
    """Arguments of `draw_reservoir`, the number of units among them."""

    units: Units
    """Units."""
