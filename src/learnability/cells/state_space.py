"""Diagonal state spaces, whose memory m_t is linear in itself and read by the hidden units h_t: LRU, S4D and Mamba.

The state is s_t = [h_t; m_t], of complex m_t first all real and then all imaginary parts. h_t leads to no later state:
all that a step carries on is in m_t.

LRU (Orvieto et al. 2023, "Resurrecting Recurrent Neural Networks for Long Sequences", arXiv 2303.06349), H complex
numbers:

    m_t = λ ⊙ m_{t-1} + exp(γ) ⊙ (B x_t),        λ = exp(-exp(ν) + i exp(θ))
    y_t = Re(C m_t) + D x_t

S4D (Gu et al. 2022, "On the Parameterization and Initialization of Diagonal State Space Models", arXiv 2206.11893), N/2
complex numbers for each unit j, of which the conjugates are the other half; u_t = W_h x_t + b_h is the encoder of its
networks:

    m_t = exp(Δ_j A_j) ⊙ m_{t-1} + (exp(Δ_j A_j) - 1) / A_j u_{j,t},     A_j = -exp(a_j) + i ω_j (a zero-order hold)
    y_{j,t} = 2 Re(C_j · m_t) + D_j u_{j,t}

Both show y_t through the layer that the public code of both puts behind it, a gated linear unit, here without its skip
connection, normalisation and dropout:

    h_t = v ⊙ σ(w),      [v; w] = P_o GELU(y_t) + b_o

Mamba (Gu and Dao 2023, "Mamba: Linear-Time Sequence Modeling with Selective State Spaces", arXiv 2312.00752), N real
numbers for each unit j, with Δ, B and C of the input (its Algorithm 2, S6, and the block of its Fig. 3):

    u_t = SiLU(W_u x_t),       [d_t; B_t; C_t] = P_u u_t,       Δ_t = softplus(P_Δ d_t + b_Δ)
    m_t = exp(Δ_{j,t} A_j) ⊙ m_{t-1} + Δ_{j,t} B_t u_{j,t},     A_j = -exp(a_j)
    h_{j,t} = (C_t · m_t + D_j u_{j,t}) SiLU(W_z x_t)_j

Here it has no convolution before SiLU, and no projection behind: the readout, or the next layer, is that.
"""

import math
from abc import abstractmethod
from dataclasses import dataclass

import torch
from jaxtyping import Complex, Float
from torch import Tensor
from torch.nn.functional import gelu, glu, silu, softplus

from learnability.cells.irnn import Seeds, linear, normal, uniform
from learnability.cells.linear_recurrence import LinearRecurrence
from learnability.cells.linearization import Parameters
from learnability.core.errors import require

STEPS = (0.001, 0.1)
"""Range in which Δ starts, uniform in its logarithm, in S4D and Mamba."""
RANK_SHARE = 16
"""Units of Mamba for each number of d_t, from which Δ is made."""


@dataclass(frozen=True)
class ComplexRecurrence(LinearRecurrence):
    """A cell with complex memory, kept as real and imaginary parts behind the hidden units."""

    @property
    @abstractmethod
    def memory_size(self) -> int:
        """Complex numbers in m_t."""

    @property
    def state_size(self) -> int:
        return self.hidden_size + 2 * self.memory_size

    @abstractmethod
    def read_memory(
        self, parameters: Parameters, memory: Complex[Tensor, "... memory"], inputs: Float[Tensor, "... input"]
    ) -> Float[Tensor, "... hidden"]:
        """y_t."""

    def memory_of(self, state: Tensor) -> Tensor:
        real, imaginary = state[..., self.hidden_size :].chunk(2, -1)
        return torch.complex(real.contiguous(), imaginary.contiguous())

    def state_of(self, parameters: Parameters, memory: Tensor, inputs: Tensor) -> Tensor:
        hidden = self._shown(parameters, self.read_memory(parameters, memory, inputs))
        return torch.cat([hidden, memory.real, memory.imag], -1)

    def outputs(self, parameters: Parameters, inputs: Tensor) -> Tensor:
        """h_1, …, h_T by a convolution of the inputs with the response to one of them, by Fourier transforms."""
        return self._shown(parameters, self.respond(self.prepared(parameters), inputs))

    @abstractmethod
    def respond(
        self, parameters: Parameters, inputs: Float[Tensor, "sequence time input"]
    ) -> Float[Tensor, "sequence time hidden"]:
        """y_1, …, y_T."""

    @staticmethod
    def _shown(parameters: Parameters, y: Tensor) -> Float[Tensor, "... hidden"]:
        return glu(gelu(y) @ parameters["P_o"].mT + parameters["b_o"], -1)


