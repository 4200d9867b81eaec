"""The C++ engine: `native.cpp`, compiled at first use for one network and this processor, then cached."""

import ctypes
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import torch
from torch import Tensor

from learnability.cells import Parameters, lacked_cell
from learnability.cells.native import ADDITIONS, FORMS, NativeCell
from learnability.core.compiled import find_compiler
from learnability.core.errors import require
from learnability.networks.network import Network
from learnability.training.engines.engine import OneByOneEngine

SOURCE = Path(__file__).with_suffix(".cpp")


class NativeEngine(OneByOneEngine):
    """Hand-written BPTT for all five cells in float32 on one core.

    Raises:
        InputError: without a C++ compiler, for another cell, or for tensors that are not float32 on the CPU.
    """

    dtypes, devices = (torch.float32,), ("cpu",)

    @classmethod
    def lacks(cls, network: Network, extras: Sequence[str] = ()) -> str:
        lacked = lacked_cell(network.cell, FORMS, ADDITIONS)
        if lacked:
            return f"the cell {lacked}"
        return super().lacks(network, extras) if find_compiler() else "a C++ compiler"

    def __init__(self, network: Network, models: Sequence[Parameters]) -> None:
        self.cell = NativeCell(network.cell)
        super().__init__(network, models)
        self._wide = self._load()
        self._workspace = torch.empty(0, dtype=torch.uint8)

    @cached_property
    def _narrow(self) -> ctypes.CDLL:
        return self._load(NARROW="1")

    def _load(self, **constants: str) -> ctypes.CDLL:
        library = self.cell.load(SOURCE, **constants)
        number, pointer, real = ctypes.c_int, ctypes.c_void_p, ctypes.c_float
        library.workspace_bytes.argtypes, library.workspace_bytes.restype = [number], ctypes.c_long
        library.loss_and_gradient.argtypes = [number, number, *[pointer] * 4, real, real, *[pointer] * 4]
        library.loss_and_gradient.restype = ctypes.c_double
        library.states.argtypes = [number, number, pointer, pointer, real, pointer, pointer]
        library.states.restype = None
        return library

    def _library(self, sequences: int) -> ctypes.CDLL:
        """Tiles half as wide, which take less time, where one of them holds the whole batch."""
        return self._wide if 2 * sequences > self._wide.tile() else self._narrow

    def states(self, inputs: Tensor) -> Tensor:
        models, sequences, time, _ = inputs.shape
        library = self._library(sequences)
        found = torch.empty(models, sequences, time + 1, self.network.cell.state_size)
        for parameters, each, states in zip(self.models, inputs, found, strict=True):
            _check(inputs=each, parameters=parameters["w"])
            flat, x = self.cell.flat(parameters), each.contiguous()
            library.states(
                *(sequences, time, _pointer(x), _pointer(flat), self.cell.constant_gate),
                *(_pointer(states), self._aligned_workspace(library, time)),
            )
        return found

    def _one(self, parameters: Parameters, inputs: Tensor, targets: Tensor) -> Tensor:
        _check(inputs=inputs, targets=targets, parameters=parameters["w"])
        p, flat = parameters, self.cell.flat(parameters)
        gradient, readout_gradient = torch.empty_like(flat), torch.empty_like(p["w"])
        bias_gradient = torch.empty(())
        sequences, time, _ = inputs.shape
        library = self._library(sequences)
        x, y = inputs.contiguous(), targets.contiguous()  # held until the call returns
        loss = library.loss_and_gradient(
            *(sequences, time, _pointer(x), _pointer(y)),
            *(_pointer(flat), _pointer(p["w"])),
            p["b"].item() if self.network.readout_bias else 0.0,
            self.cell.constant_gate,
            *(_pointer(gradient), _pointer(readout_gradient), _pointer(bias_gradient)),
            self._aligned_workspace(library, time),
        )
        for name, each in self.cell.named(gradient, p).items():
            p[name].grad = each
        p["w"].grad = readout_gradient
        if self.network.readout_bias:
            p["b"].grad = bias_gradient
        return torch.tensor(loss, dtype=torch.float32)

    def _aligned_workspace(self, library: ctypes.CDLL, time: int) -> int:
        size = library.workspace_bytes(time) + 64
        if len(self._workspace) < size:
            self._workspace = torch.empty(size, dtype=torch.uint8)
        return -(-self._workspace.data_ptr() // 64) * 64


def _check(**tensors: Tensor) -> None:
    for name, tensor in tensors.items():
        right = tensor.dtype == torch.float32 and tensor.device.type == "cpu"
        require(right, name, "float32 on the CPU", f"{tensor.dtype} on {tensor.device}")


def _pointer(tensor: Tensor) -> int:
    return tensor.data_ptr()
