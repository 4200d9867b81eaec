"""Starts and steps of recipes, against networks as public code has them."""

import numpy as np
import pytest
import torch
from scipy.stats import ks_2samp

from learnability.cells import IRNN, RNN
from learnability.core.errors import InputError
from learnability.networks.network import Network
from learnability.networks.starts import Start
from learnability.training.engines import ENGINES
from learnability.training.optimizers import build_optimizer
from public_code import Backtracking, Exponential, Gated, Model, Recurrent, with_readout

INPUTS, UNITS, CLASSES = 11, 32, 9
READOUT = {"readout": "xavier", "readout_bias": "linear"}
ALIGNMENT = {"alignment": "linear", "alignment_vector": "xavier"}
GATED_START = {"gates": "xavier", "bias": "linear"} | READOUT
ROTATION = {"recurrent": "half_turns", "bias": "linear"} | READOUT
SCREENING = {"mix": "mean", "short_term": 4, "relevant": 3}
MODRELU = {"input": "kaiming", "modrelu": "small"} | ROTATION
EXPONENTIAL = {"input": "kaiming", "recurrent": "turns", "bias": "zeros", "modrelu": "small"}
EXPONENTIAL |= {"readout": "kaiming", "readout_bias": "zeros"}
SAB = {
    "gates": "units",
    "bias": "units",
    "alignment_vector": "hundredth",
    "readout": "linear",
    "readout_bias": "linear",
}
RECIPES = {
    "rel_rnn": (
        {"cell": "rel_rnn", **SCREENING, "start": {"input": "xavier"} | ROTATION | ALIGNMENT},
        lambda: with_readout(Recurrent(INPUTS, UNITS, "tanh", "xavier", 4, 3), UNITS, CLASSES),
    ),
    "rel_rnn_modrelu": (
        {"cell": "rel_rnn", "nonlinearity": "modrelu", **SCREENING, "start": MODRELU | ALIGNMENT},
        lambda: with_readout(Recurrent(INPUTS, UNITS, "modrelu", "kaiming", 4, 3), UNITS, CLASSES),
    ),
    "orth_rnn": (
        {"cell": "orth_rnn", "start": MODRELU},
        lambda: with_readout(Recurrent(INPUTS, UNITS, "modrelu", "kaiming"), UNITS, CLASSES),
    ),
    "lstm": (
        {"cell": "lstm", "gate_init": 0.5, "start": GATED_START},
        lambda: with_readout(Gated(INPUTS, UNITS), UNITS, CLASSES),
    ),
    "rel_lstm": (
        {"cell": "rel_lstm", "gate_init": 0.5, **SCREENING, "start": GATED_START | ALIGNMENT},
        lambda: with_readout(Gated(INPUTS, UNITS, 4, 3), UNITS, CLASSES),
    ),
    "sab": (
        {"cell": "sab", "gate_init": 0.5, "top_k": 3, "truncation": 5, "readout_from": "both", "start": SAB},
        lambda: Model(Backtracking(INPUTS, UNITS, 3, 5), CLASSES, 2 * UNITS),
    ),
    "exp_rnn": ({"cell": "exp_rnn", "start": EXPONENTIAL}, lambda: Exponential(INPUTS, UNITS, CLASSES)),
}
EXEMPT = {"sab": ("W_a", "U_a")}
"""Parameters that the public code has in another form: their start is not its own."""


def build(settings):
    return Network.build(settings, INPUTS, UNITS, True, CLASSES, "cross_entropy")


@pytest.mark.parametrize("name", RECIPES)
def test_a_start_is_that_of_the_public_code(name):
    settings, transcription = RECIPES[name]
    network = build(settings)
    torch.manual_seed(0), np.random.seed(0)
    theirs = [transcription().named() for _ in range(12)]
    ours = [network.initial_parameters(1, seed) for seed in range(12)]
    assert set(ours[0]) == set(theirs[0])
    for parameter in set(ours[0]) - {*EXEMPT.get(name, ())}:
        assert ours[0][parameter].shape == theirs[0][parameter].shape
        our_values, their_values = (
            torch.stack([run[parameter].detach().double() for run in runs]) for runs in (ours, theirs)
        )
        if parameter in ("U_h", "A_h") and "recurrent" in settings["start"]:
            our_values, their_values = (angles(values, parameter) for values in (our_values, their_values))
        assert ks_2samp(our_values.flatten(), their_values.flatten()).pvalue > 1e-3, parameter
        assert abs(our_values.std() / their_values.std() - 1 if their_values.std() else our_values.std()) < 0.2, (
            parameter
        )
        assert our_values.abs().max() < 1.6 * their_values.abs().max() + 1e-12, parameter


