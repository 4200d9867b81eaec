"""A reading: what the paper leaves open, chosen by name. Here are its options, and which exclude one another.

The defaults are the reading in which the theory's assumptions hold, `gradient_step` in config/config.yaml.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from learnability.core.errors import require, require_one_of
from learnability.stats.stable.law import LEAST_TAIL


@dataclass(frozen=True)
class Options:
    """A part of a reading; `CHOICES` says what some of its options can be.

    Raises:
        InputError: for a value that is none of them.
    """

    CHOICES: ClassVar[Mapping[str, tuple[object, ...]]] = {}

    def __post_init__(self) -> None:
        for key, available in self.CHOICES.items():
            require_one_of(key, getattr(self, key), available)


def halves(sequences: int) -> tuple[slice, slice]:
    """The sequences of both halves, of an odd number one more in the first."""
    middle = (sequences + 1) // 2
    return slice(0, middle), slice(middle, sequences)


OWN_GRADIENT = {
    "orientation": "global",
    "sign_estimate": "cross_fit",
    "sampling": "sequence_mean",
    "parameter_jacobian": "immediate",
    "gru_rates": "strict",
    "directions": 1,
}
"""Options that the probe `own_gradient` requires."""


@dataclass(frozen=True, kw_only=True)
class StatisticOptions(Options):
    """Options of the matched statistic S (Sec. 5.2).

    Args:
        transport: μ as `first_order` diagonal windows (the paper's), or whole products, `exact`: S_{t,ℓ} =
            Σ_q v^{(q)} o_q(ℓ) ⟨B_{t-ℓ}, w⟩^{(q)} with v = δ_tᵀ M_{t,ℓ}, q a unit of the state at t - ℓ.
        parameter_jacobian: B as the `immediate` partial ∂h_t/∂θ at fixed h_{t-1}, which makes the sum of Eq. 2 the
            gradient, or `total`, its tangent carried through the recurrence.
        orientation: o_q = sgn m_q(ℓ) `per_unit` (Eq. 30), or one sign for all units, `global`: sgn of the mean of S.
        sign_estimate: signs from the same data, `in_sample`, or, `cross_fit`, of each half of the sequences from the
            other half. The former make the mean of pure noise positive.
        sign_batch: signs from each batch of so many sequences for itself, as in the author's public code (128); 0: from
            all. It inflates |mean S| where there is no signal.
        sampling: `pooled` over all (t, sequence) pairs, the `last` t alone, or the mean over t of each sequence,
            `sequence_mean`: what an optimiser averages.
        time_range: `all`, every t > ℓ for lag ℓ, the mean of a sequence then over all T steps, as the loss is, with 0
            where t ≤ ℓ, so that lags add up to the gradient; or `common`, the t beyond the largest lag alone, so that
            every lag sees the same t.
        base_rate: multiply by the optimiser's rate μ.
        error_signal: δ_t as the `gradient` of (ŷ_t - y_t)², or half of it, `residual`, as in the author's public code.
        error_mean: δ_t with its mean over sequences `kept`, or `removed`: less its mean at that t over all other
            sequences, or those of its half with `cross_fit`. Before signs, E S is then the covariance of δ_t with what
            crosses the lag. What is left out, in signal and noise, is the gradient of a bias, which crosses lags as any
            other and depends on no input. The mean of S over sequences scatters a little less than that of independent
            draws.
        noise: the noise of the `matched` statistic itself, which fades with the lag as its mean does, or of the `total`
            gradient along w of the loss at t, of these errors, lag 0 included, which does not.
        probe: directions of the projection: `random` directions w, or at each lag its `own_gradient`, the mean of
            its own part of it over the other half of the sequences (`learnability.windows.own_gradient`).
        directions: number of random directions w, each with a statistic, a law and windows of its own.
        gru_rates: first-order μ of a GRU as γ⁰ + γ¹, `strict`, or with ρ⁰ + η⁰ added (`eq26`).
        time_stride: keep every so many t; 1 keeps all. Errors are nearly white in t, so a mean over every k-th t has up
            to k times the variance of that over all, and N̂ grows as much; and a network whose error has a cycle of
            period k shows another mean at each phase. It is here so that `sensitivity` can show that.
        further_lags: look beyond the lags of the paper's figures, too.

    Raises:
        InputError: also for `total` noise with signs `per_unit`: such a sum is no projection of the gradient; for signs
            of batches that are cross-fitted; and for a probe `own_gradient` unless its one sign is cross-fitted, S is
            the mean of each sequence, B is immediate, rates are strict and there is one direction.
    """

    CHOICES: ClassVar = {
        "transport": ("first_order", "exact"),
        "parameter_jacobian": ("immediate", "total"),
        "orientation": ("per_unit", "global"),
        "sign_estimate": ("in_sample", "cross_fit"),
        "sampling": ("pooled", "last", "sequence_mean"),
        "time_range": ("common", "all"),
        "error_signal": ("gradient", "residual"),
        "error_mean": ("kept", "removed"),
        "noise": ("matched", "total"),
        "probe": ("random", "own_gradient"),
        "gru_rates": ("strict", "eq26"),
    }

    transport: str = "exact"
    parameter_jacobian: str = "immediate"
    orientation: str = "global"
    sign_estimate: str = "cross_fit"
    sign_batch: int = 0
    sampling: str = "sequence_mean"
    time_range: str = "all"
    time_stride: int = 1
    further_lags: bool = True
    base_rate: bool = True
    error_signal: str = "gradient"
    error_mean: str = "removed"
    noise: str = "total"
    probe: str = "random"
    directions: int = 8
    gru_rates: str = "strict"

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self.time_stride >= 1, "time_stride", "at least 1", self.time_stride)
        require(self.directions >= 1, "directions", "at least 1", self.directions)
        require(self.sign_batch >= 0, "sign_batch", "at least 0", self.sign_batch)
        if self.sign_batch:
            require(self.orientation == "global", "orientation", "global with sign_batch", self.orientation)
            require(self.sign_estimate == "in_sample", "sign_estimate", "in_sample with sign_batch", self.sign_estimate)
        if self.noise == "total":
            require(self.orientation == "global", "orientation", "global with noise total", self.orientation)
        if self.probe == "own_gradient":
            for key, requirement in OWN_GRADIENT.items():
                require(
                    getattr(self, key) == requirement, key, f"{requirement} with probe own_gradient", getattr(self, key)
                )

    @property
    def folds(self) -> int:
        """Parts of the sequences with signs of their own, and means of errors of their own."""
        return 2 if self.sign_estimate == "cross_fit" else 1

    def independent(self, sequences: int) -> int:
        """Number of sequences, counted from the first, whose S are independent given their direction.

        Along the gradient of the other half the means of both halves are ⟨Ḡ_A, Ḡ_B⟩ over a norm: they say the same.
        """
        return halves(sequences)[0].stop if self.probe == "own_gradient" else sequences

    def sign_groups(self, sequences: int) -> list[tuple[slice, slice]]:
        """Sequences that share a sign, and those that it is taken from: themselves, or the other half."""
        if self.sign_estimate == "cross_fit":
            first, second = halves(sequences)
            return [(first, second), (second, first)]
        size = self.sign_batch or sequences
        batches = [slice(start, min(start + size, sequences)) for start in range(0, sequences, size)]
        return [(batch, batch) for batch in batches]


@dataclass(frozen=True, kw_only=True)
class NoiseOptions(Options):
    """Options of the law of S (Sec. 5.3.1).

    Args:
        estimator: a name in `learnability.stats.stable.ESTIMATORS`.
        tail_index: α̂ fitted `per_lag`, or one for all lags, `shared`: fitted to all of them at once, each centred and
            scaled by its own quartiles.
        numerical_floor: an interquartile range of at most this counts as no noise, (α̂, σ̂) = (2, 0), and the lag is not
            detectable; McCulloch's ratio has it added to its denominator. As in the author's public code (1e-12). 0
            switches it off.
        least_tail_index: an α̂ below this is put there; the author's public code has 1, where means no longer
            concentrate.

    Raises:
        InputError: also for a negative floor, or a least tail index outside [0.8, 1.2].
    """

    CHOICES: ClassVar = {
        "estimator": ("mcculloch", "characteristic_function", "hill"),
        "tail_index": ("per_lag", "shared"),
    }

    estimator: str = "mcculloch"
    tail_index: str = "shared"
    numerical_floor: float = 0
    least_tail_index: float = 0.8

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self.numerical_floor >= 0, "numerical_floor", "at least 0", self.numerical_floor)
        require(0.8 <= self.least_tail_index <= 1.2, "least_tail_index", "in [0.8, 1.2]", self.least_tail_index)


@dataclass(frozen=True, kw_only=True)
class DetectionOptions(Options):
    """Options of detection (Secs. 5.3.2, 6.1).

    Args:
        criterion: the one that the figures use; all are computed (see `windows.detection`). `resampling` knows no
            tail beyond the largest of the n values that it draws from: of the mean it asks too little where tails are
            heavy, at α = 1.6 in the median for 0.9 of the N of `exact` at N = n/5, 0.55 at 0.8 n, a third at 3 n; at
            α = 2 for all of it.
        detector: of N draws the sample `mean`, the `median`, or their mean `clipped` at the 5 % and 95 % points of the
            law, as gradient clipping would (see `learnability.windows.detectors`).
        signal: Δ̂ = |`mean` S|, or `product` m̄(ℓ) f̂(ℓ) of Eq. 31, which leaves out that μ and ζ are correlated and that
            μ may be negative.
        family_wise: level of a lower confidence bound of the signed mean of S, over all lags at once; a lag whose bound
            is not above 0 is not detectable at any N. 0 switches it off.
        error_level: ε of Eq. 36, in [1e-9, 1/2).
        snr_threshold: least signal-to-noise ratio of `snr`, N^{1/κ} Δ̂/σ̂, positive.
        draws: random draws each: sign flips of sequences (that bound, the null control), resamples of sequences
            (intervals), and repetitions of the criterion `resampling`, which counts ε over them: 10/ε at least.
        sample_sizes: the grid of N, increasing.

    Raises:
        InputError: also for a value out of its range.
    """

    CHOICES: ClassVar = {
        "criterion": ("fano", "snr", "exact", "resampling"),
        "detector": ("mean", "median", "clipped"),
        "signal": ("mean", "product"),
    }

    criterion: str = "exact"
    detector: str = "mean"
    signal: str = "mean"
    family_wise: float = 0.05
    error_level: float = 0.1
    snr_threshold: float = 0.1
    draws: int = 1000
    sample_sizes: Sequence[int] = (25, 50, 100, 150, 200, 400, 800, 1600, 3200, 6400, 12800)

    def __post_init__(self) -> None:
        super().__post_init__()
        require(0 <= self.family_wise < 0.5, "family_wise", "in [0, 0.5)", self.family_wise)
        require(LEAST_TAIL <= self.error_level < 0.5, "error_level", f"in [{LEAST_TAIL:g}, 0.5)", self.error_level)
        require(self.snr_threshold > 0, "snr_threshold", "positive", self.snr_threshold)
        require(self.draws >= 100, "draws", "at least 100", self.draws)
        if self.criterion == "resampling":
            fewest = math.ceil(10 / self.error_level)
            require(self.draws >= fewest, "draws", f"at least {fewest}, 10/error_level, with resampling", self.draws)
        is_increasing = list(self.sample_sizes) == sorted(set(self.sample_sizes))
        positive = bool(self.sample_sizes) and self.sample_sizes[0] > 0
        require(is_increasing and positive, "sample_sizes", "positive, increasing, at least one", self.sample_sizes)


@dataclass(frozen=True)
class Reading:
    """The options of the statistic, the noise and detection.

    Raises:
        InputError: for options that have no meaning together.
    """

    statistic: StatisticOptions = StatisticOptions()
    noise: NoiseOptions = NoiseOptions()
    detection: DetectionOptions = DetectionOptions()

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
        """Build a reading from its parts `statistic`, `noise` and `detection`; missing options have their defaults.

        Args:
            window: detection levels and the grid of N, where the reading does not say them itself.
            statistic: options of the statistic to set otherwise.

        Raises:
            InputError: unless each part holds and they agree.
        """
        settings = {
            **parts,
            "statistic": {**parts.get("statistic", {}), **statistic},
            "detection": {**window, **parts.get("detection", {})},
        }
        _require_known("parts of a reading", settings, PARTS)
        for part, options in PARTS.items():
            _require_known(f"options of {part}", settings.get(part, {}), [field.name for field in fields(options)])
        return cls(**{part: options(**settings.get(part, {})) for part, options in PARTS.items()})  # type: ignore[arg-type]


def _require_known(key: str, names: Iterable[str], choices: Iterable[str]) -> None:
    unknown = sorted(set(names) - set(choices))
    require(not unknown, key, f"among {', '.join(choices)}", ", ".join(unknown))


PARTS: Mapping[str, type[Options]] = {
    "statistic": StatisticOptions,
    "noise": NoiseOptions,
    "detection": DetectionOptions,
}
"""Parts of a reading."""
LEVELS = ("error_level", "snr_threshold", "draws", "sample_sizes")
"""Options of detection that are the same for every reading that does not say them itself."""


def whole_readings(readings: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, dict[str, Any]]]:
    """Readings with every option of each part, in the order of the classes.

    Args:
        readings: parts by name. Missing options have their defaults, or come from the reading that `like` names.

    Raises:
        InputError: for a `like` that is no reading, or leads back to where it began.
    """
    defaults = {
        part: {field.name: field.default for field in fields(options) if field.name not in LEVELS}
        for part, options in PARTS.items()
    }
    whole = {}
    for name in readings:
        layers = [defaults, *(readings[layer] for layer in _layers(name, readings))]
        whole[name] = {part: _merged([layer.get(part, {}) for layer in layers]) for part in PARTS}
    return whole


def _layers(name: str, readings: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Readings that one is laid over, each `like` the one before it, and itself."""
    layers = [name]
    while (base := readings[layers[-1]].get("like")) is not None:
        require_one_of(f"readings.{layers[-1]}.like", base, tuple(readings))
        like = readings[base].get("like")
        require(base not in layers, f"readings.{base}.like", "another reading, not one that is like it", like)
        layers.append(base)
    return layers[::-1]


def _merged(mappings: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    return {key: value for mapping in mappings for key, value in mapping.items()}
