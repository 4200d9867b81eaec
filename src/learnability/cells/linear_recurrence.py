"""Cells that are linear in their memory, m_t = a_t ⊙ m_{t-1} + b_t with a_t and b_t of the input alone, and the scan
that runs such a recurrence over a whole sequence in ⌈log2 T⌉ steps.

minGRU and minLSTM (Feng et al. 2024, "Were RNNs All We Needed?", arXiv 2410.01201, Secs. 3.1 and 3.2) are the smallest
of them, their memory the hidden units:

    minGRU     z_t = σ(W_z x_t + b_z)                            h_t = (1 - z_t) ⊙ h_{t-1} + z_t ⊙ g_t
    minLSTM    f_t = σ(W_f x_t + b_f), i_t = σ(W_i x_t + b_i)    h_t = f'_t ⊙ h_{t-1} + i'_t ⊙ g_t
               f'_t = f_t / (f_t + i_t), i'_t = i_t / (f_t + i_t)

with the candidate g_t = W_h x_t + b_h as it is: the plain ("vanilla") version of the paper's Appendix B. Its version in
log-space, which keeps h_t positive by another function of the candidate, is not here.

    J_t = D(1 - z_t)      and      J_t = D(f'_t)
"""

from abc import abstractmethod
from dataclasses import dataclass

import torch
from jaxtyping import Float, Inexact
from torch import Tensor

from learnability.cells.cell import Cell
from learnability.cells.irnn import linear
from learnability.cells.leaky import LeakyLinearization
from learnability.cells.linearization import InputPath, Parameters, affine_in_inputs


def scan(
    decays: Inexact[Tensor, "*leading time memory"],
    increments: Inexact[Tensor, "*leading time memory"],
    initial: Inexact[Tensor, "*leading memory"],
) -> Inexact[Tensor, "*leading time memory"]:
    """m_1, …, m_T of m_t = a_t ⊙ m_{t-1} + b_t, by a parallel scan of ⌈log2 T⌉ steps (Hillis and Steele 1986).

    After k steps entry t holds what the last 2^k steps make of zero, and the product of their decays.

    Args:
        decays, increments: a_t and b_t, real or complex.
        initial: m_0.

    Example:
        >>> scan(torch.full((3, 1), 0.5), torch.ones(3, 1), torch.zeros(1)).flatten().tolist()
        [1.0, 1.5, 1.75]
    """
    first = increments[..., :1, :] + decays[..., :1, :] * initial[..., None, :]
    a, b = decays, torch.cat([first, increments[..., 1:, :]], -2)
    distance, time = 1, b.shape[-2]
    while distance < time:
        later = slice(distance, None)
        earlier = slice(None, time - distance)
        start = slice(None, distance)
        b = torch.cat([b[..., start, :], b[..., later, :] + a[..., later, :] * b[..., earlier, :]], -2)
        a = torch.cat([a[..., start, :], a[..., later, :] * a[..., earlier, :]], -2)
        distance *= 2
    return b


