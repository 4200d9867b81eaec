"""Engines measure a frozen network: they run it, take each step to first order, and sum over windows of steps."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import torch
from jaxtyping import Float, Float64
from torch import Tensor

from learnability.cells import Cell, Diagonals, Parameters
from learnability.networks.network import Network


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
    """Probes and errors to multiply with gradients that have crossed ℓ steps, for some sequences and all t = 1, …, T.

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
        """Derivatives of all sequences, from parts that hold some sequences each."""
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


class SequenceGradient(NamedTuple):
    """Gradients of one sequence over the parameters of the cell, of the loss of each error signal.

    Args:
        by_lag: g_{i,ℓ} = Σ_t ∂E_t/∂θ_{t-ℓ}, θ_τ the parameters as step τ uses them; Σ_t e_t v_{t,ℓ} B_{t-ℓ} where a
            state is one tensor.
        whole: g_i, the sum over all ℓ ≥ 0.
        envelope: mean over t of the rates, or of the gain, behind g_{i,ℓ}; of several outputs for each error signal.
    """

    by_lag: Float64[Tensor, "error lag parameter"]
    whole: Float64[Tensor, "error parameter"]
    envelope: Float64[Tensor, "*error lag"]

    @classmethod
    def join(cls, parts: "Sequence[SequenceGradient]") -> "SequenceGradient":
        """The gradient of all error signals, from parts that hold some signals each."""
        if len(parts) == 1:
            return parts[0]
        by_lag, whole, envelopes = zip(*parts, strict=True)
        return cls(torch.cat(by_lag), torch.cat(whole), torch.stack(envelopes))


