"""What tests ask of networks and the library does not."""

from learnability.cells import CELLS, LeakyCell, Parameters

LAYER_NORM = [f"{name}_layer_norm" for name, cell in CELLS.items() if issubclass(cell, LeakyCell)]
"""Cells with layer norm, for the fixture `build`."""


def cell_parameters(parameters: Parameters) -> Parameters:
    """The parameters without the readout's."""
    return {name: tensor for name, tensor in parameters.items() if name not in ("w", "b")}
