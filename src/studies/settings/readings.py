"""Readings of the paper's quantities."""

from typing import Annotated, Any, NamedTuple

from pydantic import Field
from pydantic_core import core_schema

from learnability.windows.readings import DetectionOptions, NoiseOptions, Options, StatisticOptions
from studies.settings.sections import NOT_GIVEN, Count, NotNegative, Positive, Section, Whole


class OneOf(NamedTuple):
    """Values that an option of a reading can take, by its class."""

    options: type[Options]
    key: str

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> core_schema.CoreSchema:
        return core_schema.literal_schema(list(self.options.CHOICES[self.key]))


class Statistic(Section):
    """The matched statistic S (Sec. 5.2)."""

    transport: Annotated[str, OneOf(StatisticOptions, "transport")] = NOT_GIVEN
    """μ from diagonal first-order windows, or whole Jacobian products. Both are always computed; figures use this one.
    """
    parameter_jacobian: Annotated[str, OneOf(StatisticOptions, "parameter_jacobian")] = NOT_GIVEN
    """B: the partial at fixed h_{t-1}, or the total derivative."""
    orientation: Annotated[str, OneOf(StatisticOptions, "orientation")] = NOT_GIVEN
    """Sign for each unit (Eq. 30), or for all units together."""
    sign_estimate: Annotated[str, OneOf(StatisticOptions, "sign_estimate")] = NOT_GIVEN
    """Signs from the same data, which makes the mean of pure noise positive, or of each half of the sequences from the
    other half."""
    sign_batch: Whole = NOT_GIVEN
    """Signs from each batch of so many sequences, as in the author's code (128); 0: from all."""
    sampling: Annotated[str, OneOf(StatisticOptions, "sampling")] = NOT_GIVEN
    """All (t, sequence) pairs, the last t, or the mean over t of each sequence, which is what an optimiser averages."""
    time_range: Annotated[str, OneOf(StatisticOptions, "time_range")] = NOT_GIVEN
    """`all`: every t > ℓ for lag ℓ, and means of sequences over all T steps, as the loss is; `common`: the t beyond the
    largest lag alone, the same for all lags."""
    time_stride: Count = NOT_GIVEN
    """Keep every so many t; 1 keeps all. Errors are nearly white in t: a stride of 8 asks for ten to twenty times as
    many sequences, and aliases a cycle."""
    further_lags: bool = NOT_GIVEN
    """Look at `measurement.further_lags`, too."""
    base_rate: bool = NOT_GIVEN
    """Multiply μ_{t,ℓ} by the optimiser's rate."""
    error_signal: Annotated[str, OneOf(StatisticOptions, "error_signal")] = NOT_GIVEN
    """δ_t: the gradient of the squared error, or half of it, as in the author's code."""
    error_mean: Annotated[str, OneOf(StatisticOptions, "error_mean")] = NOT_GIVEN
    """The mean of δ_t over sequences, kept or removed, and with it the gradient of a bias, which crosses lags as any
    other."""
    noise: Annotated[str, OneOf(StatisticOptions, "noise")] = NOT_GIVEN
    """The noise of the statistic itself, which fades with the lag as its mean does, or of the whole gradient of the
    loss at t along w, which does not; the latter with `orientation: global` and `tail_index: shared`."""
    probe: Annotated[str, OneOf(StatisticOptions, "probe")] = NOT_GIVEN
    """Directions that the gradient is taken along: `random` directions w, or at each lag its `own_gradient`, from the
    other half of the sequences; the latter with `orientation: global`, `sign_estimate: cross_fit`,
    `sampling: sequence_mean`, `parameter_jacobian: immediate`, `gru_rates: strict` and `directions: 1`."""
    directions: Count = NOT_GIVEN
    """Random directions w, each with a statistic, a law and windows of its own."""
    gru_rates: Annotated[str, OneOf(StatisticOptions, "gru_rates")] = NOT_GIVEN
    """First-order rates of a GRU: γ⁰ + γ¹, or with ρ⁰ + η⁰ added as in Eq. 26. Both are always computed."""


class Noise(Section):
    """The law of S (Sec. 5.3.1)."""

    estimator: Annotated[str, OneOf(NoiseOptions, "estimator")] = NOT_GIVEN
    """Estimator of the SαS law: quantiles, regression on the characteristic function, or the tail alone, which Hill
    reads as too light."""
    tail_index: Annotated[str, OneOf(NoiseOptions, "tail_index")] = NOT_GIVEN
    """α̂ at each lag, or one for all."""
    numerical_floor: NotNegative = NOT_GIVEN
    """Interquartile range, in the unit of S, up to which a lag counts as not detectable, and which McCulloch's ratio
    adds to its denominator; 0: no floor. The author's code has 1e-12."""
    least_tail_index: Annotated[float, Field(ge=0.8, le=1.2)] = NOT_GIVEN
    """An α̂ below this is put there: 0.8, where the tables of the law end, or 1 as in the author's code."""


class Detection(Section):
    """Criterion of detection (Secs. 5.3.2, 6.1)."""

    criterion: Annotated[str, OneOf(DetectionOptions, "criterion")] = NOT_GIVEN
    """Eq. 36, the signal-to-noise rule of the author's code, the N at which the detector errs with probability
    `error_level`, or that error counted over resampled sequences, which knows no tail beyond the data and asks too
    little where tails are heavy (at α = 1.6 for half of the N, near N = n). All are always computed; figures use this
    one."""
    detector: Annotated[str, OneOf(DetectionOptions, "detector")] = NOT_GIVEN
    """Statistic that decides over N draws: their mean, their median, or the mean of the draws clipped at the 5 % and
    95 % points of their law."""
    signal: Annotated[str, OneOf(DetectionOptions, "signal")] = NOT_GIVEN
    """Δ̂ = |mean S|, or m̄(ℓ) f̂(ℓ) of Eq. 31."""
    family_wise: Annotated[float, Field(ge=0, lt=0.5)] = NOT_GIVEN
    """Level of a lower confidence bound of the mean of S over all lags at once, by sign flips of sequences; a lag
    counts only if it is above 0. 0: no bound."""
    snr_threshold: Positive = NOT_GIVEN
    """The threshold of this reading, in place of `window.snr_threshold` (author's later scripts: 20)."""


class Reading(Section):
    """Reading of the paper's quantities where it leaves them open."""

    like: str = NOT_GIVEN
    """Another reading, from which it takes what it does not say; otherwise that is as in `gradient_step`."""
    statistic: Statistic = NOT_GIVEN
    """The matched statistic S (Sec. 5.2)."""
    noise: Noise = NOT_GIVEN
    """The law of S (Sec. 5.3.1)."""
    detection: Detection = NOT_GIVEN
    """Criterion of detection (Secs. 5.3.2, 6.1)."""
