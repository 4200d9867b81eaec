"""A recurrent cell with a linear readout ŷ_t = w h_t (+ b) and a loss, and its run over sequences."""

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from learnability.cells import CELLS, Cell, Parameters, Stack, orthogonal
from learnability.core.errors import lookup, require
from learnability.core.registry import find
from learnability.networks.losses import LOSSES
from learnability.networks.regularization import SETTINGS, Regularization
from learnability.networks.starts import Start
from learnability.tasks import Task


@dataclass(frozen=True)
class Network:
    """`cell` and a linear readout.

    Args:
        readout_bias: whether it has one, b (); of several outputs (outputs,).
        outputs: numbers in ŷ_t, weights w (outputs, H); 0: ŷ_t is a scalar, w (H,).
        loss: a name in `learnability.networks.losses.LOSSES`.
        regularization: what training adds, and nothing else sees.
        start: how parameters start, where not as the cell has it.

    Raises:
        InputError: for dropout of a cell without recurrent matrices, or the start of a role that the cell does not
            have.
    """

    cell: Cell
    readout_bias: bool = False
    outputs: int = 0
    loss: str = "squared_error"
    regularization: Regularization = field(default=Regularization(), kw_only=True)
    start: Start = field(default=Start(), kw_only=True)

    def __post_init__(self) -> None:
        self.regularization.check(self.cell)
        self.start.check(self.cell, self.readout_bias)

    @classmethod
    def build(
        cls,
        architecture: Mapping[str, Any],
        input_size: int,
        hidden_size: int,
        readout_bias: bool,
        outputs: int = 0,
        loss: str = "squared_error",
    ) -> "Network":
        """The network of an architecture's settings: `{"cell": name, …}`, the rest arguments of that cell.

        Three more settings are taken: `layers`, the number of cells in a stack (`Stack`), by default 1; those of
        `Regularization`; and `start`, a mapping of settings of `Start`.

        Args:
            readout_bias: of an architecture that does not say `readout_bias` itself.

        Raises:
            InputError: for a cell or a loss that does not exist, a setting that the cell does not take, or one that it
                needs and is not given.
        """
        settings = dict(architecture)
        name = str(settings.pop("cell", None))
        readout_bias, layers = settings.pop("readout_bias", readout_bias), settings.pop("layers", 1)
        regularization = Regularization(**{key: settings.pop(key) for key in SETTINGS if key in settings})
        start = Start.of(settings.pop("start", {}))
        cell = find(CELLS, "cell", name)
        lookup(LOSSES, "loss", loss)
        cell_fields = [setting for setting in fields(cell) if setting.name not in ("input_size", "hidden_size")]
        mandatory = {
            setting.name for setting in cell_fields if setting.default is MISSING and setting.default_factory is MISSING
        }
        optional = {setting.name for setting in cell_fields} - mandatory
        requirement = f"{sorted(mandatory)}" + (f", and optionally {sorted(optional)}" if optional else "")
        fits = mandatory <= set(settings) <= mandatory | optional
        require(fits, f"settings of cell '{name}'", requirement, sorted(settings))
        require(isinstance(layers, int) and layers >= 1, "layers", "a whole number, at least 1", layers)
        require(outputs >= 0, "outputs", "at least 0", outputs)
        require(outputs >= 2 or loss != "cross_entropy", "outputs", "at least 2 classes, with cross_entropy", outputs)

        def layer(inputs: int, units: int) -> Cell:
            return cell(inputs, units, **settings)

        recurrence = Stack.of(layer, input_size, hidden_size, layers) if layers > 1 else layer(input_size, hidden_size)
        return cls(recurrence, readout_bias, outputs, loss, regularization=regularization, start=start)

    @classmethod
    def for_task(
        cls,
        architecture: Mapping[str, Any],
        task: Task,
        hidden_size: int | None = None,
        readout_bias: bool = False,
        *,
        parameters: int | None = None,
    ) -> "Network":
        """The network of an architecture's settings with the inputs, outputs and loss of a task.

        Args:
            hidden_size: H; or else
            parameters: of the largest network that has no more.

        Raises:
            InputError: unless one of the two is given, or if one unit has more parameters; and as `build`.
        """

        def of(units: int) -> Network:
            return cls.build(architecture, task.input_size, units, readout_bias, task.outputs, task.loss)

        sizes = {"hidden_size": hidden_size, "parameters": parameters}
        is_single = (hidden_size is None) != (parameters is None)
        require(is_single, "size of a network", "given by hidden_size or by parameters", sizes)
        if hidden_size is not None:
            return of(hidden_size)
        cell = find(CELLS, "cell", str(architecture.get("cell")))
        units, larger = 0, cell.next_size(0)
        while of(larger).count_parameters() <= (parameters or 0):
            units, larger = larger, cell.next_size(larger)
        require(units > 0, "parameters", "enough for one unit", parameters)
        return of(units)

    @property
    def is_random(self) -> bool:
        """True if steps in training draw random numbers."""
        return self.cell.is_noisy or self.regularization.is_random

    def count_parameters(self) -> int:
        """Numbers that are trained."""
        return sum(parameter.numel() for parameter in self.initial_parameters(0, 0).values())

    def initial_parameters(self, root_seed: int, seed: int) -> Parameters:
        """The cell's parameters and an orthogonal (unit-norm) readout, float64, but for what `start` decides.

        Raises `InputError` for a cell with parameters of the readout's names, `w` and `b`.
        """
        weights = orthogonal(max(self.outputs, 1), self.cell.output_size, root_seed, seed, "w")
        readout = {"w": weights if self.outputs else weights[0]}
        if self.readout_bias:
            readout["b"] = torch.zeros((self.outputs,) if self.outputs else (), dtype=torch.float64)
        cell_parameters = self.cell.initial_parameters(root_seed, seed)
        require(
            cell_parameters.keys().isdisjoint({"w", "b"}),
            "names of the cell's parameters",
            "other than w and b",
            sorted(cell_parameters),
        )
        return self.start.draw(self.cell, cell_parameters | readout, root_seed, seed)

    @property
    def is_scalar(self) -> bool:
        """True if ŷ_t is a number and its loss the squared error, so that δ_t = e_t ρ_t with a number e_t."""
        return self.outputs == 0 and self.loss == "squared_error"

    def read_out(self, parameters: Parameters, hidden: Float[Tensor, "... hidden"]) -> Float[Tensor, "..."]:
        """ŷ = w h (+ b)."""
        predictions = hidden @ (parameters["w"].mT if self.outputs else parameters["w"])
        return predictions + parameters["b"] if self.readout_bias else predictions

    def predict(self, parameters: Parameters, states: Float[Tensor, "... state"]) -> Float[Tensor, "..."]:
        """ŷ of states."""
        return self.read_out(parameters, self.cell.output(states))

    def output_gradient(
        self, parameters: Parameters, hidden: Float[Tensor, "... hidden"], signal: Float[Tensor, "... output"] | None
    ) -> Float[Tensor, "... hidden"]:
        """∂ŷ/∂h = w; of several outputs δ w, with δ the `signal` over them."""
        return (parameters["w"] if signal is None else signal @ parameters["w"]).expand_as(hidden)

    def readout_gradient(
        self,
        parameters: Parameters,
        states: Float[Tensor, "... state"],
        signal: Float[Tensor, "... output"] | None = None,
    ) -> Float[Tensor, "... state"]:
        """ρ = ∂ŷ/∂s: w over the hidden units, 0 elsewhere; by differentiation of a cell with an output of its own.

        Of several outputs δ ∂ŷ/∂s, with δ the `signal` over them.
        """
        if type(self.cell).output is Cell.output:
            of_units = self.output_gradient(parameters, self.cell.output(states), signal)
            return self.cell.as_state(of_units)
        predictions, back = torch.func.vjp(lambda s: self.predict(parameters, s), states)[:2]
        (gradient,) = back(torch.ones_like(predictions) if signal is None else signal)
        return gradient

    def check(self, parameters: Parameters) -> None:
        """Raise `InputError` unless `parameters` have this network's names and shapes and finite values."""
        expected = self.initial_parameters(0, 0)
        require(set(parameters) == set(expected), "parameters", f"named {sorted(expected)}", sorted(parameters))
        for name, tensor in parameters.items():
            shape = tuple(expected[name].shape)
            require(tuple(tensor.shape) == shape, name, f"of shape {shape}", tuple(tensor.shape))
            require(bool(torch.isfinite(tensor).all()), name, "finite", "a tensor with NaN or infinity")


