"""Recurrent layers on top of one another: a deep recurrence, as in Graves et al. 2013 or `torch.nn.LSTM(num_layers=L)`.

    s^(k)_t = F_k(θ_k, s^(k)_{t-1}, x^(k)_t),      x^(1)_t = x_t,      x^(k)_t = h^(k-1)_t,      k = 1, …, L

It is itself a cell, of the state s_t = [s^(L)_t; …; s^(1)_t], the uppermost layer first: its hidden units are those
that are read out. To first order, with J_k, B_k and X_k = ∂s^(k)_t/∂x^(k)_t of each layer,

    ds^(k)_t = J_k ds^(k)_{t-1} + B_k dθ_k + X_k dh^(k-1)_t
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from learnability.cells.automatic import AutomaticLinearization
from learnability.cells.cell import Cell
from learnability.cells.linearization import Diagonals, JacobianSplit, Linearization, Parameters
from learnability.core.errors import InputError, require
from learnability.core.streams import seed_sequence

Point = tuple[Cell, Parameters, Tensor, Tensor]
"""A layer, its parameters, s_{t-1} and x_t."""
Step = Callable[[Cell, Parameters, Tensor, Tensor], Tensor]


@dataclass(frozen=True)
class Stack(Cell):
    """Layers, the lowest first. A parameter of layer k has the name that it has in its cell and `.k` behind that.

    Raises:
        InputError: for layers that do not fit, or one whose state is not a tensor with the hidden units in front.
    """

    layers: tuple[Cell, ...]

    def __post_init__(self) -> None:
        sizes = [self.input_size, *(layer.hidden_size for layer in self.layers)]
        found = [*(layer.input_size for layer in self.layers), self.hidden_size]
        require(sizes == found, "layers", f"of the sizes {sizes}, those below first", found)
        for layer in self.layers:
            start = layer.initial_state(torch.zeros(1, layer.input_size))
            fits = isinstance(start, Tensor) and type(layer).output is Cell.output
            require(fits, "layers", "1 for a cell whose state is not a single tensor", type(layer).__name__)

    @classmethod
    def of(cls, build: Callable[[int, int], Cell], input_size: int, hidden_size: int, layers: int) -> "Stack":
        """L layers of one cell, `build` of inputs and hidden units."""
        inputs = [input_size, *[hidden_size] * (layers - 1)]
        return cls(input_size, hidden_size, tuple(build(size, hidden_size) for size in inputs))

    @property
    def ORTHOGONAL(self) -> tuple[str, ...]:  # type: ignore[override]  # noqa: N802
        """Those of all layers."""
        return tuple(f"{name}.{k}" for k, layer in self._numbered() for name in layer.ORTHOGONAL)

    @property
    def recurrent_matrices(self) -> tuple[str, ...]:
        """Those of all layers."""
        return tuple(f"{name}.{k}" for k, layer in self._numbered() for name in layer.recurrent_matrices)

    @property
    def masks(self) -> dict[str, int]:
        """Those of all layers, the lowest first."""
        return {f"{name}.{k}": size for k, layer in self._numbered() for name, size in layer.masks.items()}

    @property
    def state_size(self) -> int:
        return sum(layer.state_size for layer in self.layers)

    @property
    def is_noisy(self) -> bool:
        return any(layer.is_noisy for layer in self.layers)

    def states(self, state: Float[Tensor, "... state"]) -> list[Tensor]:
        """Those of the layers, the lowest first."""
        return list(state.split([layer.state_size for layer in reversed(self.layers)], -1))[::-1]

    def memory(self, state: Tensor) -> Tensor:
        """That of the uppermost layer."""
        return self.layers[-1].memory(self.states(state)[-1])

    def initial_parameters(self, root_seed: int, seed: int) -> Parameters:
        """Those of each layer, from streams of its own; the lowest has those that it would have alone."""
        roots = [int(seed_sequence(root_seed, seed, "layer", k).generate_state(1)[0]) for k, _ in self._numbered()]
        roots[0] = root_seed
        return self._joined(
            layer.initial_parameters(root, seed) for layer, root in zip(self.layers, roots, strict=True)
        )

    def initial_state(self, inputs: Tensor) -> Tensor:
        sized = (inputs.new_zeros(len(inputs), layer.input_size) for layer in self.layers)
        return joined(layer.initial_state(each) for layer, each in zip(self.layers, sized, strict=True))

    def carried(self, state: Tensor) -> Tensor:
        return joined(layer.carried(each) for layer, each in zip(self.layers, self.states(state), strict=True))

    def prepared(self, parameters: Parameters) -> Parameters:
        return self._joined(layer.prepared(own) for layer, own in self.layered(parameters))

    def layered(self, parameters: Parameters) -> list[tuple[Cell, Parameters]]:
        return [(layer, self.own(parameters, k)) for k, layer in self._numbered()]

    def own(self, parameters: Parameters, k: int) -> Parameters:
        """Those of layer k, by the names that its cell gives them."""
        behind = f".{k}"
        return {name.removesuffix(behind): each for name, each in parameters.items() if name.endswith(behind)}

    def step(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        return joined(new for _, new in self._stepped(parameters, state, inputs, _step))

    def noisy_step(
        self, parameters: Parameters, state: Tensor, inputs: Tensor, generator: torch.Generator
    ) -> Float[Tensor, "... state"]:
        def step(layer: Cell, p: Parameters, s: Tensor, x: Tensor) -> Tensor:
            return layer.noisy_step(p, s, x, generator)

        return joined(new for _, new in self._stepped(parameters, state, inputs, step))

    def points(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> list[Point]:
        """Each layer with its own parameters, s_{t-1} and x_t, the lowest first."""
        return [at for at, _ in self._stepped(parameters, state, inputs, _step)]

    def gate(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor | None:
        """Those of all layers, the lowest first; None unless each has one."""
        gates = [layer.gate(p, s, x) for layer, p, s, x in self.points(parameters, state, inputs)]
        known = [gate for gate in gates if gate is not None]
        return torch.cat(known, -1) if len(known) == len(gates) else None

    def linearize(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> "StackLinearization":
        points = self.points(parameters, state, inputs)
        own = tuple(_with_inputs(*point) for point in points)
        return StackLinearization(self, tuple(p for _, p, _, _ in points), own, state)

    def _numbered(self) -> Iterator[tuple[int, Cell]]:
        return enumerate(self.layers, 1)

    def _joined(self, parameters: Iterable[Parameters]) -> Parameters:
        return {f"{name}.{k}": each for k, own in enumerate(parameters, 1) for name, each in own.items()}

    def _stepped(
        self, parameters: Parameters, state: Tensor, inputs: Tensor, step: Step
    ) -> Iterator[tuple[Point, Tensor]]:
        """Each layer's point, and its s_t."""
        for (layer, own), before in zip(self.layered(parameters), self.states(state), strict=True):
            at = layer, own, before, inputs
            new = step(*at)
            yield at, new
            inputs = layer.output(new)


