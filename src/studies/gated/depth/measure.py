"""Stacked LSTMs (Sec. 6): how far back each layer sees, and over how many steps its own recurrence carries a gradient.

The context of a layer is the mean lag of what its last state takes from the input,

    Σ_ℓ ℓ ‖∂h_T/∂x_{T-ℓ}‖² / Σ_ℓ ‖∂h_T/∂x_{T-ℓ}‖²,

and its time scale τ that of ‖∂h_T/∂s_{T-ℓ}‖ ∝ e^{-ℓ/τ} along its own recurrence, the layers below held.

Stacks have equal numbers of parameters, as nearly as whole units allow, and each is shown at the learning rate, of
those that it was trained at, with the lowest validation loss; losses are then compared on sequences that had no
part in it.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
import torch

from learnability.cells import Parameters
from learnability.core.errors import require
from learnability.networks.frozen import Frozen
from learnability.networks.layers import input_sensitivities, own_transport
from learnability.networks.losses import LOSSES
from learnability.networks.network import hidden_units
from learnability.stats.fits import fit_line
from studies.gated.depth.question import QUESTION
from studies.gated.exhibit import Asked, Exhibit, Trained, statements
from studies.gated.learned import at_best_rates, by_seed, compare_rates, last_loss, rate_of, shares_of

TABLES = QUESTION.tables
START, END = "start", "trained"


def make(asked: Asked) -> Exhibit:
    """Contexts and time scales of layers at initialisation and after training; losses and learned shares.

    Settings: `sequences` of measurements, `test_sequences` on which shares and losses are measured, `lags` that are
    shown, and over which time scales are fitted.

    Raises:
        InputError: if two architectures have the same number of layers, for tables tell stacks apart by it.
    """
    sequences, tested, lags = (asked.settings[key] for key in ("sequences", "test_sequences", "lags"))
    depths = {each.architecture: depth_of(each) for each in asked.trained}
    require(len(set(depths.values())) == len(depths), "architectures: layers", "another number in each", depths)
    profiles, layers, trained = [], [], at_best_rates(asked.trained)
    for each in trained:
        start = each.network.initial_parameters(asked.root_seed, each.seed)
        for moment, parameters in {START: start, END: each.parameters}.items():
            profile, of_layers = measure_layers(each, parameters, sequences, lags)
            profiles.append(profile.assign(moment=moment))
            layers.append(of_layers.assign(moment=moment))
    losses = pd.DataFrame([_loss(each, tested) for each in trained])
    shares = pd.concat([shares_of(each, tested) for each in trained], ignore_index=True)
    measured = (pd.concat(rows, ignore_index=True) for rows in (layers, profiles))
    parts = *measured, losses, shares, compare_rates(asked.trained)
    return Exhibit(dict(zip(TABLES, parts, strict=True)), statements(_stated(parts[0], losses)))


def depth_of(trained: Trained) -> int:
    """L."""
    return len(trained.network.cell.layered(trained.parameters))


def measure_layers(
    trained: Trained, parameters: Parameters, sequences: int, lags: Sequence[int]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """What each layer sees, by lag and as numbers.

    Args:
        lags: ℓ, below T.

    Returns:
        A row for each `layer`, from 1 on, and `lag`: `sensitivity` to the input and `transport`; and for each layer its
        `context` and `time_scale`, steps, ∞ where transport does not decay.
    """
    inputs = torch.from_numpy(trained.task.generate("diagnostic", sequences).inputs).double()
    seen = np.asarray(input_sensitivities(trained.network.cell, parameters, inputs).detach())
    carried = np.asarray(own_transport(trained.network.cell, parameters, inputs))
    profiles, layers = [], []
    for layer, (sensitivity, transport) in enumerate(zip(seen, carried, strict=True), 1):
        names = trained.names | {"layers": len(seen), "layer": layer}
        for lag in lags:
            profiles.append(names | {"lag": lag, "sensitivity": sensitivity[lag], "transport": transport[lag]})
        slope = fit_line(np.array(lags), np.log(transport[lags])).slope
        numbers = {"context": np.average(np.arange(len(sensitivity)), weights=sensitivity**2)}
        layers.append(names | numbers | {"time_scale": -1 / slope if slope < 0 else np.inf})
    return pd.DataFrame(profiles), pd.DataFrame(layers)


def _loss(trained: Trained, sequences: int) -> dict[str, object]:
    sizes = {"layers": depth_of(trained), "parameters": trained.network.count_parameters()}
    losses = {"validation_loss": last_loss(trained), "test_loss": loss_on_others(trained, sequences)}
    return trained.names | {"rate": rate_of(trained)} | sizes | losses


def loss_on_others(trained: Trained, sequences: int) -> float:
    """The mean loss on sequences that neither training nor the choice of the rate has seen."""
    drawn = Frozen.of(trained.network, trained.parameters, trained.task.generate("test", sequences))
    hidden = hidden_units(trained.network.cell, trained.parameters, drawn.inputs.double())
    predicted = trained.network.read_out(trained.parameters, hidden)
    return float(LOSSES[trained.network.loss].each(predicted, drawn.targets).mean())


def _stated(layers: pd.DataFrame, losses: pd.DataFrame) -> Iterator[tuple[str, int, float]]:
    """Of the uppermost over the lowest layer of each stack, and of one layer over all that there are."""
    for seed, rows in by_seed(layers):
        stacked = rows[rows["layers"] > 1]
        for depth in sorted(stacked["layers"].unique().tolist()):
            for moment in (START, END):
                own = stacked[(stacked["layers"] == depth) & (stacked["moment"] == moment)].set_index("layer")
                for name in ("context", "time_scale"):
                    yield f"{name}_{depth}_layers_{moment}", seed, own[name][depth] / own[name][1]
            trained = stacked[(stacked["layers"] == depth) & (stacked["moment"] == END)]["context"]
            yield f"levels_{depth}_layers", seed, float(trained.max() / trained.min())
        loss = losses[losses["seed"] == seed].set_index("layers")["test_loss"]
        yield from ((f"one_layer_over_{depth}", seed, loss[1] / loss[depth]) for depth in loss.index if depth > 1)
