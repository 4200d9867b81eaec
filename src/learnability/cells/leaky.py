"""The diagonally gated cells of the paper's Appendix B: ConstGate, SharedGate, DiagGate.

    h_t = (1 - s_t) ⊙ h_{t-1} + s_t ⊙ g_t,      g_t = tanh(W_h x_t + U_h h_{t-1} + b_h)
    s_t = σ(W_s x_t + U_s h_{t-1} + b_s)         SharedGate: one row, Eq. 54; DiagGate: H rows, Eq. 52
    J_t = D(1 - s_t) + D(s_t ⊙ (1 - g_t²)) U_h + D((g_t - h_{t-1}) ⊙ s_t ⊙ (1 - s_t)) U_s     Eqs. 53, 55, 57

With one gate row, D(v) U_s reads as the outer product v u_sᵀ of Eq. 55: broadcasting serves both cells.

With layer norm, which the paper's text does not have and the author's public code does, the candidate is

    g_t = tanh(gain_h ⊙ (a_t - m_t)/(v_t + 1e-5)^{1/2} + offset_h),      a_t = W_h x_t + U_h h_{t-1} + b_h

with m_t and v_t the mean and the variance of a_t over units. They couple all units: n_t what gain_h multiplies,

    ∂g_t/∂h_{t-1} = D((1 - g_t²) ⊙ gain_h (v_t + 1e-5)^{-1/2}) (I - 1 1ᵀ/H - n_t n_tᵀ/H) U_h
"""

from abc import abstractmethod
from dataclasses import dataclass, field

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import layer_norm

from learnability.cells.cell import Cell, candidate_parameters, gate_parameters, require_gate
from learnability.cells.linearization import (
    Diagonals,
    JacobianSplit,
    Linearization,
    Parameters,
    Path,
    affine,
    total,
)
from learnability.core.errors import require

EPSILON = 1e-5
"""Added to the variance by layer norm, as by torch."""