@dataclass(frozen=True)
class LRU(ComplexRecurrence):
    """A linear recurrent unit: H complex eigenvalues λ in a ring, any inputs and outputs of them.

    B and D act on the inputs x_t, without an encoder, since a product of two matrices is one.

    Args:
        r_min, r_max: between which |λ| starts, uniform in the area of the ring.
        max_phase: λ starts at phases uniform in (0, max_phase), in radians.

    Example:
        >>> LRU(2, 3).state_size
        9
    """

    r_min: float = 0.0
    r_max: float = 1.0
    max_phase: float = 2 * math.pi

    def __post_init__(self) -> None:
        require(0 < self.r_max <= 1, "r_max", "in (0, 1]", self.r_max)
        require(0 <= self.r_min < self.r_max, "r_min", f"at least 0 and below r_max = {self.r_max}", self.r_min)
        require(0 < self.max_phase <= 2 * math.pi, "max_phase", "in (0, 2π]", self.max_phase)

    @property
    def memory_size(self) -> int:
        """H."""
        return self.hidden_size

    def initial_parameters(self, root_seed: int, seed: int) -> Parameters:
        """λ in the ring, γ = log √(1 - |λ|²), B and C by Glorot, D and P_o of variance 1 / their inputs, b_o zero."""
        seeds, units, inputs = (root_seed, seed), self.hidden_size, self.input_size
        squares = uniform(seeds, "nu_log", (units,), self.r_min**2, self.r_max**2)  # |λ|²
        deviations = {"B": 1 / math.sqrt(2 * inputs), "C": 1 / math.sqrt(units)}
        shapes = {"B": (units, inputs), "C": (units, units)}
        return {
            "nu_log": (-squares.log() / 2).log(),
            "theta_log": uniform(seeds, "theta_log", (units,), 0, self.max_phase).log(),
            "gamma_log": (1 - squares).log() / 2,
            **{
                f"{name}_{part}": normal(seeds, f"{name}_{part}", shapes[name], deviations[name])
                for name in "BC"
                for part in ("re", "im")
            },
            "D": normal(seeds, "D", (units, inputs), 1 / math.sqrt(inputs)),
            "P_o": normal(seeds, "P_o", (2 * units, units), 1 / math.sqrt(units)),
            "b_o": torch.zeros(2 * units, dtype=torch.float64),
        }

    def prepared(self, parameters: Parameters) -> Parameters:
        """Parameters with λ and exp(γ)."""
        if "lambda" in parameters:
            return parameters
        eigenvalues = torch.polar((-parameters["nu_log"].exp()).exp(), parameters["theta_log"].exp())
        return parameters | {"lambda": eigenvalues, "gamma": parameters["gamma_log"].exp()}

    def coefficients(self, parameters: Parameters, inputs: Tensor) -> tuple[Tensor, Tensor]:
        p = self.prepared(parameters)
        real, imaginary = (p["gamma"] * (inputs @ p[name].mT) for name in ("B_re", "B_im"))
        return p["lambda"], torch.complex(real, imaginary)

    def read_memory(self, parameters: Parameters, memory: Tensor, inputs: Tensor) -> Tensor:
        p = parameters
        return memory.real @ p["C_re"].mT - memory.imag @ p["C_im"].mT + inputs @ p["D"].mT

    def respond(self, parameters: Parameters, inputs: Tensor) -> Tensor:
        """Σ_s Re(C λ^(t-s) exp(γ) B) x_s + D x_t."""
        p, time = parameters, inputs.shape[1]
        powers = p["lambda"][:, None] ** torch.arange(time, device=inputs.device)
        B, C = torch.complex(p["B_re"], p["B_im"]), torch.complex(p["C_re"], p["C_im"])
        responses = torch.einsum("um,mt,mi->uit", C, powers, p["gamma"][:, None] * B).real
        input_spectrum, response_spectrum = (torch.fft.rfft(part, 2 * time) for part in (inputs.mT, responses))
        y = torch.fft.irfft(torch.einsum("uif,sif->suf", response_spectrum, input_spectrum), 2 * time)[..., :time]
        return y.mT + inputs @ p["D"].mT


