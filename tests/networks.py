"""What tests ask of networks and the library does not."""

from learnability.cells import Parameters


def cell_parameters(parameters: Parameters) -> Parameters:
    """The parameters without the readout's."""
    return {name: tensor for name, tensor in parameters.items() if name not in ("w", "b")}