def states_of(
    cell: Cell, parameters: Parameters, inputs: Float[Tensor, "sequence time input"], truncation: int = 0
) -> Iterator[Any]:
    """s_1, …, s_T, each any nest of tensors.

    Args:
        truncation: steps of a segment; each but the first starts from what `Cell.carried` leaves of the state before.
            0: the whole sequence is one segment.
    """
    parameters, state = cell.prepared(parameters), cell.initial_state(inputs[:, 0])
    for t, x in enumerate(inputs.unbind(1)):
        if truncation and t and t % truncation == 0:
            state = cell.carried(state)
        state = cell.step(parameters, state, x)
        yield state


def hidden_units(
    cell: Cell, parameters: Parameters, inputs: Float[Tensor, "sequence time input"], truncation: int = 0
) -> Float[Tensor, "sequence time hidden"]:
    """h_1, …, h_T; arguments as of `states_of`."""
    return torch.stack([cell.output(state) for state in states_of(cell, parameters, inputs, truncation)], 1)


def single_initial_state(cell: Cell, inputs: Float[Tensor, "sequence time input"]) -> Float[Tensor, "sequence state"]:
    """s_0, or `InputError` of a cell whose state is more than one tensor."""
    initial = cell.initial_state(inputs[:, 0])
    require(isinstance(initial, Tensor), "cell", "one whose state is a single tensor", type(cell).__name__)
    return initial


def run(
    cell: Cell, parameters: Parameters, inputs: Float[Tensor, "sequence time input"]
) -> Float[Tensor, "sequence time_and_start state"]:
    """States s_0, s_1, …, s_T: entry `[:, t]` is s_t, so `[:, :-1]` are the previous states of each step.

    Raises:
        InputError: for a cell whose state is more than one tensor.
    """
    sequences, time, _ = inputs.shape
    states = inputs.new_zeros(sequences, time + 1, cell.state_size)
    states[:, 0] = single_initial_state(cell, inputs)
    for t, state in enumerate(states_of(cell, parameters, inputs), 1):
        states[:, t] = state
    return states
