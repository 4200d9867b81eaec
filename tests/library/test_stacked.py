"""Models that are differentiated together against the same models one by one."""

import pytest
import torch

from learnability.cells import CELLS
from learnability.core.errors import InputError
from learnability.networks.network import Network
from learnability.tasks import build_task
from learnability.training.engines import AutogradEngine, StackedEngine
from learnability.training.updates import train_models_for_updates

TASKS = {
    "sum": {"name": "delayed_sum", "input_size": 2, "duration": 9, "lags": [2], "coefficients": [1.0], "noise_sd": 0.1},
    "symbols": {"name": "denoise", "delay": 3, "symbols": 2, "alphabet": 3},
    "recall": {"name": "recall", "duration": 7, "pairs": 2, "keys": 3, "values": 3},
}
ARCHITECTURES = {
    "rnn": {"cell": "rnn"},
    "lstm": {"cell": "lstm", "gate_init": 0.3},
    "exp_rnn": {"cell": "exp_rnn"},
    "goru": {"cell": "goru", "gate_init": 0.5},
    "rel_rnn": {"cell": "rel_rnn", "mix": "mean"},
    "sab": {"cell": "sab", "gate_init": 0.5},
}


def models_and_data(architecture, task, models=3):
    """A network, parameters of several models away from their start, and a batch for each, in float64."""
    source = build_task(TASKS[task], root_seed=1, seed=0)
    network = Network.for_task(ARCHITECTURES[architecture], source, hidden_size=4, readout_bias=True)
    generator = torch.Generator().manual_seed(1)
    parameters = [network.initial_parameters(1, seed) for seed in range(models)]
    parameters = [
        {name: p + 0.1 * torch.randn(p.shape, generator=generator) for name, p in model.items()} for model in parameters
    ]
    data = [source.generate(f"batch {place}", 5) for place in range(models)]
    x, y = (torch.stack([torch.from_numpy(getattr(batch, part)) for batch in data]) for part in ("inputs", "targets"))
    masks = None if data[0].mask is None else torch.stack([torch.from_numpy(batch.mask) for batch in data])
    return network, parameters, (x.double(), y if network.loss == "cross_entropy" else y.double(), masks)


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_each_model_has_the_loss_and_gradient_that_it_has_alone(architecture, task):
    """Alone it can catch a cell or a loss that mixes models, or counts targets that do not count."""
    network, models, (x, y, masks) = models_and_data(architecture, task)
    together, alone = ([{name: p.clone() for name, p in model.items()} for model in models] for _ in range(2))
    losses = StackedEngine(network, together).losses_and_gradients(x, y, masks)
    expected, _ = AutogradEngine(network, alone).losses_and_states(x, y, masks)
    torch.testing.assert_close(losses, expected)
    for stacked_model, reference in zip(together, alone, strict=True):
        for name, parameter in stacked_model.items():
            torch.testing.assert_close(parameter.grad, reference[name].grad, msg=name)


def test_a_model_that_diverges_leaves_the_others_as_they_are():
    """Alone it can catch that numbers of one model reach another through the stack or the optimisers."""
    network, models, _ = models_and_data("lstm", "sum")
    models[1]["w"] = models[1]["w"] * torch.nan
    settings = [{"method": "adam", "learning_rate": rate} for rate in (0.01, 0.02, 0.03)]

    def train_models(places):
        batches = (models_and_data("lstm", "sum")[2] for _ in range(4))
        selection = ((x[places].float(), y[places].float(), None) for x, y, _ in batches)
        subset = [[part[place] for place in places] for part in (models, settings)]
        return train_models_for_updates(network, subset[0], selection, subset[1], 1.0, StackedEngine, [0, 2, 4])

    first, second, third = train_models([0, 1, 2])
    assert (list(first), list(second), list(third)) == ([0, 2, 4], [0], [0, 2, 4])
    for model, expected in zip((first, third), train_models([0, 2]), strict=True):
        for name, parameter in expected[4].items():
            torch.testing.assert_close(model[4][name], parameter, msg=name)
    assert not torch.equal(first[4]["w"], first[0]["w"])


def test_random_steps_are_refused():
    network = Network(CELLS["lstm"](2, 3, 0.5, h_detach=0.5))
    with pytest.raises(InputError, match="random steps"):
        StackedEngine(network, [network.initial_parameters(0, 0)])
