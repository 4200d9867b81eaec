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
from studies.gated.exhibit import Asked, Exhibit, Trained, statements
from studies.gated.learned import by_seed, curve_of, last_loss, shares_of

TABLES = QUESTION.tables
SAME, OWN = "trained without", "own"
"""With which weights noise is measured: the same for all kinds of dropout, or those that were trained with each."""
NOISE = ("state", "change", "gradient")


def make(asked: Asked) -> Exhibit:
    """Losses, noise and learned shares of networks that are trained with each kind of dropout, and without.

    Settings: `sequences` on which noise, committees and single units are measured; `draws` of masks; `test_sequences`
    on which shares are measured.
    """
    sequences, draws, tested = (asked.settings[key] for key in ("sequences", "draws", "test_sequences"))
    plain = {each.seed: each.parameters for each in asked.trained if not rate_of(each)}
    losses, noise = [], []
    for each in asked.trained:
        masks = generators(asked.root_seed, each.seed, draws)
        known = _sequences(each, "training", sequences)
        losses.append(_losses(each, _sequences(each, "diagnostic", sequences), masks))
        for weights, parameters in {SAME: plain[each.seed], OWN: each.parameters}.items() if rate_of(each) else ():
            found = noise_of(each.network, parameters, *known, generators(asked.root_seed, each.seed, draws))
            noise.append(each.names | {"kind": kind_of(each), "weights": weights} | found)
    shares = pd.concat([shares_of(each, tested) for each in asked.trained], ignore_index=True)
    curves = pd.concat([curve_of(each, "training", "validation") for each in asked.trained], ignore_index=True)
    tables = dict(zip(TABLES, (pd.DataFrame(losses), pd.DataFrame(noise), shares, curves), strict=True))
    return Exhibit(tables, statements(_stated(tables["dropout_losses"], tables["dropout_noise"])))


def rate_of(trained: Trained) -> float:
    """Share that is dropped."""
    return max(getattr(trained.network.regularization, name) for name in RATES)


def kind_of(trained: Trained) -> str:
    """Which rate it has, or none."""
    return next((name for name in RATES if getattr(trained.network.regularization, name)), "none")


def generators(root_seed: int, seed: int, draws: int) -> list[torch.Generator]:
    """One for each draw of masks, the same ones for every network of a seed."""
    drawn = numpy_generator(root_seed, seed, "masks").integers(2**63, size=draws).tolist()
    return [torch.Generator().manual_seed(each) for each in drawn]


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
    hidden = torch.stack([dropped_hidden_units(network, parameters, inputs, each) for each in masks])
    gradients = []
    for each in masks:
        held = {name: parameter.clone() for name, parameter in parameters.items()}
        AutogradEngine(network, [held]).losses_and_states(inputs[None], targets[None], generators=[each])
        gradients.append(
            torch.cat([parameter.grad.flatten() for parameter in held.values() if parameter.grad is not None])
        )
    measured = hidden[:, :, -1], hidden.diff(dim=2), torch.stack(gradients)
    return {name: relative_noise(each) for name, each in zip(NOISE, measured, strict=True)}


def relative_noise(values: Float[Tensor, "draw ..."]) -> float:
    """Root mean square deviation from the mean over draws, over the root mean square of that mean."""
    mean = values.mean(0)
    return float(values.var(0).sum().sqrt() / mean.square().sum().sqrt())


def _sequences(trained: Trained, split: str, count: int) -> tuple[Tensor, Tensor]:
    drawn = trained.task.generate(split, count)
    return torch.from_numpy(drawn.inputs).double(), torch.from_numpy(drawn.targets).double()


def _losses(trained: Trained, fresh: tuple[Tensor, Tensor], masks: list[torch.Generator]) -> dict[str, object]:
    """Losses at the end of training, the least on the way, of committees, and with single units cut off."""
    network, parameters, (inputs, targets) = trained.network, trained.parameters, fresh

    def loss(hidden: Tensor) -> float:
        return float((network.read_out(parameters, hidden) - targets).square().mean())

    whole = loss(hidden_units(network.cell, parameters, inputs))
    without = [
        loss(hidden_units_without(network.cell, parameters, inputs, unit)) for unit in range(network.cell.hidden_size)
    ]
    drawn = [dropped_hidden_units(network, parameters, inputs, each) for each in masks]
    return trained.names | {
        "kind": kind_of(trained),
        "rate": rate_of(trained),
        "training_loss": last_loss(trained, "training"),
        "validation_loss": last_loss(trained),
        "least_validation_loss": float(trained.curve["validation_loss"].min()),
        "member_loss": float(np.mean([loss(each) for each in drawn])),
        "committee_loss": loss(torch.stack(drawn).mean(0)),
        "largest_reliance": max(without) / whole,
        "mean_reliance": float(np.mean(without)) / whole,
    }


def _stated(losses: pd.DataFrame, noise: pd.DataFrame) -> Iterator[tuple[str, int, float]]:
    """What masks of each step have over masks of each sequence, and what either has over none."""
    of_noise = noise.set_index(["weights", "kind", "seed"])[[*NOISE]].to_dict("index")
    for seed, own in by_seed(losses.set_index("kind")):
        for weights, words in {SAME: "same_weights", OWN: "own_weights"}.items():
            step, sequence = (of_noise[weights, kind, seed] for kind in ("dropout", "variational_dropout"))
            yield from ((f"{name}_noise_{words}", seed, step[name] / sequence[name]) for name in NOISE)
        loss, reliance = own["validation_loss"], own["largest_reliance"]
        yield "step_over_sequence_loss", seed, loss["dropout"] / loss["variational_dropout"]
        yield "overfitting", seed, loss["none"] / own["training_loss"]["none"]
        for kind in RATES:
            yield f"{kind}_loss", seed, loss["none"] / loss[kind]
            yield f"{kind}_reliance", seed, reliance["none"] / reliance[kind]
            yield f"{kind}_committee", seed, own["member_loss"][kind] / own["committee_loss"][kind]
