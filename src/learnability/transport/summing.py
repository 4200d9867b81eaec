"""Sums over windows and what they multiply: by torch, or by `windows.cpp` where there is a C++ compiler."""

import ctypes
import logging
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float64, Int64
from torch import Tensor

from learnability.compiled import find_compiler, load
from learnability.errors import lookup
from learnability.transport.windows import Factors, Window, windows

log = logging.getLogger(__name__)

CACHED_NUMBERS = 2**16
"""Numbers a pass by torch touches at once (0.5 MiB): its working set stays in cache."""


class StatisticSums(NamedTuple):
    """S_{t,ℓ} and what is summed along with it.

    Args:
        statistic: Σ_q o_q(ℓ) μ^{(q)}_{t,ℓ} ζ^{(q)}_{t,ℓ}, base rate 1.
        alignment: Σ ζ^{(q)}_{t,ℓ} over sequences and t.
        magnitude: Σ |μ^{(q)}_{t,ℓ}| over sequences, t and units.
    """

    statistic: Float64[Tensor, "lag sequence end"]
    alignment: Float64[Tensor, "lag unit"]
    magnitude: Float64[Tensor, "lag"]


class Summing(ABC):
    """Two passes over the windows of a few sequences; factors are (sequence, time, unit)."""

    @abstractmethod
    def rates(self, factors: Factors, lags: Sequence[int]) -> Float64[Tensor, "3 lag unit"]:
        """Σ γ⁰, Σ γ¹ and Σ |γ⁰ + γ¹| over sequences and all t with t - ℓ ≥ 1."""

    @abstractmethod
    def statistic(
        self,
        factors: Factors,
        projected: Float64[Tensor, "sequence time unit"],
        delta: Float64[Tensor, "sequence end unit"],
        signs: Float64[Tensor, "lag unit"],
        ends: Int64[Tensor, "end"],
        lags: Sequence[int],
    ) -> StatisticSums:
        """S at t = `ends`, all beyond the largest lag, with ζ_{t,ℓ} = δ_t p_{t-ℓ} and signs o(ℓ)."""


class TorchSumming(Summing):
    """By `windows`, a few sequences at a time."""

    def rates(self, factors: Factors, lags: Sequence[int]) -> Float64[Tensor, "3 lag unit"]:
        sums = factors.inner.zeroth.new_zeros(3, len(lags), factors.inner.zeroth.shape[-1])
        for rows in _cached_rows(factors):
            for index, (_, window) in enumerate(windows(_part(factors, rows), lags)):
                zeroth, first = window.zeroth[:, 1:], window.first[:, 1:]
                for quantity, values in enumerate((zeroth, first, (zeroth + first).abs_())):
                    sums[quantity, index] += values.sum((0, 1))
        return sums

    def statistic(
        self,
        factors: Factors,
        projected: Float64[Tensor, "sequence time unit"],
        delta: Float64[Tensor, "sequence end unit"],
        signs: Float64[Tensor, "lag unit"],
        ends: Int64[Tensor, "end"],
        lags: Sequence[int],
    ) -> StatisticSums:
        sums = StatisticSums(
            delta.new_empty(len(lags), *delta.shape[:2]), torch.zeros_like(signs), delta.new_zeros(len(lags))
        )
        for rows in _cached_rows(factors):
            for index, (lag, window) in enumerate(windows(_part(factors, rows), lags, ends)):
                mu = window.zeroth + window.first
                zeta = delta[rows] * projected[rows, ends - lag - 1]
                sums.alignment[index] += zeta.sum((0, 1))
                sums.magnitude[index] += mu.abs().sum()
                sums.statistic[index, rows] = mu.mul_(zeta) @ signs[index]
        return sums


def _cached_rows(factors: Factors) -> list[slice]:
    """Sequences whose windows stay in cache together."""
    count, time, units = factors.inner.zeroth.shape
    size = max(1, CACHED_NUMBERS // (time * units))
    return [slice(start, start + size) for start in range(0, count, size)]


def _part(factors: Factors, rows: slice) -> Factors:
    last, first = factors.last, factors.first
    return Factors(
        Window(*(each[rows] for each in factors.inner)),
        last and Window(*(each[rows] for each in last)),
        None if first is None else first[rows],
    )


class _Pointers(ctypes.Structure):
    """`Factors` of windows.cpp."""

    _fields_ = [(name, ctypes.c_void_p) for name in ("retention", "mixing", "last_zeroth", "last_first", "first")]


class NativeSumming(Summing):
    """By `windows.cpp`, one thread.

    Raises:
        InputError: without a C++ compiler.
    """

    def __init__(self) -> None:
        self._library = load(Path(__file__).with_name("windows.cpp"))
        for function in (self._library.add_rates, self._library.add_statistic):
            function.restype = None

    def rates(self, factors: Factors, lags: Sequence[int]) -> Float64[Tensor, "3 lag unit"]:
        shape = factors.inner.zeroth.shape
        grid = np.asarray(lags, dtype=np.int32)
        sums = torch.zeros(3, len(lags), shape[-1], dtype=torch.float64)
        held, pointers = _pointers(factors)
        self._library.add_rates(pointers, *shape, _pointer(grid), len(lags), _pointer(sums.numpy()))
        del held
        return sums

    def statistic(
        self,
        factors: Factors,
        projected: Float64[Tensor, "sequence time unit"],
        delta: Float64[Tensor, "sequence end unit"],
        signs: Float64[Tensor, "lag unit"],
        ends: Int64[Tensor, "end"],
        lags: Sequence[int],
    ) -> StatisticSums:
        count, kept, units = delta.shape
        grid, last = np.asarray(lags, dtype=np.int32), (ends - 1).numpy().astype(np.int32)
        sums = StatisticSums(
            torch.empty(len(lags), count, kept, dtype=torch.float64),
            torch.zeros(len(lags), units, dtype=torch.float64),
            torch.zeros(len(lags), dtype=torch.float64),
        )
        given = [each.contiguous().numpy() for each in (projected, delta, signs)]
        held, pointers = _pointers(factors)
        self._library.add_statistic(
            *(pointers, *map(_pointer, given), *factors.inner.zeroth.shape),
            *(_pointer(last), kept, _pointer(grid), len(lags), *(_pointer(each.numpy()) for each in sums)),
        )
        del held
        return sums


def _pointer(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def _pointers(factors: Factors) -> tuple[list[Tensor], _Pointers]:
    """Contiguous arrays, to be held while C++ reads them, and their addresses."""
    given = [*factors.inner, *(factors.last or ()), *(() if factors.first is None else (factors.first,))]
    held = [each.contiguous() for each in given]
    return held, _Pointers(*(each.data_ptr() for each in held))


SUMMING: dict[str, type[Summing]] = {"torch": TorchSumming, "native": NativeSumming}


def choose_summing(name: str) -> Summing:
    """The passes that `name` stands for; `auto` takes C++ where there is a compiler. Logged."""
    if name == "auto":
        name, reason = ("native", "the fastest") if find_compiler() else ("torch", "no C++ compiler")
        log.info("Passes over windows: %s (auto: %s).", name, reason)
    return lookup(SUMMING, "engine", name)()
