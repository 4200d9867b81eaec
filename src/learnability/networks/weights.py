"""Weights as safetensors, with the settings that made them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load_file, save

from learnability.cells import Parameters
from learnability.core.store import reading, writing


def write_weights(parameters: Parameters, path: str | Path, settings: Mapping[str, Any]) -> None:
    """Write safetensors with the settings that made them."""
    with writing(path) as temporary:
        # `save_file` would let nobody but the owner read it, not even colleagues on a cluster
        temporary.write_bytes(save(dict(parameters), {"settings": json.dumps(settings, sort_keys=True)}))


def read_weights(path: str | Path) -> Parameters:
    """Read safetensors as float64."""
    with reading(path, "a safetensors file", SafetensorError):
        return {name: tensor.double() for name, tensor in load_file(path).items()}


def write_snapshots(snapshots: Mapping[int, Parameters], path: str | Path, settings: Mapping[str, Any]) -> None:
    """Write parameters by epoch, tensor `W_h` of epoch 20 as `epoch_20.W_h`."""
    tensors = {f"epoch_{epoch}.{name}": tensor for epoch, ps in snapshots.items() for name, tensor in ps.items()}
    write_weights(tensors, path, settings)


def read_snapshots(path: str | Path) -> dict[int, Parameters]:
    """Read parameters by epoch, from initialisation (0) on."""
    snapshots: dict[int, Parameters] = {}
    with reading(path, "a safetensors file with tensors `epoch_N.name`"):
        for key, tensor in read_weights(path).items():
            epoch, name = key.removeprefix("epoch_").split(".")
            snapshots.setdefault(int(epoch), {})[name] = tensor
    return dict(sorted(snapshots.items()))
