"""Dropout of a recurrence (Sec. 7.1): how noisy states and gradients become, and what it does for validation loss.

The noise of what varies with the masks is its root mean square deviation from its mean over masks, over the root mean
square of this mean: of h_T, of h_t - h_{t-1}, and of ∂L/∂θ.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd
import torch
from jaxtyping import Float
from torch import Tensor

from learnability.cells import Parameters
from learnability.core.streams import numpy_generator
from learnability.networks.dropped import dropped_hidden_units, hidden_units_without
from learnability.networks.network import Network, hidden_units
from learnability.networks.regularization import RATES
from learnability.training.engines import AutogradEngine
from studies.gated.dropout.question import QUESTION
from studies.gated.exhibit import Exhibit, ExhibitRequest, Trained, statements
from studies.gated.learned import by_seed, curve_of, last_loss, shares_of

TABLES = QUESTION.tables
SAME_WEIGHTS, OWN_WEIGHTS = "trained without", "own"
"""Weights with which noise is measured: the same for all kinds of dropout, or trained with each kind."""
NOISE = ("state", "change", "gradient")


def make(request: ExhibitRequest) -> Exhibit:
    """Losses, noise and learned shares of networks that are trained with each kind of dropout, and without.

    Settings: `sequences` on which noise, committees and single units are measured; `draws` of masks; `test_sequences`
    on which shares are measured.
    """
    sequences, draws, test_sequences = (request.settings[key] for key in ("sequences", "draws", "test_sequences"))
    plain = {model.seed: model.parameters for model in request.trained if not rate_of(model)}
    losses, noise = [], []
    for model in request.trained:
        masks = generators(request.root_seed, model.seed, draws)
        batch = _sequences(model, "training", sequences)
        losses.append(_losses(model, _sequences(model, "diagnostic", sequences), masks))
        for weights, parameters in (
            {SAME_WEIGHTS: plain[model.seed], OWN_WEIGHTS: model.parameters}.items() if rate_of(model) else ()
        ):
            values = noise_of(model.network, parameters, *batch, generators(request.root_seed, model.seed, draws))
            noise.append(model.names | {"kind": kind_of(model), "weights": weights} | values)
    shares = pd.concat([shares_of(model, test_sequences) for model in request.trained], ignore_index=True)
    curves = pd.concat([curve_of(model, "training", "validation") for model in request.trained], ignore_index=True)
    tables = dict(zip(TABLES, (pd.DataFrame(losses), pd.DataFrame(noise), shares, curves), strict=True))
    return Exhibit(tables, statements(_statements(tables["dropout_losses"], tables["dropout_noise"])))


def rate_of(model: Trained) -> float:
    """Share that is dropped."""
    return max(getattr(model.network.regularization, name) for name in RATES)


def kind_of(model: Trained) -> str:
    """Kind of dropout that a network is trained with, or `none`."""
    return next((name for name in RATES if getattr(model.network.regularization, name)), "none")


def generators(root_seed: int, seed: int, draws: int) -> list[torch.Generator]:
    """Return a generator for each draw of masks, the same for every network of a seed."""
    mask_seeds = numpy_generator(root_seed, seed, "masks").integers(2**63, size=draws).tolist()
    return [torch.Generator().manual_seed(mask_seed) for mask_seed in mask_seeds]


def noise_of(
    network: Network,
    parameters: Parameters,
    inputs: Float[Tensor, "sequence time input"],
    targets: Float[Tensor, "sequence time"],
    masks: list[torch.Generator],
) -> dict[str, float]:
    """Noise of the `state` h_T, of its `change` h_t - h_{t-1}, and of the `gradient` of the loss on all sequences.

    Args:
        masks: a generator for each draw, two at least.
    """
    hidden = torch.stack([dropped_hidden_units(network, parameters, inputs, mask) for mask in masks])
    gradients = []
    for mask in masks:
        leaves = {name: parameter.clone() for name, parameter in parameters.items()}
        AutogradEngine(network, [leaves]).losses_and_states(inputs[None], targets[None], generators=[mask])
        gradients.append(
            torch.cat([parameter.grad.flatten() for parameter in leaves.values() if parameter.grad is not None])
        )
    draws = hidden[:, :, -1], hidden.diff(dim=2), torch.stack(gradients)
    return {name: relative_noise(values) for name, values in zip(NOISE, draws, strict=True)}


def relative_noise(values: Float[Tensor, "draw ..."]) -> float:
    """Root mean square deviation from the mean over draws, over the root mean square of that mean."""
    mean = values.mean(0)
    return float(values.var(0).sum().sqrt() / mean.square().sum().sqrt())


def _sequences(model: Trained, split: str, count: int) -> tuple[Tensor, Tensor]:
    sequences = model.task.generate(split, count)
    return torch.from_numpy(sequences.inputs).double(), torch.from_numpy(sequences.targets).double()


def _losses(model: Trained, fresh: tuple[Tensor, Tensor], masks: list[torch.Generator]) -> dict[str, object]:
    """Losses at the end of training, the least on the way, of committees, and with single units cut off."""
    network, parameters, (inputs, targets) = model.network, model.parameters, fresh

    def loss(hidden: Tensor) -> float:
        return float((network.read_out(parameters, hidden) - targets).square().mean())

    whole = loss(hidden_units(network.cell, parameters, inputs))
    without = [
        loss(hidden_units_without(network.cell, parameters, inputs, unit)) for unit in range(network.cell.hidden_size)
    ]
    draws = [dropped_hidden_units(network, parameters, inputs, mask) for mask in masks]
    return model.names | {
        "kind": kind_of(model),
        "rate": rate_of(model),
        "training_loss": last_loss(model, "training"),
        "validation_loss": last_loss(model),
        "least_validation_loss": float(model.curve["validation_loss"].min()),
        "member_loss": float(np.mean([loss(states) for states in draws])),
        "committee_loss": loss(torch.stack(draws).mean(0)),
        "largest_reliance": max(without) / whole,
        "mean_reliance": float(np.mean(without)) / whole,
    }


def _statements(losses: pd.DataFrame, noise: pd.DataFrame) -> Iterator[tuple[str, int, float]]:
    """Ratios of masks of each step to masks of each sequence, and of no masks to either."""
    of_noise = noise.set_index(["weights", "kind", "seed"])[[*NOISE]].to_dict("index")
    for seed, rows in by_seed(losses.set_index("kind")):
        for weights, words in {SAME_WEIGHTS: "same_weights", OWN_WEIGHTS: "own_weights"}.items():
            step, sequence = (of_noise[weights, kind, seed] for kind in ("dropout", "variational_dropout"))
            yield from ((f"{name}_noise_{words}", seed, step[name] / sequence[name]) for name in NOISE)
        loss, reliance = rows["validation_loss"], rows["largest_reliance"]
        yield "step_over_sequence_loss", seed, loss["dropout"] / loss["variational_dropout"]
        yield "overfitting", seed, loss["none"] / rows["training_loss"]["none"]
        for kind in RATES:
            yield f"{kind}_loss", seed, loss["none"] / loss[kind]
            yield f"{kind}_reliance", seed, reliance["none"] / reliance[kind]
            yield f"{kind}_committee", seed, rows["member_loss"][kind] / rows["committee_loss"][kind]
