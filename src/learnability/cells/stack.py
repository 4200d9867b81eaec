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
        input_sizes = [*(layer.input_size for layer in self.layers), self.hidden_size]
        require(sizes == input_sizes, "layers", f"of the sizes {sizes}, those below first", input_sizes)
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
        """Orthogonal parameters of all layers."""
        return tuple(f"{name}.{k}" for k, layer in self._numbered() for name in layer.ORTHOGONAL)

    @property
    def recurrent_matrices(self) -> tuple[str, ...]:
        """Recurrent matrices of all layers."""
        return tuple(f"{name}.{k}" for k, layer in self._numbered() for name in layer.recurrent_matrices)

    @property
    def masks(self) -> dict[str, int]:
        """Dropout masks of all layers, the lowest first."""
        return {f"{name}.{k}": size for k, layer in self._numbered() for name, size in layer.masks.items()}

    @property
    def state_size(self) -> int:
        return sum(layer.state_size for layer in self.layers)

    @property
    def is_noisy(self) -> bool:
        return any(layer.is_noisy for layer in self.layers)

    def states(self, state: Float[Tensor, "... state"]) -> list[Tensor]:
        """States of the layers, the lowest first."""
        return list(state.split([layer.state_size for layer in reversed(self.layers)], -1))[::-1]

    def memory(self, state: Tensor) -> Tensor:
        """Memory of the uppermost layer."""
        return self.layers[-1].memory(self.states(state)[-1])

    def initial_parameters(self, root_seed: int, seed: int) -> Parameters:
        """Parameters of all layers, each from its own streams; the lowest starts as it would alone."""
        roots = [int(seed_sequence(root_seed, seed, "layer", k).generate_state(1)[0]) for k, _ in self._numbered()]
        roots[0] = root_seed
        return self._joined(
            layer.initial_parameters(root, seed) for layer, root in zip(self.layers, roots, strict=True)
        )

    def initial_state(self, inputs: Tensor) -> Tensor:
        inputs_by_layer = (inputs.new_zeros(len(inputs), layer.input_size) for layer in self.layers)
        return joined(layer.initial_state(x) for layer, x in zip(self.layers, inputs_by_layer, strict=True))

    def carried(self, state: Tensor) -> Tensor:
        return joined(layer.carried(s) for layer, s in zip(self.layers, self.states(state), strict=True))

    def prepared(self, parameters: Parameters) -> Parameters:
        return self._joined(layer.prepared(p) for layer, p in self.layered(parameters))

    def layered(self, parameters: Parameters) -> list[tuple[Cell, Parameters]]:
        return [(layer, self.layer_parameters(parameters, k)) for k, layer in self._numbered()]

    def layer_parameters(self, parameters: Parameters, k: int) -> Parameters:
        """Parameters of layer k, by the names that its cell gives them."""
        behind = f".{k}"
        return {name.removesuffix(behind): tensor for name, tensor in parameters.items() if name.endswith(behind)}

    def step(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        return joined(new for _, new in self._stepped(parameters, state, inputs, _step))

    def noisy_step(
        self, parameters: Parameters, state: Tensor, inputs: Tensor, generator: torch.Generator
    ) -> Float[Tensor, "... state"]:
        def step(layer: Cell, p: Parameters, s: Tensor, x: Tensor) -> Tensor:
            return layer.noisy_step(p, s, x, generator)

        return joined(new for _, new in self._stepped(parameters, state, inputs, step))

    def points(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> list[Point]:
        """Layers with their own parameters, s_{t-1} and x_t, the lowest first."""
        return [at for at, _ in self._stepped(parameters, state, inputs, _step)]

    def gate(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor | None:
        """Gates of all layers, the lowest first; None unless each layer has one."""
        gates = [layer.gate(p, s, x) for layer, p, s, x in self.points(parameters, state, inputs)]
        values = [gate for gate in gates if gate is not None]
        return torch.cat(values, -1) if len(values) == len(gates) else None

    def linearize(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> "StackLinearization":
        points = self.points(parameters, state, inputs)
        linearizations = tuple(_with_inputs(*point) for point in points)
        return StackLinearization(self, tuple(p for _, p, _, _ in points), linearizations, state)

    def _numbered(self) -> Iterator[tuple[int, Cell]]:
        return enumerate(self.layers, 1)

    def _joined(self, parameters: Iterable[Parameters]) -> Parameters:
        return {f"{name}.{k}": tensor for k, tensors in enumerate(parameters, 1) for name, tensor in tensors.items()}

    def _stepped(
        self, parameters: Parameters, state: Tensor, inputs: Tensor, step: Step
    ) -> Iterator[tuple[Point, Tensor]]:
        """Point and s_t of each layer."""
        for (layer, layer_parameters), before in zip(self.layered(parameters), self.states(state), strict=True):
            at = layer, layer_parameters, before, inputs
            new = step(*at)
            yield at, new
            inputs = layer.output(new)


@dataclass(frozen=True)
class StackLinearization(Linearization):
    """Linearizations of the layers, the lowest first, composed by the chain rule from layer to layer."""

    stack: Stack
    parameters: tuple[Parameters, ...]
    layers: tuple[Linearization, ...]
    state: Float[Tensor, "... state"]

    def split(self) -> JacobianSplit:
        """J_t, split; retention is block-diagonal, a block for each layer."""
        eye = torch.eye(self.stack.state_size, dtype=self.state.dtype, device=self.state.device)
        shape = *self.state.shape[:-1], self.stack.state_size
        whole = self.along_state(eye.view(-1, *[1] * (len(shape) - 1), len(eye)).expand(-1, *shape)).movedim(0, -1)
        retention, start = torch.zeros_like(whole), 0
        for steps in reversed(self.layers):
            layer_retention = steps.split().retention
            inside = slice(start, start + layer_retention.shape[-1])
            retention[..., inside, inside], start = layer_retention, inside.stop
        return JacobianSplit(retention, whole - retention)

    def diagonals(self) -> Diagonals:
        """Raises `InputError`: first-order windows are of a single layer."""
        raise InputError(f"'layers' must be 1 for first-order windows. Got {len(self.layers)}.")

    def along_state(self, vector: Tensor) -> Tensor:
        pairs = zip(self.layers, self.stack.states(vector), strict=True)
        return self._upwards(steps.along_state(v) for steps, v in pairs)

    def along_parameters(self, direction: Parameters) -> Tensor:
        pairs = ((steps, self.stack.layer_parameters(direction, k)) for k, steps in enumerate(self.layers, 1))
        return self._upwards(steps.along_parameters(w) for steps, w in pairs)

    def pull_back(self, covector: Tensor) -> Tensor:
        pairs = zip(self.layers, self._downwards(covector), strict=True)
        return joined(steps.pull_back(v) for steps, v in pairs)

    def gradient(self, covector: Tensor) -> Parameters:
        pairs = zip(self.layers, self._downwards(covector), strict=True)
        gradients = [steps.gradient(v) for steps, v in pairs]
        return {
            f"{name}.{k}": gradient for k, of_layer in enumerate(gradients, 1) for name, gradient in of_layer.items()
        }

    def along_inputs(self, vector: Tensor, parameters: Parameters) -> Tensor:
        lowest = self.layers[0].along_inputs(vector, self.parameters[0])
        still = (lowest.new_zeros(*lowest.shape[:-1], layer.state_size) for layer in self.stack.layers[1:])
        return self._upwards([lowest, *still])

    def pull_back_to_inputs(self, covector: Tensor, parameters: Parameters) -> Tensor:
        lowest, *_ = self._downwards(covector)
        return self.layers[0].pull_back_to_inputs(lowest, self.parameters[0])

    def _upwards(self, changes: Iterable[Tensor]) -> Tensor:
        """ds_t, from the changes of the layers before each adds the change of the layer below."""
        derivatives: list[Tensor] = []
        for k, change in enumerate(changes):
            if k:
                below = self.stack.layers[k - 1].output(derivatives[-1])
                change = change + self.layers[k].along_inputs(below, self.parameters[k])
            derivatives.append(change)
        return joined(derivatives)

    def _downwards(self, covector: Tensor) -> list[Tensor]:
        """Covectors at the s_t of each layer: its own part, plus the part that the layer above passes down."""
        covectors = self.stack.states(covector)
        for k in reversed(range(1, len(covectors))):
            to_below = self.layers[k].pull_back_to_inputs(covectors[k], self.parameters[k])
            covectors[k - 1] = covectors[k - 1] + self.stack.layers[k - 1].as_state(to_below)
        return covectors


def joined(states: Iterable[Tensor]) -> Tensor:
    """s_t from the states of the layers, the lowest first."""
    return torch.cat(list(states)[::-1], -1)


def _step(layer: Cell, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
    return layer.step(parameters, state, inputs)


def _with_inputs(layer: Cell, parameters: Parameters, state: Tensor, inputs: Tensor) -> Linearization:
    """The layer's own linearization, or the automatic one where that has no derivative in x_t."""
    steps = layer.linearize(parameters, state, inputs)
    has_inputs = type(steps).pull_back_to_inputs is not Linearization.pull_back_to_inputs
    return steps if has_inputs else AutomaticLinearization(layer, parameters, state, inputs)
