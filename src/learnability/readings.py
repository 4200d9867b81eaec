"""A reading: what the paper leaves open, chosen by name. Here are its options, and which exclude one another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from learnability.errors import require, require_one_of


class Options:
    """A part of a reading; `CHOICES` says what some of its options can be.

    Raises:
        InputError: for a value that is none of them.
    """

    CHOICES: ClassVar[Mapping[str, tuple[object, ...]]] = {}

    def __post_init__(self) -> None:
        for key, available in self.CHOICES.items():
            require_one_of(key, getattr(self, key), available)


@dataclass(frozen=True)
class StatisticOptions(Options):
    """How the matched statistic S is read (Sec. 5.2).

    Args:
        transport: μ as `first_order` diagonal windows (the paper's), or whole products, `exact`: S_{t,ℓ} =
            Σ_q v^{(q)} o_q(ℓ) ⟨B_{t-ℓ}, w⟩^{(q)} with v = δ_tᵀ M_{t,ℓ}, q a unit of the state at t - ℓ.
        parameter_jacobian: B as the `immediate` partial ∂h_t/∂θ at fixed h_{t-1}, which makes the sum of Eq. 2 the
            gradient, or `total`, its tangent carried through the recurrence.
        orientation: o_q = sgn m_q(ℓ) `per_unit` (Eq. 30), or one sign for all units, `global`: sgn of the mean of S.
        sign_estimate: signs from the same data, `in_sample`, or, `cross_fit`, of each half of the sequences from the
            other half. The former make the mean of pure noise positive.
        sampling: `pooled` over all (t, sequence) pairs, the `last` t alone, or the mean over t of each sequence,
            `sequence_mean`: what an optimiser averages. ASSUMPTION: t beyond the largest lag of the grid, so that each
            lag sees the same t.
        base_rate: multiply by the optimiser's rate μ.
        error_signal: δ_t as the `gradient` of (ŷ_t - y_t)², or half of it, `residual`, as in the author's public code.
        error_mean: δ_t with its mean over sequences `kept`, or `removed`: less its mean at that t over all other
            sequences, or those of its half with `cross_fit`. Before signs, E S is then the covariance of δ_t with what
            crosses the lag. What is left out, in signal and noise, is the gradient of a bias, which crosses lags as any
            other and depends on no input. The mean of S over sequences scatters a little less than that of independent
            draws.
        noise: that of the `matched` statistic itself, which fades with the lag as its mean does, or of the `total`
            gradient along w of the loss at t, of these errors, lag 0 included, which does not.
        directions: number of random directions w, each with a statistic, a law and windows of its own.
        gru_rates: first-order μ of a GRU as γ⁰ + γ¹, `strict`, or with ρ⁰ + η⁰ added (`eq26`).
        time_stride: keep every so many t. ASSUMPTION: neighbouring t of a sequence carry nearly the same value, so a
            stride loses little; 1 keeps all.

    Raises:
        InputError: also for `total` noise with signs `per_unit`: such a sum is no projection of the gradient.
    """

    CHOICES: ClassVar = {
        "transport": ("first_order", "exact"),
        "parameter_jacobian": ("immediate", "total"),
        "orientation": ("per_unit", "global"),
        "sign_estimate": ("in_sample", "cross_fit"),
        "sampling": ("pooled", "last", "sequence_mean"),
        "error_signal": ("gradient", "residual"),
        "error_mean": ("kept", "removed"),
        "noise": ("matched", "total"),
        "gru_rates": ("strict", "eq26"),
    }

    transport: str
    parameter_jacobian: str
    orientation: str
    sign_estimate: str
    sampling: str
    base_rate: bool
    error_signal: str
    error_mean: str
    noise: str
    directions: int
    gru_rates: str
    time_stride: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self.time_stride >= 1, "time_stride", "at least 1", self.time_stride)
        require(self.directions >= 1, "directions", "at least 1", self.directions)
        if self.noise == "total":
            require(self.orientation == "global", "orientation", "global with noise total", self.orientation)

    @property
    def folds(self) -> int:
        """Parts of the sequences with signs of their own."""
        return 2 if self.sign_estimate == "cross_fit" else 1


@dataclass(frozen=True)
class NoiseOptions(Options):
    """How the law of S is read (Sec. 5.3.1).

    Args:
        estimator: a name in `learnability.stable.ESTIMATORS`.
        tail_index: α̂ fitted `per_lag`, or one for all lags, `shared`: fitted to all of them at once, each centred and
            scaled by its own quartiles.
        numerical_floor: an interquartile range below this counts as no noise: (α̂, σ̂) = (2, 0) and the lag is not
            detectable, as in the author's public code (1e-12). 0 switches it off.

    Raises:
        InputError: also for a negative floor.
    """

    CHOICES: ClassVar = {
        "estimator": ("mcculloch", "characteristic_function", "hill"),
        "tail_index": ("per_lag", "shared"),
    }

    estimator: str
    tail_index: str
    numerical_floor: float

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self.numerical_floor >= 0, "numerical_floor", "at least 0", self.numerical_floor)


@dataclass(frozen=True)
class DetectionOptions(Options):
    """What counts as detected (Secs. 5.3.2, 6.1).

    Args:
        criterion: the one that the figures use; all are computed (see `learnability.detection`).
        detector: of N draws the sample `mean`, the `median`, or their mean `clipped` at the 5 % and 95 % points of the
            law, as gradient clipping would (see `learnability.detectors`).
        signal: Δ̂ = |`mean` S|, or `product` m̄(ℓ) f̂(ℓ) of Eq. 31, which leaves out that μ and ζ hang together and that
            μ may be negative.
        family_wise: level of a lower confidence bound of the signed mean of S, over all lags at once; a lag whose bound
            is not above 0 is not detectable at any N. 0 switches it off.
        error_level: ε of Eq. 36, in (0, 1/2).
        snr_threshold: least signal-to-noise ratio of `snr`, positive.
        draws: random draws each: sign flips of sequences (that bound, the null control), resamples of sequences
            (intervals), and repetitions of the criterion `resampling`.
        sample_sizes: the grid of N, increasing.

    Raises:
        InputError: also for a value out of its range.
    """

    CHOICES: ClassVar = {
        "criterion": ("fano", "snr", "exact", "resampling"),
        "detector": ("mean", "median", "clipped"),
        "signal": ("mean", "product"),
    }

    criterion: str
    detector: str
    signal: str
    family_wise: float
    error_level: float
    snr_threshold: float
    draws: int
    sample_sizes: Sequence[int]

    def __post_init__(self) -> None:
        super().__post_init__()
        require(0 <= self.family_wise < 0.5, "family_wise", "in [0, 0.5)", self.family_wise)
        require(0 < self.error_level < 0.5, "error_level", "in (0, 0.5)", self.error_level)
        require(self.snr_threshold > 0, "snr_threshold", "positive", self.snr_threshold)
        require(self.draws >= 100, "draws", "at least 100", self.draws)
        increasing = list(self.sample_sizes) == sorted(set(self.sample_sizes))
        positive = bool(self.sample_sizes) and self.sample_sizes[0] > 0
        require(increasing and positive, "sample_sizes", "positive, increasing, at least one", self.sample_sizes)


@dataclass(frozen=True)
class Reading:
    """All options together.

    Raises:
        InputError: for options that have no meaning together.
    """

    statistic: StatisticOptions
    noise: NoiseOptions
    detection: DetectionOptions

    def __post_init__(self) -> None:
        if self.statistic.noise == "total":
            require(
                self.noise.tail_index == "shared",
                "tail_index",
                "shared with noise total, one law for all lags",
                self.noise.tail_index,
            )

    @classmethod
    def of(cls, parts: Mapping[str, Mapping[str, Any]], window: Mapping[str, Any], **statistic: Any) -> "Reading":
        """From the parts of a reading in the configuration, `statistic`, `noise` and `detection`.

        Args:
            window: detection levels and the grid of N, the same for every reading.
            statistic: options of the statistic to set otherwise.

        Raises:
            InputError: unless each part holds and they agree.
        """
        return cls(
            StatisticOptions(**{**parts["statistic"], **statistic}),
            NoiseOptions(**parts["noise"]),
            DetectionOptions(**parts["detection"], **window),
        )