@dataclass(frozen=True)
class LeakyCell(Cell):
    """h_t = (1 - s_t) ⊙ h_{t-1} + s_t ⊙ g_t, the gate s_t left to subclasses.

    Args:
        layer_norm: whether the candidate's pre-activation is normalised over units, as by `torch.nn.LayerNorm`.
    """

    layer_norm: bool = field(default=False, kw_only=True)

    @property
    def addition(self) -> str:
        return "layer norm" if self.layer_norm else ""

    @property
    def gate_size(self) -> int:
        """Learned gate pre-activations per step: 0, 1 or H."""
        return 0

    @property
    def recurrent_matrices(self) -> tuple[str, ...]:
        return ("U_h", "U_s") if self.gate_size else ("U_h",)

    @abstractmethod
    def gate(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        """s_t."""

    def initial_parameters(self, root_seed: int, seed: int) -> Parameters:
        """Orthogonal W_h and U_h, zero bias (paper Sec. 6.1); of layer norm gain 1 and offset 0."""
        parameters = candidate_parameters(self, "h", root_seed, seed)
        if self.layer_norm:
            parameters["gain_h"] = torch.ones(self.hidden_size, dtype=torch.float64)
            parameters["offset_h"] = torch.zeros(self.hidden_size, dtype=torch.float64)
        return parameters

    def candidate(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        """g_t = tanh(W_h x_t + U_h h_{t-1} + b_h); with layer norm, the argument of tanh is normalised."""
        a = affine(parameters, "h", state, inputs)
        if self.layer_norm:
            a = layer_norm(a, a.shape[-1:], parameters["gain_h"], parameters["offset_h"], EPSILON)
        return torch.tanh(a)

    def step(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        s = self.gate(parameters, state, inputs)
        return torch.lerp(state, self.candidate(parameters, state, inputs), s)

    def linearize(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> "LeakyLinearization":
        s, g = self.gate(parameters, state, inputs), self.candidate(parameters, state, inputs)
        paths = [self._candidate_path(parameters, s * (1 - g**2), state, inputs)]
        if self.gate_size:
            paths.append(Path("s", parameters["U_s"], (g - state) * s * (1 - s), state, inputs))
        return LeakyLinearization((1 - s).expand_as(state), tuple(paths))

    def _candidate_path(self, parameters: Parameters, factor: Tensor, state: Tensor, inputs: Tensor) -> Path:
        """The path through the argument of tanh, with the derivative `factor` of h_t in that argument."""
        U = parameters["U_h"]
        if not self.layer_norm:
            return Path("h", U, factor, state, inputs)
        a = affine(parameters, "h", state, inputs)
        variance, mean = torch.var_mean(a, -1, correction=0, keepdim=True)
        deviation = (variance + EPSILON).sqrt()
        inner_factor = factor * parameters["gain_h"] / deviation
        return NormalisedPath("h", U, inner_factor, state, inputs, (a - mean) / deviation, factor)


@dataclass(frozen=True)
class NormalisedPath(Path):
    """D(factor) P da, P = I - 1 1ᵀ/H - n nᵀ/H: how a change of a pre-activation shows behind layer norm.

    Args:
        n: (a - m)/(v + 1e-5)^{1/2}.
        outer: D(outer) is how a change of gain ⊙ n + offset shows.
    """

    n: Float[Tensor, "... hidden"]
    outer: Float[Tensor, "... hidden"]

    def gradient(self, covector: Tensor) -> Parameters:
        outer_covector = covector * self.outer
        parts = {"gain": (outer_covector * self.n).sum(-2), "offset": outer_covector.sum(-2)}
        return super().gradient(covector) | {f"{kind}_{self.name}": part for kind, part in parts.items()}

    def matrix(self) -> Tensor:
        """D(factor) P U."""
        n, U = self.n, self.U
        projection = U - U.mean(0) - n[..., None] * (n @ U)[..., None, :] / len(U)
        return self.factor[..., None] * projection

    def diagonal(self) -> Tensor:
        """D(factor) (diag U - 1/H Σ_p U_pq - n_q/H Σ_p n_p U_pq)."""
        n, U = self.n, self.U
        return self.factor * (U.diagonal() - U.mean(0) - n * (n @ U) / len(U))

    def perturbed(self, direction: Parameters) -> Tensor:
        change = self.n * direction[f"gain_{self.name}"] + direction[f"offset_{self.name}"]
        return super().perturbed(direction) + self.outer * change

    def _shown(self, change: Tensor) -> Tensor:
        return self.factor * self._project(change)

    def _rows(self, covector: Tensor) -> Tensor:
        return self._project(covector * self.factor)

    def _project(self, vector: Tensor) -> Tensor:
        """P v."""
        n = self.n
        return vector - vector.mean(-1, keepdim=True) - n * (n * vector).mean(-1, keepdim=True)


@dataclass(frozen=True)
class LeakyLinearization(Linearization):
    """J_t = D(1 - s_t) + paths through the candidate and, where the gate is learned, through the gate."""

    retention: Float[Tensor, "... hidden"]
    paths: tuple[Path, ...]

    def split(self) -> JacobianSplit:
        return JacobianSplit(torch.diag_embed(self.retention), total(path.matrix() for path in self.paths))

    def diagonals(self) -> Diagonals:
        return Diagonals(self.retention, total(path.diagonal() for path in self.paths))

    def along_state(self, vector: Tensor) -> Tensor:
        return self.retention * vector + total(path.along(vector) for path in self.paths)

    def along_parameters(self, direction: Parameters) -> Tensor:
        return total(path.perturbed(direction) for path in self.paths)

    def pull_back(self, covector: Tensor) -> Tensor:
        return self.retention * covector + total(path.pull_back(covector) for path in self.paths)

    def gradient(self, covector: Tensor) -> Parameters:
        return {name: gradient for path in self.paths for name, gradient in path.gradient(covector).items()}

    def along_inputs(self, vector: Tensor, parameters: Parameters) -> Tensor:
        return total(path.along_inputs(vector, parameters) for path in self.paths)

    def pull_back_to_inputs(self, covector: Tensor, parameters: Parameters) -> Tensor:
        return total(path.pull_back_to_inputs(covector, parameters) for path in self.paths)


@dataclass(frozen=True)
class ConstGate(LeakyCell):
    """A fixed scalar gate s in (0, 1], the same for all units and times (Eq. 56); with 1 a plain recurrence."""

    gate_value: float

    def __post_init__(self) -> None:
        require(0 < self.gate_value <= 1, "gate_value", "in (0, 1]", self.gate_value)

    @property
    def fixed_gate(self) -> float:
        return self.gate_value

    linearize = LeakyCell.linearize  # its gate is one of those that the parent differentiates

    def gate(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        return torch.full((*state.shape[:-1], 1), self.gate_value, dtype=state.dtype, device=state.device)


@dataclass(frozen=True)
class LearnedGate(LeakyCell):
    """A gate s_t = σ(W_s x_t + U_s h_{t-1} + b_s) that starts at `gate_init`, whatever the input."""

    gate_init: float

    def __post_init__(self) -> None:
        require_gate("gate_init", self.gate_init)

    def initial_parameters(self, root_seed: int, seed: int) -> Parameters:
        """The parent's parameters, with zero gate weights and gate bias logit(gate_init)."""
        gate = gate_parameters(self, "s", self.gate_size, self.gate_init)
        return super().initial_parameters(root_seed, seed) | gate

    linearize = LeakyCell.linearize  # its gate is one of those that the parent differentiates

    def gate(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        return torch.sigmoid(affine(parameters, "s", state, inputs))


@dataclass(frozen=True)
class SharedGate(LearnedGate):
    """A learned scalar gate at each step, shared by all units (Eq. 54)."""

    @property
    def gate_size(self) -> int:
        return 1


@dataclass(frozen=True)
class DiagGate(LearnedGate):
    """A learned gate at each step for each unit (Eq. 52)."""

    @property
    def gate_size(self) -> int:
        return self.hidden_size


LEAKY = (ConstGate, SharedGate, DiagGate)
"""The cells of Appendix B, which share their arithmetic but for the gate."""