@dataclass(frozen=True)
class S4D(ComplexRecurrence):
    """A diagonal state space of each unit, which starts as S4D-Lin: A_n = -1/2 + iπn.

    Args:
        modes: N/2, complex numbers of memory of a unit.

    Example:
        >>> S4D(2, 3, modes=4).state_size
        27
    """

    modes: int = 32

    def __post_init__(self) -> None:
        require(self.modes >= 1, "modes", "at least 1", self.modes)

    @property
    def memory_size(self) -> int:
        """H · modes. The modes of a unit lie side by side."""
        return self.hidden_size * self.modes

    def initial_parameters(self, root_seed: int, seed: int) -> Parameters:
        """The public code's start: Δ log-uniform, C and D standard normal, layers as in `torch.nn.Linear`."""
        seeds, units, shape = (root_seed, seed), self.hidden_size, (self.hidden_size, self.modes)
        low, high = map(math.log, STEPS)
        return {
            **linear(seeds, "h", units, self.input_size),
            "delta_log": uniform(seeds, "delta_log", (units,), low, high),
            "A_log": torch.full(shape, 0.5, dtype=torch.float64).log(),
            "A_im": (math.pi * torch.arange(self.modes, dtype=torch.float64)).repeat(units, 1),
            "C_re": normal(seeds, "C_re", shape, math.sqrt(0.5)),
            "C_im": normal(seeds, "C_im", shape, math.sqrt(0.5)),
            "D": normal(seeds, "D", (units,), 1),
            **projection(seeds, "o", 2 * units, units),
        }

    def prepared(self, parameters: Parameters) -> Parameters:
        """Parameters with the factors of the memory, exp(ΔA), and of u, (exp(ΔA) - 1)/A, both (H, modes)."""
        if "kept" in parameters:
            return parameters
        A = torch.complex(-parameters["A_log"].exp(), parameters["A_im"])
        decay = (parameters["delta_log"].exp()[:, None] * A).exp()
        return parameters | {"kept": decay, "written": (decay - 1) / A}

    def coefficients(self, parameters: Parameters, inputs: Tensor) -> tuple[Tensor, Tensor]:
        p = self.prepared(parameters)
        return p["kept"].flatten(), (p["written"] * self._encoded(p, inputs)[..., None]).flatten(-2)

    def read_memory(self, parameters: Parameters, memory: Tensor, inputs: Tensor) -> Tensor:
        p, of_units = parameters, memory.unflatten(-1, (self.hidden_size, self.modes))
        read = (of_units.real * p["C_re"] - of_units.imag * p["C_im"]).sum(-1)
        return 2 * read + p["D"] * self._encoded(p, inputs)

    def respond(self, parameters: Parameters, inputs: Tensor) -> Tensor:
        """Σ_s 2 Re(C · exp((t - s) Δ A) (exp(Δ A) - 1)/A) u_s + D u_t."""
        p, u, time = parameters, self._encoded(parameters, inputs), inputs.shape[1]
        powers = p["kept"][..., None] ** torch.arange(time, device=inputs.device)
        read = torch.complex(p["C_re"], p["C_im"]) * p["written"]
        responses = 2 * torch.einsum("um,umt->ut", read, powers).real
        input_spectrum, response_spectrum = (torch.fft.rfft(part, 2 * time) for part in (u.mT, responses))
        y = torch.fft.irfft(response_spectrum * input_spectrum, 2 * time)[..., :time]
        return y.mT + p["D"] * u

    def _encoded(self, parameters: Parameters, inputs: Tensor) -> Float[Tensor, "... hidden"]:
        """u_t."""
        return inputs @ parameters["W_h"].mT + parameters["b_h"]