def angles(matrices, name):
    """Angles that turn pairs of units; all other entries are 0."""
    first = torch.arange(0, UNITS, 2)
    entries = matrices[:, first, first + 1]
    if name == "U_h":
        assert torch.allclose(matrices @ matrices.mT, torch.eye(UNITS).double(), atol=1e-5)
        entries = torch.atan2(entries, matrices[:, first, first])
    rest = matrices.clone()
    for rows, columns in ((first, first), (first, first + 1), (first + 1, first), (first + 1, first + 1)):
        rest[:, rows, columns] = 0
    assert rest.abs().max() < 1e-6
    return entries


OPTIMIZERS = {
    "rmsprop": ({"method": "rmsprop", "learning_rate": 0.001}, lambda p: torch.optim.RMSprop(p, lr=1e-3, alpha=0.99)),
    "adam": ({"method": "adam", "learning_rate": 0.001}, lambda p: torch.optim.Adam(p, lr=1e-3)),
}


@pytest.mark.parametrize("name", ["rel_rnn", "rel_rnn_modrelu", "orth_rnn", "lstm", "rel_lstm", "sab"])
def test_a_step_of_training_is_that_of_plain_torch(name, normal):
    settings, transcription = RECIPES[name]
    network, model = build(settings), transcription().double()
    parameters = {key: 2 * tensor for key, tensor in network.initial_parameters(1, 0).items()}
    with torch.no_grad():
        for key, parameter in model.named().items():
            parameter.copy_(parameters[key])
        if name == "sab":
            model.rnn.lstm1.bias_ih.copy_(torch.cat([parameters[f"b_{path}"] for path in "ifgo"]))
            model.rnn.lstm1.bias_hh.zero_()
            model.rnn.lstm1.bias_hh.requires_grad_(False)  # two biases where there is one here
    x, y = normal(5, 30, INPUTS), torch.randint(CLASSES, (5, 30), generator=torch.Generator().manual_seed(1))
    options, make = OPTIMIZERS["adam" if name == "sab" else "rmsprop"]
    leaves = [leaf for leaf in model.parameters() if leaf.requires_grad]
    theirs, ours = make(leaves), build_optimizer(options, parameters)
    for _ in range(2):
        theirs.zero_grad()
        torch.nn.functional.cross_entropy(model(x).flatten(0, 1), y.flatten()).backward()
        norm = torch.nn.utils.clip_grad_norm_(leaves, 0.1)
        ENGINES["autograd"](network, [parameters]).losses_and_gradients(x[None], y[None])
        our_norm = torch.nn.utils.clip_grad_norm_(parameters.values(), 0.1)
        assert norm > 0.1
        torch.testing.assert_close(our_norm, norm, rtol=1e-9, atol=0)
        theirs.step(), ours.step()
    for key, parameter in model.named().items():
        torch.testing.assert_close(parameters[key], parameter.detach(), rtol=1e-7, atol=1e-9)


def test_a_cell_of_another_family_starts_by_the_roles_that_it_names():
    class Own(IRNN):
        @property
        def roles(self):
            return {"input": ["W_h"], "recurrent": ["U_h"]}

    start = Start(input="xavier", recurrent="turns")
    own_start, rnn = (Network(cell(INPUTS, UNITS), True, start=start).initial_parameters(1, 0) for cell in (Own, RNN))
    for name in ("W_h", "U_h"):
        torch.testing.assert_close(own_start[name], rnn[name], rtol=0, atol=0)
    with pytest.raises(InputError, match="given for readout, readout_bias alone"):
        Network(IRNN(INPUTS, UNITS), True, start=start)


@pytest.mark.parametrize("start", ["linear", "units", "small", "zeros"])
def test_the_bias_of_one_prediction_is_a_number(start):
    network = Network(RNN(3, 4), True, start=Start(readout_bias=start))
    assert network.initial_parameters(0, 0)["b"].shape == ()


def test_what_a_start_leaves_open_is_the_cells():
    start = {"cell": "rel_rnn", "start": {"bias": "linear"}}
    plain, with_start = build({"cell": "rel_rnn"}).initial_parameters(1, 0), build(start).initial_parameters(1, 0)
    assert list(plain) == list(with_start)
    assert [name for name in plain if not torch.equal(plain[name], with_start[name])] == ["b_h"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"cell": "rnn", "start": {"gates": "xavier"}}, "'start' must be given for input"),
        ({"cell": "rnn", "start": {"modrelu": "small"}}, "'start' must be given for input"),
        ({"cell": "rnn", "start": {"input": "small"}}, "'start.input' must be one of xavier"),
        ({"cell": "rnn", "start": {"inputs": "xavier"}}, "'role of start' must be one of input"),
    ],
)
def test_wrong_starts_are_named(settings, message):
    with pytest.raises(InputError, match=message):
        build(settings)
