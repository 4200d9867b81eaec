"""The C++ engine: `native.cpp`, compiled at first use for one network and this processor, then cached."""

import ctypes
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Bool, Float, Shaped
from torch import Tensor

from learnability.cells import Parameters, lacked_cell, native
from learnability.cells.native import TRAINED, TrainedCell
from learnability.core.compiled import find_compiler, load
from learnability.core.errors import InputError, require
from learnability.networks.network import Network, single_initial_state
from learnability.training.engines.engine import OneByOneEngine

SOURCE, TILE = Path(__file__).with_suffix(".cpp"), Path(native.__file__).with_name("tile.cpp")
REALS = {torch.float32: ("float", ctypes.c_float), torch.float64: ("double", ctypes.c_double)}
LOSSES = {"squared_error": 0, "cross_entropy": 1}
"""Numbers of losses in `readouts.hpp`."""


class NativeEngine(OneByOneEngine):
    """Hand-written BPTT for cells of `TRAINED` in float32 on one core, with every readout, loss and mask.

    In float64 for a subclass whose `dtypes` say so.

    Raises:
        InputError: without a C++ compiler, for another cell, for tensors that are not float32 on the CPU, or for
            classes that the network does not have.
    """

    dtypes, devices = (torch.float32,), ("cpu",)

    @classmethod
    def lacks(cls, network: Network, extras: Sequence[str] = ()) -> str:
        absent = lacked_cell(network.cell, TRAINED, TrainedCell.additions)
        if absent:
            return f"the cell {absent}"
        if network.loss not in LOSSES:
            return f"the loss {network.loss}"
        if TrainedCell(network.cell).reads_context and not network.outputs:
            return "one output of h and of what is recalled"
        gaps = [extra for extra in extras if extra not in ("masks", "random steps")]
        return " and ".join(gaps) if find_compiler() else "a C++ compiler"

    @classmethod
    def fault(cls, network: Network) -> str:
        try:
            cls._widest_tile()
        except InputError as error:
            return str(error)
        return ""

    def __init__(self, network: Network, models: Sequence[Parameters]) -> None:
        self.cell = TrainedCell(network.cell)
        super().__init__(network, models)
        self._workspace = torch.empty(0, dtype=torch.uint8)
        self._libraries: dict[tuple[str, ...], ctypes.CDLL] = {}
        self._widest = self._widest_tile()

    @classmethod
    def _widest_tile(cls) -> int:
        """Sequences that a tile has at most; compiled in a tenth of the time that a network takes."""
        return int(load(TILE, REAL=REALS[cls.dtypes[0]][0]).tile())

    def _load(self, **constants: int) -> ctypes.CDLL:
        name, real = REALS[self.dtypes[0]]
        readout = {"OUTPUTS": self.network.outputs, "CROSS_ENTROPY": LOSSES[self.network.loss]}
        library = self.cell.load(SOURCE, REAL=name, **readout, **constants)
        number, count, pointer = ctypes.c_int, ctypes.c_long, ctypes.c_void_p
        library.workspace_bytes.argtypes, library.workspace_bytes.restype = [number], count
        differentiate = library.loss_and_gradient
        differentiate.argtypes = [number, number, *[pointer] * 3, count, *[pointer] * 3, real, *[pointer] * 3]
        differentiate.restype = ctypes.c_double
        library.states.argtypes = [number, number, pointer, pointer, real, pointer, pointer]
        library.states.restype = None
        return library

    def _library(self, sequences: int) -> ctypes.CDLL:
        """Fastest library: half tiles where one holds the whole batch, products of few lanes where some idle."""
        is_narrow = 2 * sequences <= self._widest
        is_few = 4 * sequences <= 3 * (self._widest // 2 if is_narrow else self._widest)
        flags = (*(("NARROW",) if is_narrow else ()), *(("FEW",) if is_few else ()))
        if flags not in self._libraries:
            self._libraries[flags] = self._load(**dict.fromkeys(flags, 1))
        return self._libraries[flags]

    def states(self, inputs: Tensor) -> Tensor:
        models, sequences, time, _ = inputs.shape
        single_initial_state(self.network.cell, inputs[0])  # refuses others
        library = self._library(sequences)
        all_states = inputs.new_empty(models, sequences, time + 1, self.network.cell.state_size)
        for parameters, sequences_of_model, states in zip(self.models, inputs, all_states, strict=True):
            self._check(inputs=sequences_of_model, parameters=parameters["w"])
            flat, x = self.cell.flat(self.cell.prepared(parameters)), sequences_of_model.contiguous()
            library.states(
                *(sequences, time, _pointer(x), _pointer(flat), self.cell.constant_gate),
                *(_pointer(states), self._aligned_workspace(library, time)),
            )
        return all_states

    def losses_and_states(
        self,
        inputs: Float[Tensor, "model sequence time input"],
        targets: Shaped[Tensor, "model sequence time ..."],
        masks: Bool[Tensor, "model sequence time"] | None = None,
        states: Sequence[Any] | None = None,
        generators: Sequence[torch.Generator] | None = None,
    ) -> tuple[Float[Tensor, "model"], list[Any]]:
        """`AutogradEngine.losses_and_states` of whole sequences: no state goes in or comes out."""
        blanks = [None] * len(self.models)
        counts = blanks if masks is None else masks
        arguments = zip(self.models, inputs, targets, counts, generators or blanks, strict=True)
        return torch.stack([self._one(*model_arguments) for model_arguments in arguments]), []

    def _one(
        self,
        parameters: Parameters,
        inputs: Tensor,
        targets: Tensor,
        mask: Tensor | None = None,
        generator: torch.Generator | None = None,
    ) -> Tensor:
        self._check(inputs=inputs, parameters=parameters["w"])
        weights = self.cell.prepared(parameters)
        flat, readout = self.cell.flat(weights), self._readout(parameters)
        gradient, readout_gradient = torch.empty_like(flat), torch.zeros_like(readout)
        sequences, time, _ = inputs.shape
        library = self._library(sequences)
        x, y = inputs.contiguous(), self._targets(targets)  # held until the call returns
        counts = None if mask is None else mask.contiguous()
        detachments = self.cell.detached(time, generator)
        loss = library.loss_and_gradient(
            *(sequences, time, _pointer(x), _pointer(y), _pointer(counts)),
            sequences * time if counts is None else max(int(counts.sum()), 1),
            *(_pointer(detachments), _pointer(flat), _pointer(readout), self.cell.constant_gate),
            *(_pointer(gradient), _pointer(readout_gradient), self._aligned_workspace(library, time)),
        )
        gradients = self.cell.back(self.cell.named(gradient, weights), weights)
        rows = len(torch.atleast_2d(parameters["w"]))
        gradients["w"] = self._readout_weights(readout_gradient).reshape(parameters["w"].shape)
        if self.network.readout_bias:
            gradients["b"] = readout_gradient[:rows, -1].reshape(parameters["b"].shape)
        for name, parameter in parameters.items():
            parameter.grad = gradients[name]
        return inputs.new_tensor(loss)

    def _readout(self, parameters: Parameters) -> Tensor:
        """[w 0 b], a row for each output.

        A SAB may show [h; c], with c = h - ĥ: as w_h h + w_c c = (w_h + w_c) h - w_c ĥ, rows [-w_c 0 0] lie behind.
        """
        w, cell = torch.atleast_2d(parameters["w"]), self.network.cell
        parts, rows = w.split(cell.hidden_size, 1), len(w)
        readout = w.new_zeros(len(parts) * rows, cell.hidden_size + cell.input_size + 1)
        readout[:rows, : cell.hidden_size] = sum(parts)
        if len(parts) > 1:
            readout[rows:, : cell.hidden_size] = -parts[1]
        if self.network.readout_bias:
            readout[:rows, -1] = parameters["b"]
        return readout

    def _readout_weights(self, gradient: Tensor) -> Tensor:
        """The gradient at w, of that at `_readout`."""
        at_weights = gradient[:, : self.network.cell.hidden_size]
        if not self.cell.reads_context:
            return at_weights
        of_h, of_filtered = at_weights.chunk(2)
        return torch.cat([of_h, of_h - of_filtered], 1)

    def _targets(self, targets: Tensor) -> Tensor:
        """Targets as C++ reads them."""
        if self.network.loss != "cross_entropy":
            self._check(targets=targets)
            return targets.contiguous()
        last, (lowest, highest) = self.network.outputs - 1, map(int, targets.aminmax())
        require(lowest >= 0 and highest <= last, "targets", f"classes from 0 to {last}", f"{lowest} to {highest}")
        return targets.long().contiguous()

    def _check(self, **tensors: Tensor) -> None:
        (dtype,) = self.dtypes
        for name, tensor in tensors.items():
            right = tensor.dtype == dtype and tensor.device.type == "cpu"
            require(right, name, f"{str(dtype)[6:]} on the CPU", f"{tensor.dtype} on {tensor.device}")

    def _aligned_workspace(self, library: ctypes.CDLL, time: int) -> int:
        size = library.workspace_bytes(time) + 64
        if len(self._workspace) < size:
            self._workspace = torch.empty(size, dtype=torch.uint8)
        return -(-self._workspace.data_ptr() // 64) * 64


def _pointer(tensor: Tensor | None) -> int | None:
    return None if tensor is None else tensor.data_ptr()