@dataclass(frozen=True)
class Mamba(LinearRecurrence):
    """A selective state space: what a step keeps, writes and reads depends on its input.

    Args:
        modes: N, numbers of memory of a unit.

    Example:
        >>> Mamba(2, 3, modes=4).state_size
        15
    """

    modes: int = 16

    def __post_init__(self) -> None:
        require(self.modes >= 1, "modes", "at least 1", self.modes)

    @property
    def state_size(self) -> int:
        """H + H · modes."""
        return self.hidden_size * (1 + self.modes)

    @property
    def rank(self) -> int:
        """Numbers in d_t, ⌈H/16⌉."""
        return math.ceil(self.hidden_size / RANK_SHARE)

    def initial_parameters(self, root_seed: int, seed: int) -> Parameters:
        """The public code's start: A_n = -n, D = 1, Δ log-uniform, other matrices as in `torch.nn.Linear`."""
        seeds, units, rank = (root_seed, seed), self.hidden_size, self.rank
        low, high = map(math.log, STEPS)
        delta = uniform(seeds, "b_delta", (units,), low, high).exp()
        scale = 1 / math.sqrt(rank)
        return {
            "W_u": linear(seeds, "u", units, self.input_size)["W_u"],
            "W_z": linear(seeds, "z", units, self.input_size)["W_z"],
            "P_u": projection(seeds, "u", rank + 2 * self.modes, units)["P_u"],
            "P_delta": uniform(seeds, "P_delta", (units, rank), -scale, scale),
            "b_delta": delta + (-torch.expm1(-delta)).log(),  # what softplus makes Δ of
            "A_log": torch.arange(1, self.modes + 1, dtype=torch.float64).log().repeat(units, 1),
            "D": torch.ones(units, dtype=torch.float64),
        }

    def memory_of(self, state: Tensor) -> Tensor:
        return state[..., self.hidden_size :]

    def coefficients(self, parameters: Parameters, inputs: Tensor) -> tuple[Tensor, Tensor]:
        p = parameters
        u, d, B, _ = self._selected(p, inputs)
        delta = softplus(d @ p["P_delta"].mT + p["b_delta"])
        decays = (-delta[..., None] * p["A_log"].exp()).exp()
        return decays.flatten(-2), ((delta * u)[..., None] * B[..., None, :]).flatten(-2)

    def state_of(self, parameters: Parameters, memory: Tensor, inputs: Tensor) -> Tensor:
        p = parameters
        u, _, _, C = self._selected(p, inputs)
        read = (memory.unflatten(-1, (self.hidden_size, self.modes)) * C[..., None, :]).sum(-1)
        hidden = (read + p["D"] * u) * silu(inputs @ p["W_z"].mT)
        return torch.cat([hidden, memory], -1)

    def _selected(self, parameters: Parameters, inputs: Tensor) -> tuple[Tensor, ...]:
        """u_t, d_t, B_t and C_t."""
        u = silu(inputs @ parameters["W_u"].mT)
        return u, *(u @ parameters["P_u"].mT).split([self.rank, self.modes, self.modes], -1)


def projection(seeds: Seeds, path: str, outputs: int, inputs: int) -> Parameters:
    """Draw P and b of one path as `torch.nn.Linear` does; P, not W, for it does not act on the cell's inputs."""
    bound = 1 / math.sqrt(inputs)
    return {
        f"P_{path}": uniform(seeds, f"P_{path}", (outputs, inputs), -bound, bound),
        f"b_{path}": uniform(seeds, f"b_{path}", (outputs,), -bound, bound),
    }
