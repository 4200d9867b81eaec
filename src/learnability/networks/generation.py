"""Networks that predict the next value of a series: teacher forcing, and free running on what they said themselves.

teacher forcing      ŷ_t of x_1, …, x_t                                       Williams and Zipser 1989
free running         x̂_t = x_t up to the warm-up, and then x̂_{t+1} = ŷ_t;      ŷ_t of x̂_1, …, x̂_t
"""

from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from learnability.cells import Parameters
from learnability.core.errors import require
from learnability.networks.network import Network, hidden_units


class Generated(NamedTuple):
    """Predictions ŷ_1, …, ŷ_T of x_2, …, x_{T+1}, which are the same until the warm-up ends.

    Args:
        forced: by teacher forcing.
        free: free running.
    """

    forced: Float[Tensor, "sequence time value"]
    free: Float[Tensor, "sequence time value"]


def generate(
    network: Network, parameters: Parameters, series: Float[Tensor, "sequence time value"], warm_up: int
) -> Generated:
    """Run a network on a series, and on its own outputs beside that, in the precision of the series.

    Args:
        series: x_1, …, x_T.
        warm_up: how many values both are given, so that the state fits the series.

    Raises:
        InputError: for a network whose outputs are not as many as its inputs, or are scores of classes; or a warm-up
            outside [1, T].
    """
    size, time = network.cell.input_size, series.shape[1]
    are_inputs = network.loss == "squared_error" and (network.outputs or 1) == size
    description = f"{network.outputs or 1} outputs with the loss {network.loss}"
    require(are_inputs, "network", f"one that predicts as many numbers as its {size} inputs", description)
    require(1 <= warm_up <= time, "warm_up", f"from 1 to the {time} steps of the series", warm_up)
    cell = network.cell
    with torch.no_grad():
        teacher_forced = _values(network, parameters, hidden_units(cell, parameters, series))
        p, state = cell.prepared(parameters), cell.initial_state(series[:, 0])
        free: list[Tensor] = []
        for t in range(time):
            x = series[:, t] if t < warm_up else free[-1]
            state = cell.step(p, state, x)
            free.append(_values(network, parameters, cell.output(state)))
    return Generated(teacher_forced, torch.stack(free, 1))


def _values(network: Network, parameters: Parameters, hidden: Tensor) -> Tensor:
    """ŷ, with an axis of values where it is a number."""
    predictions = network.read_out(parameters, hidden)
    return predictions if network.outputs else predictions[..., None]