@dataclass(frozen=True)
class StackLinearization(Linearization):
    """That of each layer, the lowest first, composed by what each layer has of that below."""

    stack: Stack
    parameters: tuple[Parameters, ...]
    layers: tuple[Linearization, ...]
    state: Float[Tensor, "... state"]

    def split(self) -> JacobianSplit:
        """Retention is that of each layer."""
        eye = torch.eye(self.stack.state_size, dtype=self.state.dtype, device=self.state.device)
        shape = *self.state.shape[:-1], self.stack.state_size
        whole = self.along_state(eye.view(-1, *[1] * (len(shape) - 1), len(eye)).expand(-1, *shape)).movedim(0, -1)
        retention, start = torch.zeros_like(whole), 0
        for steps in reversed(self.layers):
            own = steps.split().retention
            inside = slice(start, start + own.shape[-1])
            retention[..., inside, inside], start = own, inside.stop
        return JacobianSplit(retention, whole - retention)

    def diagonals(self) -> Diagonals:
        """Raises `InputError`: first-order windows are of a single layer."""
        raise InputError(f"'layers' must be 1 for first-order windows. Got {len(self.layers)}.")

    def along_state(self, vector: Tensor) -> Tensor:
        own = zip(self.layers, self.stack.states(vector), strict=True)
        return self._upwards(steps.along_state(each) for steps, each in own)

    def along_parameters(self, direction: Parameters) -> Tensor:
        own = ((steps, self.stack.own(direction, k)) for k, steps in enumerate(self.layers, 1))
        return self._upwards(steps.along_parameters(each) for steps, each in own)

    def pull_back(self, covector: Tensor) -> Tensor:
        own = zip(self.layers, self._downwards(covector), strict=True)
        return joined(steps.pull_back(each) for steps, each in own)

    def gradient(self, covector: Tensor) -> Parameters:
        own = zip(self.layers, self._downwards(covector), strict=True)
        found = [steps.gradient(each) for steps, each in own]
        return {f"{name}.{k}": each for k, of_layer in enumerate(found, 1) for name, each in of_layer.items()}

    def along_inputs(self, vector: Tensor, parameters: Parameters) -> Tensor:
        lowest = self.layers[0].along_inputs(vector, self.parameters[0])
        still = (lowest.new_zeros(*lowest.shape[:-1], layer.state_size) for layer in self.stack.layers[1:])
        return self._upwards([lowest, *still])

    def pull_back_to_inputs(self, covector: Tensor, parameters: Parameters) -> Tensor:
        lowest, *_ = self._downwards(covector)
        return self.layers[0].pull_back_to_inputs(lowest, self.parameters[0])

    def _upwards(self, moved: Iterable[Tensor]) -> Tensor:
        """ds_t, from what moves each layer beside the one below it."""
        found: list[Tensor] = []
        for k, each in enumerate(moved):
            if k:
                below = self.stack.layers[k - 1].output(found[-1])
                each = each + self.layers[k].along_inputs(below, self.parameters[k])
            found.append(each)
        return joined(found)

    def _downwards(self, covector: Tensor) -> list[Tensor]:
        """Of each layer, what reaches its s_t: its own part, and what comes from the layer above."""
        found = self.stack.states(covector)
        for k in reversed(range(1, len(found))):
            to_below = self.layers[k].pull_back_to_inputs(found[k], self.parameters[k])
            found[k - 1] = found[k - 1] + self.stack.layers[k - 1].as_state(to_below)
        return found


def joined(states: Iterable[Tensor]) -> Tensor:
    """s_t of those of the layers, the lowest first."""
    return torch.cat(list(states)[::-1], -1)


def _step(layer: Cell, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
    return layer.step(parameters, state, inputs)


def _with_inputs(layer: Cell, parameters: Parameters, state: Tensor, inputs: Tensor) -> Linearization:
    """The layer's own linearization, or the automatic one where that has no derivative in x_t."""
    steps = layer.linearize(parameters, state, inputs)
    has_inputs = type(steps).pull_back_to_inputs is not Linearization.pull_back_to_inputs
    return steps if has_inputs else AutomaticLinearization(layer, parameters, state, inputs)
