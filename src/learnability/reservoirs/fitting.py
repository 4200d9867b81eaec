"""The readout of a reservoir fitted to a task, and the network that it then is."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from learnability.cells import Parameters
from learnability.networks.network import Network
from learnability.reservoirs.drawing import draw_reservoir
from learnability.reservoirs.reservoir import Reservoir
from learnability.reservoirs.ridge import choose_readout
from learnability.tasks import Sequences, build_task


class Fitted(NamedTuple):
    """A reservoir with its readout.

    Args:
        network: the same as a network, see `Reservoir.as_network`.
        start: its parameters with the readout that networks start with.
        parameters: its parameters with the readout that was fitted.
        penalty: λ, of those that were asked for, that predicts the validation sequences best.
        training_loss, validation_loss: mean squared errors behind the washout.
    """

    network: Network
    start: Parameters
    parameters: Parameters
    penalty: float
    training_loss: float
    validation_loss: float

    @property
    def curve(self) -> pd.DataFrame:
        """Losses as the learning curve of a network that is trained for one epoch."""
        losses = {"training_loss": [self.training_loss], "validation_loss": [self.validation_loss]}
        return pd.DataFrame({"epoch": [1], **losses})


def fit_run(run: Mapping[str, Any], root_seed: int) -> Fitted:
    """Draw the reservoir of a run and fit its readout to the run's task.

    Args:
        run: its `seed`; its `task`, with numbers of sequences; and its `reservoir`: `units`, further arguments of
            `learnability.reservoirs.draw_reservoir`, and `penalties` and `washout` of `fit_network`.

    Raises:
        InputError: as of these two.
    """
    settings, streams = dict(run["reservoir"]), (root_seed, run["seed"])
    penalties, washout = settings.pop("penalties"), settings.pop("washout")
    task = build_task(run["task"], *streams)
    reservoir = draw_reservoir(settings.pop("units"), task.input_size, *streams, **settings)
    training, validation = (
        task.generate(split, run["task"][f"{split}_sequences"]) for split in ("training", "validation")
    )
    return fit_network(reservoir, training, validation, penalties, washout, *streams)


def fit_network(
    reservoir: Reservoir,
    training: Sequences,
    validation: Sequences,
    penalties: Sequence[float],
    washout: int,
    root_seed: int,
    seed: int,
) -> Fitted:
    """Fit the readout of a reservoir to the targets of training sequences, in one pass.

    Args:
        penalties: λ, of which the one counts that predicts the validation sequences best.
        washout: steps at the start of each sequence that do not count.
        root_seed, seed: name the stream of the readout that networks start with.

    Raises:
        InputError: as `learnability.reservoirs.ridge.choose_readout`.
    """
    splits = [
        (reservoir.states(np.asarray(sequences.inputs, float)), np.asarray(sequences.targets, float))
        for sequences in (training, validation)
    ]
    best, errors, weights, offset = choose_readout(splits[0], splits[1], penalties, washout)
    states, targets = (array[:, washout:] for array in splits[0])
    network, parameters = reservoir.as_network(weights, offset)
    initial = network.initial_parameters(root_seed, seed)
    start = {name: initial[name] if name in ("w", "b") else tensor.clone() for name, tensor in parameters.items()}
    loss = float(((states @ weights + offset - targets) ** 2).mean())
    return Fitted(network, start, parameters, penalties[best], loss, float(errors[best]))
