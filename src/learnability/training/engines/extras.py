"""Demands on an engine beyond the mean over all targets and gradients over the whole sequence."""

from learnability.networks.network import Network


def extras(network: Network, truncation: int, masked: bool) -> tuple[str, ...]:
    """Names of the demands of a training, in words."""
    demands = {
        "masks": masked,
        "truncation": truncation > 0,
        "random steps": network.cell.is_noisy,
        "regularization": bool(network.regularization),
    }
    return tuple(name for name, is_needed in demands.items() if is_needed)