class Engine(ABC):
    """Sums take what the same engine traced.

    Attributes:
        kept_bytes: memory of gradients of sequences that are kept rather than made twice.
    """

    kept_bytes = 2**28

    @classmethod
    def kept(cls, double_bytes: int, count: int) -> tuple[torch.dtype, int]:
        """Precision and number of gradients that are kept, of `count` of so many bytes each in double precision."""
        return torch.float64, min(count, cls.kept_bytes // double_bytes)

    def predictions(
        self, network: Network, parameters: Parameters, inputs: Float[Tensor, "sequence time input"]
    ) -> Float64[Tensor, "sequence time *output"]:
        """ŷ_t."""
        trajectories = self.trace(network.cell, parameters, inputs, diagonals=False)
        return torch.cat([network.predict(parameters, part.states[:, 1:]) for part in trajectories])

    def gradients(
        self,
        network: Network,
        parameters: Parameters,
        inputs: Float[Tensor, "sequence time input"],
        errors: Float64[Tensor, "error sequence time *output"],
        lags: Sequence[int],
        transport: str,
    ) -> Iterator[SequenceGradient]:
        """g_{i,ℓ} and g_i of each sequence in order, of losses E_t; each holds until the next is asked for.

        Args:
            errors: ∂E_t/∂ŷ_t of each error signal, numbers e_t of a network of scalar predictions.
            transport: `exact` or `first_order`; the whole is exact either way.
        """
        for part in self.trace(network.cell, parameters, inputs, diagonals=transport == "first_order"):
            gradient = partial(network.readout_gradient, parameters, part.states[:, 1:])
            signals = error_signals(gradient, errors[:, part.rows])
            of_signals = [self._gradients(network, parameters, part, *signal, lags, transport) for signal in signals]
            yield from map(SequenceGradient.join, zip(*of_signals, strict=True))

    def _gradients(
        self,
        network: Network,
        parameters: Parameters,
        part: Trajectory,
        gradient: Float64[Tensor, "sequence time state"],
        errors: Float64[Tensor, "error sequence time"],
        lags: Sequence[int],
        transport: str,
    ) -> Iterator[SequenceGradient]:
        """Gradients of the sequences of a trajectory, of δ_t = e_t ρ_t."""
        cell, names = network.cell, list(network.cell.initial_parameters(0, 0))
        strict = {name: d for name, d in part.diagonals._asdict().items() if d is not None and name != "reset"}
        covectors = self.covectors(cell, parameters, part, gradient, errors, lags, transport)
        for n, covector in enumerate(covectors):
            values, scales, whole = covector
            ends = at_ends(errors[:, n], lags) * scales
            size = ends.abs().amax(-1, keepdim=True)  # of each lag, lest it leave the range of float32
            size = torch.where(size > 0, size, 1)
            steps = cell.linearize(
                {name: p.to(values.dtype) for name, p in parameters.items()},
                part.states[n, :-1].to(values.dtype),
                part.inputs[n].to(values.dtype),
            )
            over_state = torch.nn.functional.pad(values, (cell.state_size - values.shape[-1], 0))
            weights = (ends / size).to(values.dtype)
            # one by one: how torch takes a product may depend on how many there are
            count = sum(parameters[name].numel() for name in names)
            gradients = self._space(values, (len(weights), len(lags) + 1, count))
            by_lag, of_whole = gradients[:, :-1], gradients[:, -1:]
            for number, weight in enumerate(weights):
                steps.write_gradients(over_state * weight[..., None], names, by_lag[number])
                steps.write_gradients(whole[number][None].to(values.dtype), names, of_whole[number])
            if transport == "first_order":
                diagonals = Diagonals(**{name: diagonal[n : n + 1] for name, diagonal in strict.items()})
                magnitude = self.rates(diagonals, lags)[2].sum(-1)
            else:
                magnitude = _gain(covector, gradient[n], lags)
            envelope = magnitude / (gradient.shape[1] - torch.tensor(lags))
            by_size = by_lag.double().mul_(size)  # as large as ten networks: no further copy
            yield SequenceGradient(by_size, of_whole[:, 0].double(), envelope)

    def _space(self, like: Tensor, sizes: tuple[int, ...]) -> Tensor:
        """Memory for the gradients of a sequence."""
        return like.new_empty(sizes)

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
        """Σ e_t ρ_t p_{t-ℓ} over sequences and t > ℓ, for every aligned pair; first-order signs come from it."""

    @abstractmethod
    def first_order(self, diagonals: Diagonals, probes: Probes, lags: Sequence[int]) -> Derivatives:
        """D by diagonal windows; with a reset gate, μ is the rate of Eq. 26."""

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
        """Covectors that have crossed the lags, of one sequence after the other.

        Args:
            gradient: ρ_t over the state.
            errors: e_t of each error signal, for `whole`.
            transport: `exact` or `first_order`, with γ⁰ + γ¹; `whole` is exact either way.
        """


def error_signals(
    gradient: Callable[[Tensor | None], Float64[Tensor, "sequence time unit"]],
    errors: Float64[Tensor, "error sequence time *output"],
) -> Iterator[tuple[Float64[Tensor, "sequence time unit"], Float64[Tensor, "error sequence time"]]]:
    """∂E_t as e_t ρ_t: of scalar predictions all in one; of several outputs each by itself, with e_t = 1.

    Args:
        gradient: ρ_t, of scalar predictions of nothing, otherwise of a signal over the outputs.
        errors: ∂E_t/∂ŷ_t of each error signal.
    """
    if errors.dim() == 3:
        yield gradient(None), errors
    else:
        for signal in errors:
            yield gradient(signal), torch.ones_like(errors[:1, ..., 0])


def at_ends(values: Float64[Tensor, "... time"], lags: Sequence[int]) -> Float64[Tensor, "... lag time"]:
    """Values at t = s + ℓ, by s; 0 beyond T."""
    return torch.stack([torch.nn.functional.pad(values[..., lag:], (0, lag)) for lag in lags], -2)


def _gain(covectors: Covectors, gradient: Float64[Tensor, "time state"], lags: Sequence[int]) -> Float64[Tensor, "lag"]:
    """Σ_t ‖v_{t,ℓ}‖ / ‖ρ_t‖ of one sequence."""
    size = at_ends(torch.linalg.vector_norm(gradient, dim=-1), lags)
    gain = torch.linalg.vector_norm(covectors.values, dim=-1) * covectors.scales
    return (gain / torch.where(size > 0, size, torch.inf)).sum(1)
