"""The C++ engine: `native.cpp`, compiled at first use for one network and this processor, then cached."""

import ctypes
import hashlib
import os
import platform
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import torch
from torch import Tensor

from learnability.cells import GRU, LSTM, ConstGate, LeakyCell, Parameters
from learnability.errors import InputError, require
from learnability.network import Network
from learnability.store import writing
from learnability.training.engines.engine import OneByOneEngine, for_cell

SOURCE = Path(__file__).with_suffix(".cpp")
COMPILERS = ("g++", "clang++", "c++")
FLAGS = ("-std=c++17", "-O3", "-march=native", "-shared", "-fPIC", "-Wno-psabi")


PATHS: dict[type, tuple[str, str]] = {LeakyCell: ("Leaky", "hs"), LSTM: ("LSTM", "ifog"), GRU: ("GRU", "zrh")}
"""A cell's name in the source, and its paths in the order of the rows there."""


class NativeEngine(OneByOneEngine):
    """Hand-written BPTT for all five cells in float32 on one core.

    Raises:
        InputError: without a C++ compiler, for another cell, or for tensors that are not float32 on the CPU.
    """

    dtypes, devices = (torch.float32,), ("cpu",)

    def __init__(self, network: Network, models: Sequence[Parameters]) -> None:
        name, paths = for_cell("native", network.cell, PATHS)
        super().__init__(network, models)
        self.cell = network.cell
        gates = self.cell.gate_size if isinstance(self.cell, LeakyCell) else 0
        self._paths = [path for path in paths if path != "s" or gates]
        self._library = load(name, self.cell.hidden_size, self.cell.input_size, gates)
        self._workspace = torch.empty(0, dtype=torch.uint8)

    def _one(self, parameters: Parameters, inputs: Tensor, targets: Tensor) -> Tensor:
        for name, tensor in (("inputs", inputs), ("targets", targets), ("parameters", parameters["w"])):
            right = tensor.dtype == torch.float32 and tensor.device.type == "cpu"
            require(right, name, "float32 on the CPU", f"{tensor.dtype} on {tensor.device}")
        p, cell, paths = parameters, self.cell, self._paths
        matrix = torch.cat([torch.cat([p[f"U_{k}"], p[f"W_{k}"], p[f"b_{k}"][:, None]], 1) for k in paths])
        matrix_gradient, readout_gradient = torch.empty_like(matrix), torch.empty_like(p["w"])
        bias_gradient = torch.empty(())
        sequences, time, _ = inputs.shape
        x, y = inputs.contiguous(), targets.contiguous()  # held until the call returns
        loss = self._library.loss_and_gradient(
            *(sequences, time, _pointer(x), _pointer(y)),
            *(_pointer(matrix), _pointer(p["w"])),
            p["b"].item() if self.network.readout_bias else 0.0,
            cell.gate_value if isinstance(cell, ConstGate) else 0.0,
            *(_pointer(matrix_gradient), _pointer(readout_gradient), _pointer(bias_gradient)),
            self._aligned_workspace(time),
        )
        for k, rows in zip(paths, matrix_gradient.split([len(p[f"b_{k}"]) for k in paths]), strict=True):
            from_states, from_inputs, from_bias = rows.split([cell.hidden_size, cell.input_size, 1], 1)
            p[f"U_{k}"].grad, p[f"W_{k}"].grad, p[f"b_{k}"].grad = from_states, from_inputs, from_bias[:, 0]
        p["w"].grad = readout_gradient
        if self.network.readout_bias:
            p["b"].grad = bias_gradient
        return torch.tensor(loss, dtype=torch.float32)

    def _aligned_workspace(self, time: int) -> int:
        size = self._library.workspace_bytes(time) + 64
        if len(self._workspace) < size:
            self._workspace = torch.empty(size, dtype=torch.uint8)
        return -(-self._workspace.data_ptr() // 64) * 64


def _pointer(tensor: Tensor) -> int:
    return tensor.data_ptr()


def find_compiler() -> str | None:
    """Path of a C++ compiler, or None."""
    return next(filter(None, map(shutil.which, COMPILERS)), None)


@cache
def load(cell: str, hidden: int, inputs: int, gates: int) -> ctypes.CDLL:
    """The library for a cell of these sizes: from the cache, or compiled in about a second.

    The cache's key is the source, the flags, the compiler's version and the processor's features. Its place is
    `$XDG_CACHE_HOME/learnability`, by default `~/.cache/learnability`.

    Raises:
        InputError: without a compiler, or if it fails.
    """
    compiler = find_compiler()
    if compiler is None:
        raise InputError(f"engine 'native' needs a C++ compiler ({', '.join(COMPILERS)}); use engine 'torch'.")
    flags = [*FLAGS, f"-DCELL={cell}", f"-DHIDDEN={hidden}", f"-DINPUT={inputs}", f"-DGATES={gates}"]
    version = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout
    key = "\0".join([SOURCE.read_text(encoding="utf-8"), *flags, version, _processor()])
    folder = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "learnability"
    path = folder / f"{hashlib.sha256(key.encode()).hexdigest()[:24]}.so"
    if not path.exists():
        with writing(path) as temporary:
            command = [compiler, *flags, str(SOURCE), "-o", str(temporary)]
            result = subprocess.run(command, capture_output=True, text=True, check=False)
            if result.returncode:
                raise InputError(f"engine 'native' did not compile with {compiler}: {result.stderr.strip()}")
    library = ctypes.CDLL(str(path))
    number, pointer, real = ctypes.c_int, ctypes.c_void_p, ctypes.c_float
    library.workspace_bytes.argtypes, library.workspace_bytes.restype = [number], ctypes.c_long
    library.loss_and_gradient.argtypes = [number, number, *[pointer] * 4, real, real, *[pointer] * 4]
    library.loss_and_gradient.restype = ctypes.c_double
    return library


def _processor() -> str:
    """What `-march=native` hangs on."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line for line in lines if line.startswith(("flags", "Features"))), platform.processor())
