"""Settings of the study: networks that are trained from N sequences."""

from typing import Annotated

from pydantic import Field

from studies.settings.sections import INCREASING, NOT_GIVEN, Count, Distinct, Filled, Name, Section, Share, SomeDistinct


class Grid(Section):
    """Settings that the trials of a grid have in common."""

    lags: SomeDistinct[Count]
    """ℓ, steps: of one task each, or `together` of one."""
    together: bool = NOT_GIVEN
    """Give one task all lags."""
    coefficients: list[float] = NOT_GIVEN
    """c of each lag, if not `coefficient`."""
    input_density: Share = NOT_GIVEN
    """The same as `task.input_density`."""
    duration: Annotated[int, Field(ge=2)] = NOT_GIVEN
    """T, steps, if not `task.duration`."""
    hidden_size: Count = NOT_GIVEN
    """H, if not `network.hidden_size`."""
    parameters: Count = NOT_GIVEN
    """Largest number of parameters, in place of H."""
    architectures: Filled[str] = NOT_GIVEN
    """Architectures that are trained, if not all."""
    fewer_seeds: Count = NOT_GIVEN
    """Number of `seeds`, from the first on, if not all."""
    sample_sizes: Annotated[list[Count], INCREASING, Field(min_length=2)] = NOT_GIVEN
    """N, if not those above."""


class Settings(Section):
    """The study `ground_truth`: networks that are trained from N sequences, and numbers of gradients compared with
    what they learn."""

    architectures: SomeDistinct[str]
    """Architectures that are trained."""
    optimizer: str
    """The optimiser that trains them."""
    coefficient: float
    """c of a lag, where a grid does not say."""
    sample_sizes: Annotated[Distinct[Count], INCREASING, Field(min_length=2)]
    """N, sequences, increasing; sequences none of which is shown twice (N = ∞) are added."""
    updates: Annotated[int, Field(ge=2)]
    """Updates of every trial, whatever N; what is learned is looked at after half of them, too."""
    batch_size: Count
    """Sequences of an update, or all N where there are fewer."""
    sequences: Annotated[int, Field(ge=20)]
    """Fresh sequences on which responses and gradients are measured."""
    contest: SomeDistinct[str]
    """Grids over which the contest is held."""
    grids: Annotated[dict[Name, Grid], Field(min_length=1)]
    """Grid id → what its trials have in common."""
