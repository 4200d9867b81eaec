"""The LSTM of the paper's Sec. 4.2, with the state s_t = [h_t; c_t].

    i_t, f_t, o_t = σ(W x_t + U h_{t-1} + b), each with its own W, U, b          Eqs. 4-6
    g_t = tanh(W_g x_t + U_g h_{t-1} + b_g)                                      Eq. 7
    c_t = f_t ⊙ c_{t-1} + i_t ⊙ g_t,      h_t = o_t ⊙ tanh(c_t)                  Eq. 8

    J_t = [[D(tanh(c_t) ⊙ σ'_o) U_o + E_t C_t, E_t F_t], [C_t, F_t]]             Eq. 11
    C_t = D(c_{t-1} ⊙ σ'_f) U_f + D(i_t ⊙ (1 - g_t²)) U_g + D(g_t ⊙ σ'_i) U_i    Eq. 9

with F_t = D(f_t) and E_t = D(o_t ⊙ (1 - tanh²(c_t))). Retention is the cell path: T_t = [[0, E_t F_t], [0, F_t]].

It may have fewer gates: one that it lacks is 1 throughout. Without any, c_t = c_{t-1} + g_t and h_t = tanh(c_t), a
memory that is only added to; input, forget and output gate are what leads from there to the LSTM.

With h-detach (Arpit et al. 2018, arXiv 1810.03023) a step in training blocks, with probability p, the gradient through
h_{t-1} into the gates and g_t: J_t is then the cell path alone. Values are the same.
"""

from dataclasses import dataclass, field
from typing import ClassVar

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from learnability.cells.cell import Cell, candidate_parameters, gate_parameters, require_gate
from learnability.cells.linearization import Diagonals, JacobianSplit, Linearization, Parameters, Path, affine, total
from learnability.core.errors import require, require_one_of

FEWER_GATES = "fewer gates"
GATES = ("", "i", "f", "o", "if", "io", "fo", "ifo")
"""Allowed sets of gates: input, forget and output gate."""


