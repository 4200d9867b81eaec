"""Settings of measurements, their sequences and their lags."""

from typing import Annotated, Literal

from pydantic import Field

from studies.settings.sections import INCREASING, Count, Distinct, Positive, Section, SomeDistinct


class Measurement(Section):
    """Measurements on the frozen networks."""

    engine: Literal["auto", "native", "torch"]
    """Engine that runs frozen networks and sums over windows: `native`, C++ compiled at first use; `torch`; `auto`,
    `native` where there is a compiler. They agree to rounding."""
    lags: Annotated[Distinct[Count], INCREASING, Field(min_length=3)]
    """Diagnostic lags ℓ, steps, increasing, below `task.duration` (Sec. 6.1: 4, 8, …, 128)."""
    further_lags: Distinct[Count]
    """Lags beyond those, increasing, that readings with `further_lags` look at, too: a window must have room to end."""
    precision: Literal["single", "double"]
    """Precision of exact transport by the native engine: `single` (float32), which changes N̂ by less than a hundredth
    of its interval, or `double`. All else is double."""
    product_sequences: Annotated[int, Field(ge=2)]
    """Diagnostic sequences, one window of each, on which whole Jacobian products are formed and decomposed; intervals
    need two."""
    resonance_sequences: Count
    """Diagnostic sequences over which the Jacobian is averaged whose eigenvalues are the resonances."""


class ThroughTraining(Section):
    """Measurements on the weights of every stored epoch."""

    reading: str
    """A reading of probe `own_gradient` and noise `total`; the noise `matched` is shown beside it."""
    sequences: Annotated[int, Field(ge=20)]
    """Diagnostic sequences to use, the first so many. They limit what is detected: N̂ is finite only where the mean of
    a lag's own part stands out of its scatter over half of them."""
    lags: SomeDistinct[Count]
    """ℓ, steps, increasing, below `task.duration`."""


class Window(Section):
    """Detection levels and the grid of N, where a reading does not say its own."""

    error_level: Annotated[float, Field(ge=1e-09, lt=0.5)]
    """ε, tolerated error probability (Eq. 36)."""
    snr_threshold: Positive
    """Least signal-to-noise ratio of the `snr` criterion, N^{1/κ} Δ̂/σ̂ (author's code: 0.1)."""
    draws: Annotated[int, Field(ge=100)]
    """Random draws each: sign flips of sequences (`family_wise`, the null control), resamples of sequences (intervals),
    repetitions of the criterion `resampling`."""
    sample_sizes: Annotated[SomeDistinct[Count], INCREASING]
    """N, sequences, increasing (Fig. 2)."""


class Simulation(Section):
    """Data sets of a known truth, to see whether the intervals of sample complexities and windows cover it."""

    replicates: Count
    """Data sets for each tail index and number of sequences."""
