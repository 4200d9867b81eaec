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
from studies.gated.exhibit import Exhibit, ExhibitRequest, Trained, statements
from studies.gated.learned import at_best_rates, by_seed, compare_rates, last_loss, rate_of, shares_of

TABLES = QUESTION.tables
START, END = "start", "trained"


def make(request: ExhibitRequest) -> Exhibit:
    """Contexts and time scales of layers at initialisation and after training; losses and learned shares.

    Settings: `sequences` of measurements, `test_sequences` on which shares and losses are measured, `lags` that are
    shown, and over which time scales are fitted.

    Raises:
        InputError: if two architectures have the same number of layers, for tables tell stacks apart by it.
    """
    sequences, test_sequences, lags = (request.settings[key] for key in ("sequences", "test_sequences", "lags"))
    depths = {model.architecture: depth_of(model) for model in request.trained}
    require(len(set(depths.values())) == len(depths), "architectures: layers", "another number in each", depths)
    profiles, layers, models = [], [], at_best_rates(request.trained)
    for model in models:
        start = model.network.initial_parameters(request.root_seed, model.seed)
        for moment, parameters in {START: start, END: model.parameters}.items():
            profile, of_layers = measure_layers(model, parameters, sequences, lags)
            profiles.append(profile.assign(moment=moment))
            layers.append(of_layers.assign(moment=moment))
    losses = pd.DataFrame([_loss(model, test_sequences) for model in models])
    shares = pd.concat([shares_of(model, test_sequences) for model in models], ignore_index=True)
    frames = (pd.concat(rows, ignore_index=True) for rows in (layers, profiles))
    parts = *frames, losses, shares, compare_rates(request.trained)
    return Exhibit(dict(zip(TABLES, parts, strict=True)), statements(_statements(parts[0], losses)))


def depth_of(model: Trained) -> int:
    """L, the number of layers."""
    return len(model.network.cell.layered(model.parameters))


def measure_layers(
    model: Trained, parameters: Parameters, sequences: int, lags: Sequence[int]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Sensitivity and transport of each layer by lag, and the numbers that sum them up.

    Args:
        lags: ℓ, below T.

    Returns:
        A row for each `layer`, from 1 on, and `lag`: `sensitivity` to the input and `transport`; and for each layer its
        `context` and `time_scale`, steps, ∞ where transport does not decay.
    """
    inputs = torch.from_numpy(model.task.generate("diagnostic", sequences).inputs).double()
    sensitivities = np.asarray(input_sensitivities(model.network.cell, parameters, inputs).detach())
    transports = np.asarray(own_transport(model.network.cell, parameters, inputs))
    profiles, layers = [], []
    for layer, (sensitivity, transport) in enumerate(zip(sensitivities, transports, strict=True), 1):
        names = model.names | {"layers": len(sensitivities), "layer": layer}
        for lag in lags:
            profiles.append(names | {"lag": lag, "sensitivity": sensitivity[lag], "transport": transport[lag]})
        slope = fit_line(np.array(lags), np.log(transport[lags])).slope
        numbers = {"context": np.average(np.arange(len(sensitivity)), weights=sensitivity**2)}
        layers.append(names | numbers | {"time_scale": -1 / slope if slope < 0 else np.inf})
    return pd.DataFrame(profiles), pd.DataFrame(layers)


def _loss(model: Trained, sequences: int) -> dict[str, object]:
    sizes = {"layers": depth_of(model), "parameters": model.network.count_parameters()}
    losses = {"validation_loss": last_loss(model), "test_loss": loss_on_others(model, sequences)}
    return model.names | {"rate": rate_of(model)} | sizes | losses


def loss_on_others(model: Trained, sequences: int) -> float:
    """The mean loss on sequences that neither training nor the choice of the rate has seen."""
    frozen = Frozen.of(model.network, model.parameters, model.task.generate("test", sequences))
    hidden = hidden_units(model.network.cell, model.parameters, frozen.inputs.double())
    predictions = model.network.read_out(model.parameters, hidden)
    return float(LOSSES[model.network.loss].each(predictions, frozen.targets).mean())


def _statements(layers: pd.DataFrame, losses: pd.DataFrame) -> Iterator[tuple[str, int, float]]:
    """Ratios of the uppermost to the lowest layer of each stack, and of the loss of one layer to those of more."""
    for seed, rows in by_seed(layers):
        stacks = rows[rows["layers"] > 1]
        for depth in sorted(stacks["layers"].unique().tolist()):
            for moment in (START, END):
                by_layer = stacks[(stacks["layers"] == depth) & (stacks["moment"] == moment)].set_index("layer")
                for name in ("context", "time_scale"):
                    yield f"{name}_{depth}_layers_{moment}", seed, by_layer[name][depth] / by_layer[name][1]
            contexts = stacks[(stacks["layers"] == depth) & (stacks["moment"] == END)]["context"]
            yield f"levels_{depth}_layers", seed, float(contexts.max() / contexts.min())
        loss = losses[losses["seed"] == seed].set_index("layers")["test_loss"]
        yield from ((f"one_layer_over_{depth}", seed, loss[1] / loss[depth]) for depth in loss.index if depth > 1)