@dataclass(frozen=True)
class LSTM(Cell):
    """A forget gate f that starts at 1 - `gate_init`, i at `gate_init` and o at 1/2, whatever the input.

    Args:
        h_detach: p of each step in training, drawn for all sequences of a batch together.
        gates: those that it has, `ifo` or a part of it.
    """

    has_cell_state = True
    gate_paths: ClassVar[dict[str, str]] = {"input": "i", "forget": "f", "output": "o"}

    gate_init: float
    h_detach: float = field(default=0.0, kw_only=True)
    gates: str = field(default="ifo", kw_only=True)

    def __post_init__(self) -> None:
        require_gate("gate_init", self.gate_init)
        require(0 <= self.h_detach <= 1, "h_detach", "in [0, 1]", self.h_detach)
        require_one_of("gates", self.gates, GATES)

    @property
    def addition(self) -> str:
        return "" if self.gates == "ifo" else FEWER_GATES

    @property
    def is_noisy(self) -> bool:
        return self.h_detach > 0 or type(self).noisy_step is not LSTM.noisy_step

    @property
    def state_size(self) -> int:
        """2H: h_t, then c_t."""
        return 2 * self.hidden_size

    @property
    def recurrent_matrices(self) -> tuple[str, ...]:
        return tuple(f"U_{path}" for path in (*self.gates, "g"))

    @property
    def roles(self) -> dict[str, list[str]]:
        paths = [*self.gates, "g"]
        return {"gates": paths, "bias": [f"b_{path}" for path in paths]}

    def initial_parameters(self, root_seed: int, seed: int) -> Parameters:
        """Orthogonal W_g and U_g, zero gate weights, b_i and b_f from `gate_init`, other biases zero."""
        starts = {"i": self.gate_init, "f": 1 - self.gate_init, "o": 0.5}
        gates = [gate_parameters(self, path, self.hidden_size, starts[path]) for path in self.gates]
        parameters = {name: parameter for gate in gates for name, parameter in gate.items()}
        return parameters | candidate_parameters(self, "g", root_seed, seed)

    def gate(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor | None:
        """1 - f_t, the share of c_{t-1} that is overwritten; None without a forget gate."""
        if "f" not in self.gates:
            return None
        return 1 - torch.sigmoid(affine(parameters, "f", self.output(state), inputs))

    def step(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        i, f, o, g = self._activations(parameters, state, inputs)
        c = f * self.memory(state) + i * g
        return torch.cat([o * torch.tanh(c), c], -1)

    def noisy_step(
        self, parameters: Parameters, state: Tensor, inputs: Tensor, generator: torch.Generator
    ) -> Float[Tensor, "... state"]:
        if self.detached(1, generator):
            state = torch.cat([self.output(state).detach(), self.memory(state)], -1)
        return self.step(parameters, state, inputs)

    def detached(self, steps: int, generator: torch.Generator) -> Bool[Tensor, "step"]:
        """True at each of the next steps in training whose gradient through h_{t-1} is blocked."""
        return torch.rand(steps, generator=generator) < self.h_detach

    def linearize(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> "LSTMLinearization":
        h, c = self.output(state), self.memory(state)
        i, f, o, g = self._activations(parameters, state, inputs)
        tanh_c = torch.tanh(f * c + i * g)

        def path(name: str, factor: Tensor) -> Path:
            return Path(name, parameters[f"U_{name}"], factor, h, inputs)

        factors = {"f": c * f * (1 - f), "g": i * (1 - g**2), "i": g * i * (1 - i), "o": tanh_c * o * (1 - o)}
        paths = {name: path(name, factor) for name, factor in factors.items() if name in (*self.gates, "g")}
        output_paths = (paths.pop("o"),) if "o" in paths else ()
        return LSTMLinearization(f, o * (1 - tanh_c**2), tuple(paths.values()), output_paths)

    def _activations(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> tuple[Tensor, ...]:
        """i_t, f_t, o_t, g_t."""
        h = self.output(state)
        a = {path: affine(parameters, path, h, inputs) for path in (*self.gates, "g")}
        i, f, o = (torch.sigmoid(a[path]) if path in a else torch.ones_like(h) for path in "ifo")
        return i, f, o, torch.tanh(a["g"])


@dataclass(frozen=True)
class LSTMLinearization(Linearization):
    """Retention f_t, expression e_t, the paths into c_t that make up C_t, and the path from h_{t-1} to h_t, if any."""

    retention: Float[Tensor, "... hidden"]
    expression: Float[Tensor, "... hidden"]
    cell_paths: tuple[Path, ...]
    output_paths: tuple[Path, ...]

    def split(self) -> JacobianSplit:
        to_c = total(path.matrix() for path in self.cell_paths)
        to_h = total([self.expression[..., None] * to_c, *(path.matrix() for path in self.output_paths)])
        F, EF = torch.diag_embed(self.retention), torch.diag_embed(self.expression * self.retention)
        zero = torch.zeros_like(F)
        retention = torch.cat([torch.cat([zero, EF], -1), torch.cat([zero, F], -1)], -2)
        return JacobianSplit(retention, torch.cat([torch.cat([to_h, zero], -1), torch.cat([to_c, zero], -1)], -2))

    def diagonals(self) -> Diagonals:
        mixing = total(path.diagonal() for path in self.cell_paths)
        outputs = [path.diagonal() for path in self.output_paths] or [torch.zeros_like(mixing)]
        return Diagonals(self.retention, mixing, self.expression, total(outputs))

    def along_state(self, vector: Tensor) -> Tensor:
        h, c = vector.chunk(2, -1)
        to_c = self.retention * c + total(path.along(h) for path in self.cell_paths)
        return self._moved(to_c, [path.along(h) for path in self.output_paths])

    def along_parameters(self, direction: Parameters) -> Tensor:
        to_c = total(path.perturbed(direction) for path in self.cell_paths)
        return self._moved(to_c, [path.perturbed(direction) for path in self.output_paths])

    def pull_back(self, covector: Tensor) -> Tensor:
        h, into_c = self._into(covector)
        to_c = total(path.pull_back(into_c) for path in self.cell_paths)
        from_h = total([to_c, *(path.pull_back(h) for path in self.output_paths)])
        return torch.cat([from_h, into_c * self.retention], -1)

    def gradient(self, covector: Tensor) -> Parameters:
        return {name: gradient for path, v in self._reached(covector) for name, gradient in path.gradient(v).items()}

    def along_inputs(self, vector: Tensor, parameters: Parameters) -> Tensor:
        to_c = total(path.along_inputs(vector, parameters) for path in self.cell_paths)
        return self._moved(to_c, [path.along_inputs(vector, parameters) for path in self.output_paths])

    def pull_back_to_inputs(self, covector: Tensor, parameters: Parameters) -> Tensor:
        return total(path.pull_back_to_inputs(v, parameters) for path, v in self._reached(covector))

    def _moved(self, to_c: Tensor, to_h: list[Tensor]) -> Tensor:
        """[dh_t; dc_t], from the change of c_t and the changes of h_t that do not pass c_t."""
        return torch.cat([total([self.expression * to_c, *to_h]), to_c], -1)

    def _reached(self, covector: Tensor) -> list[tuple[Path, Tensor]]:
        """Paths with the covector at their ends."""
        h, into_c = self._into(covector)
        return [*((path, into_c) for path in self.cell_paths), *((path, h) for path in self.output_paths)]

    def _into(self, covector: Tensor) -> tuple[Tensor, Tensor]:
        """v_h, and v_c with the part that comes through h_t."""
        h, c = covector.chunk(2, -1)
        return h, c + h * self.expression
