"""What measures a frozen network: runs it, takes each step to first order, and sums over windows of steps."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import torch
from jaxtyping import Float, Float64, Int64
from torch import Tensor

from learnability.cells import Cell, Diagonals, Parameters


class Trajectory(NamedTuple):
    """A few sequences run forward, with their steps t = 1, …, T to first order.

    Args:
        rows: which of all sequences.
        states: s_0, …, s_T.
        diagonals: of J_t, with the GRU's reset gate; without units unless asked for.
        projected: ⟨B_t, w⟩ along each direction w.
    """

    rows: slice
    inputs: Float64[Tensor, "sequence time input"]
    states: Float64[Tensor, "sequence start_and_time state"]
    diagonals: Diagonals
    projected: Float64[Tensor, "direction sequence time state"]


class StatisticSums(NamedTuple):
    """S_{t,ℓ} along each direction w, and what is summed along with it.

    Args:
        statistic: Σ_q o_q(ℓ) μ^{(q)}_{t,ℓ} ζ^{(q)}_{t,ℓ}, base rate 1.
        alignment: Σ ζ^{(q)}_{t,ℓ} over sequences and t.
        magnitude: Σ |μ^{(q)}_{t,ℓ}| over sequences and t; (lag) the gain ‖v_{t,ℓ}‖ / ‖δ_t‖ of exact transport.
    """

    statistic: Float64[Tensor, "direction lag sequence *end"]
    alignment: Float64[Tensor, "direction lag unit"]
    magnitude: Float64[Tensor, "lag *unit"]

    @classmethod
    def join(cls, parts: "Iterable[StatisticSums]") -> "StatisticSums":
        """Those of all sequences, from those of some at a time."""
        statistics, alignments, magnitudes = zip(*parts, strict=True)
        return cls(torch.cat(statistics, 2), torch.stack(alignments).sum(0), torch.stack(magnitudes).sum(0))


class Engine(ABC):
    """Sums take what the same engine traced; ζ_{t,ℓ} = δ_t p_{t-ℓ} at t = `ends`, all beyond the largest lag."""

    @abstractmethod
    def trace(
        self,
        cell: Cell,
        parameters: Parameters,
        inputs: Float[Tensor, "sequence time input"],
        directions: Sequence[Parameters] = (),
        kind: str = "immediate",
        diagonals: bool = True,
    ) -> Iterator[Trajectory]:
        """Run the sequences, some at a time.

        Args:
            directions: w, any number of them.
            kind: B_t as the `immediate` partial ∂s_t/∂θ at fixed s_{t-1}, or `total`, carried through the recurrence.
        """

    @abstractmethod
    def rates(self, diagonals: Diagonals, lags: Sequence[int]) -> Float64[Tensor, "quantity lag unit"]:
        """Σ γ⁰, Σ γ¹ and Σ |γ⁰ + γ¹| over sequences and all t with t - ℓ ≥ 1.

        With a reset gate also Σ ρ⁰, Σ η⁰ and Σ |γ⁰ + γ¹ + ρ⁰ + η⁰| (Eq. 26).
        """

    @abstractmethod
    def alignment(
        self,
        projected: Float64[Tensor, "direction sequence time unit"],
        delta: Float64[Tensor, "sequence end unit"],
        ends: Int64[Tensor, "end"],
        lags: Sequence[int],
    ) -> Float64[Tensor, "direction lag unit"]:
        """Σ ζ over sequences and ends."""

    @abstractmethod
    def statistic(
        self,
        diagonals: Diagonals,
        projected: Float64[Tensor, "direction sequence time unit"],
        delta: Float64[Tensor, "sequence end unit"],
        signs: Float64[Tensor, "direction lag unit"],
        ends: Int64[Tensor, "end"],
        lags: Sequence[int],
    ) -> StatisticSums:
        """S at `ends`, with signs o(ℓ); with a reset gate, μ is that of Eq. 26."""

    @abstractmethod
    def exact(
        self,
        cell: Cell,
        parameters: Parameters,
        trajectory: Trajectory,
        delta: Float64[Tensor, "sequence end state"],
        signs: Float64[Tensor, "direction lag state"],
        ends: slice,
        lags: Sequence[int],
    ) -> StatisticSums:
        """S at `ends` with exact transport, v^{(q)}_{t,ℓ} p^{(q)}_{t-ℓ} in place of μ ζ (see exact.py)."""

    @abstractmethod
    def gradient(
        self,
        cell: Cell,
        parameters: Parameters,
        trajectory: Trajectory,
        delta: Float64[Tensor, "sequence end state"],
        ends: slice,
    ) -> Float64[Tensor, "direction sequence"]:
        """Σ_t δ_tᵀ ds_t/dθ w over `ends`, all lags together (Eq. 2), of a trajectory with immediate ⟨B_t, w⟩."""
