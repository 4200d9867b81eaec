"""What measures a frozen network: runs it, takes each step to first order, and sums over windows of steps."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import torch
from jaxtyping import Float, Float64
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


class Probes(NamedTuple):
    """What is held against gradients that have crossed ℓ steps, for some sequences and all t = 1, …, T.

    A gradient of the loss is δ_t = e_t ρ_t with a scalar e_t: transport is of ρ_t alone, and serves every error signal.

    Args:
        gradient: ρ_t = ∂ŷ_t/∂s_t; of first-order transport over units alone.
        projected: p_t = ⟨B_t, w⟩ of each probe; the same tensor may stand for several.
        signs: o(ℓ) of each probe.
        errors: e_t of each error signal; 0 leaves a t out of every sum.
        aligned: pairs (error, probe) whose Σ e ζ is wanted.
        kept: the first so many probes are wanted at each t.
    """

    gradient: Float64[Tensor, "sequence time unit"]
    projected: Sequence[Float64[Tensor, "sequence time unit"]]
    signs: Float64[Tensor, "probe lag unit"]
    errors: Float64[Tensor, "error sequence time"]
    aligned: Sequence[tuple[int, int]] = ()
    kept: int = 0


class Derivatives(NamedTuple):
    """The lag-ℓ part D_{t,ℓ} of the derivative of ŷ_t along each probe, so that S_{t,ℓ} = e_t D_{t,ℓ}.

    To first order D_{t,ℓ} = Σ_q o_q(ℓ) μ^{(q)}_{t,ℓ} ζ^{(q)}_{t,ℓ} with ζ_{t,ℓ} = ρ_t p_{t-ℓ} and base rate 1; exactly
    D_{t,ℓ} = Σ_q o_q(ℓ) ζ^{(q)}_{t,ℓ} with ζ_{t,ℓ} = v_{t,ℓ} p_{t-ℓ}, v_{t,ℓ} = ρ_tᵀ M_{t,ℓ}. There is none at t ≤ ℓ.

    Args:
        values: D of the kept probes, 0 at t ≤ ℓ.
        sums: Σ_t e_t D_{t,ℓ} for every error signal and probe.
        alignment: Σ e_t ζ^{(q)}_{t,ℓ} over sequences and t, for every aligned pair.
        magnitude: Σ |μ^{(q)}_{t,ℓ}| over sequences and t > ℓ; (lag) the gain ‖v_{t,ℓ}‖ / ‖ρ_t‖ of exact transport.
    """

    values: Float[Tensor, "kept lag sequence time"]
    sums: Float64[Tensor, "error probe lag sequence"]
    alignment: Float64[Tensor, "pair lag unit"]
    magnitude: Float64[Tensor, "lag *unit"]

    @classmethod
    def join(cls, parts: "Iterable[Derivatives]") -> "Derivatives":
        """Those of all sequences, from those of some at a time."""
        values, sums, alignments, magnitudes = zip(*parts, strict=True)
        return cls(
            torch.cat(values, 2),
            torch.cat(sums, 3),
            torch.stack(alignments).sum(0),
            torch.stack(magnitudes).sum(0),
        )


class Covectors(NamedTuple):
    """Gradients ρ_t of predictions that have crossed ℓ steps, of one sequence, each at row t - ℓ; 0 beyond T - ℓ.

    Args:
        values: v_{t,ℓ} = ρ_tᵀ M_{t,ℓ} is `scales` times it; to first order μ_{t,ℓ} ρ_t over the memory alone.
        scales: powers of 2.
        whole: Σ_{t ≥ s} e_t v_{t,t-s}, row s: the gradient of the loss with regard to s_s, lag 0 included, for each
            error signal.
    """

    values: Float[Tensor, "lag time unit"]
    scales: Float64[Tensor, "lag time"]
    whole: Float[Tensor, "error time state"]


class Engine(ABC):
    """Sums take what the same engine traced."""

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
    def alignment(self, probes: Probes, lags: Sequence[int]) -> Float64[Tensor, "pair lag unit"]:
        """Σ e_t ρ_t p_{t-ℓ} over sequences and t > ℓ, for every aligned pair: what first-order signs are taken from."""

    @abstractmethod
    def first_order(self, diagonals: Diagonals, probes: Probes, lags: Sequence[int]) -> Derivatives:
        """D by diagonal windows; with a reset gate, μ is that of Eq. 26."""

    @abstractmethod
    def exact(
        self, cell: Cell, parameters: Parameters, trajectory: Trajectory, probes: Probes, lags: Sequence[int]
    ) -> Derivatives:
        """D by whole products of one-step Jacobians (see exact.py); `probes` over the state, not over units."""

    @abstractmethod
    def covectors(
        self,
        cell: Cell,
        parameters: Parameters,
        trajectory: Trajectory,
        gradient: Float64[Tensor, "sequence time state"],
        errors: Float64[Tensor, "error sequence time"],
        lags: Sequence[int],
        transport: str,
    ) -> Iterator[Covectors]:
        """What has crossed the lags, of one sequence after the other.

        Args:
            gradient: ρ_t over the state.
            errors: e_t of each error signal, for `whole`.
            transport: `exact` or `first_order`, with γ⁰ + γ¹; `whole` is exact either way.
        """