@dataclass(frozen=True)
class LinearRecurrence(Cell):
    """A cell with the memory m_t = a_t ⊙ m_{t-1} + b_t, by default its hidden units."""

    is_scannable = True

    @abstractmethod
    def coefficients(
        self, parameters: Parameters, inputs: Float[Tensor, "... input"]
    ) -> tuple[Inexact[Tensor, "... memory"], Inexact[Tensor, "... memory"]]:
        """a_t and b_t, each over the points of the inputs; a_t may also be the same for all."""

    def memory_of(self, state: Float[Tensor, "... state"]) -> Inexact[Tensor, "... memory"]:
        """m_t within the state."""
        return state

    def state_of(
        self, parameters: Parameters, memory: Inexact[Tensor, "... memory"], inputs: Float[Tensor, "... input"]
    ) -> Float[Tensor, "... state"]:
        """The state with m_t, after the input x_t."""
        return memory

    def step(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        a, b = self.coefficients(parameters, inputs)
        return self.state_of(parameters, a * self.memory_of(state) + b, inputs)

    def states(
        self,
        parameters: Parameters,
        inputs: Float[Tensor, "sequence time input"],
        initial: Float[Tensor, "sequence state"] | None = None,
    ) -> Float[Tensor, "sequence time state"]:
        """s_1, …, s_T by a parallel scan. They equal the states of single steps, but for rounding.

        Args:
            initial: s_0, by default the cell's.
        """
        state = self.initial_state(inputs[:, 0]) if initial is None else initial
        a, b = self.coefficients(parameters, inputs)
        return self.state_of(parameters, scan(a.expand_as(b), b, self.memory_of(state)), inputs)


@dataclass(frozen=True)
class MinGRU(LinearRecurrence):
    """h_t = (1 - z_t) ⊙ h_{t-1} + z_t ⊙ (W_h x_t + b_h).

    Example:
        >>> cell = MinGRU(2, 3)
        >>> cell.states(cell.initial_parameters(1, 0), torch.zeros(4, 5, 2).double()).shape
        torch.Size([4, 5, 3])
    """

    def initial_parameters(self, root_seed: int, seed: int) -> Parameters:
        """Matrices and biases as `torch.nn.Linear` draws them, as in the paper's Appendix B."""
        seeds = root_seed, seed
        return linear(seeds, "z", self.hidden_size, self.input_size) | linear(
            seeds, "h", self.hidden_size, self.input_size
        )

    def gate(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        """z_t."""
        return torch.sigmoid(affine_in_inputs(parameters, "z", inputs))

    def coefficients(self, parameters: Parameters, inputs: Tensor) -> tuple[Tensor, Tensor]:
        z = torch.sigmoid(affine_in_inputs(parameters, "z", inputs))
        return 1 - z, z * affine_in_inputs(parameters, "h", inputs)

    def linearize(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> LeakyLinearization:
        z, g = self.gate(parameters, state, inputs), affine_in_inputs(parameters, "h", inputs)
        factors = {"z": (g - state) * z * (1 - z), "h": z}
        return LeakyLinearization(1 - z, _paths(factors, state, inputs))


@dataclass(frozen=True)
class MinLSTM(LinearRecurrence):
    """h_t = f'_t ⊙ h_{t-1} + i'_t ⊙ (W_h x_t + b_h), with f'_t + i'_t = 1."""

    def initial_parameters(self, root_seed: int, seed: int) -> Parameters:
        """Matrices and biases as `torch.nn.Linear` draws them, as in the paper's Appendix B."""
        paths = [linear((root_seed, seed), path, self.hidden_size, self.input_size) for path in "fih"]
        return {name: parameter for path in paths for name, parameter in path.items()}

    def gate(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        """i'_t = 1 - f'_t."""
        f, i = self._gates(parameters, inputs)
        return i / (f + i)

    def coefficients(self, parameters: Parameters, inputs: Tensor) -> tuple[Tensor, Tensor]:
        f, i = self._gates(parameters, inputs)
        return f / (f + i), i / (f + i) * affine_in_inputs(parameters, "h", inputs)

    def linearize(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> LeakyLinearization:
        f, i = self._gates(parameters, inputs)
        keep, write = f / (f + i), i / (f + i)
        # the derivative of f' along a = log(f/(1 - f)) is f' i' (1 - f), and that along the input gate's -f' i' (1 - i)
        change = (state - affine_in_inputs(parameters, "h", inputs)) * keep * write
        return LeakyLinearization(
            keep, _paths({"f": change * (1 - f), "i": -change * (1 - i), "h": write}, state, inputs)
        )

    def _gates(self, parameters: Parameters, inputs: Tensor) -> tuple[Tensor, Tensor]:
        """f_t and i_t."""
        f, i = (torch.sigmoid(affine_in_inputs(parameters, path, inputs)) for path in "fi")
        return f, i


def _paths(factors: dict[str, Tensor], state: Tensor, inputs: Tensor) -> tuple[InputPath, ...]:
    """D(factor) da of each path."""
    size = state.shape[-1]
    return tuple(
        InputPath(name, state.new_zeros(size, size), factor, state, inputs) for name, factor in factors.items()
    )
