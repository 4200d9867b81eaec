"""Networks on their own outputs, against a loop of equations."""

import pytest
import torch

from learnability.core.errors import InputError
from learnability.networks.generation import generate
from learnability.networks.network import Network

LSTM = {"cell": "lstm", "gate_init": 0.4, "layers": 2}


@pytest.mark.parametrize(("outputs", "size"), [(0, 1), (1, 1), (3, 3)])
@pytest.mark.parametrize(
    "architecture", [{"cell": "rnn"}, LSTM, {"cell": "mem_rnn"}], ids=lambda settings: settings["cell"]
)
def test_a_free_run_is_fed_what_it_said(architecture, outputs, size, perturbed, normal):
    network = Network.build(architecture, size, 4, True, outputs)
    p, series = perturbed(network), normal(2, 9, size)
    teacher_forced, free = generate(network, p, series, warm_up=4)
    for sequence in range(2):
        for values, feeds_back in ((teacher_forced, False), (free, True)):
            state, output = network.cell.initial_state(series[:1, 0]), None
            for t in range(9):
                x = output if feeds_back and t >= 4 else series[sequence, t]
                state = network.cell.step(p, state, x[None])
                output = (p["w"] @ network.cell.output(state)[0] + p["b"]).reshape(size)
                torch.testing.assert_close(values[sequence, t], output, rtol=1e-12, atol=1e-13)


def test_they_part_when_the_warm_up_ends(perturbed, normal):
    network = Network.build({"cell": "gru", "gate_init": 0.5}, 3, 6, False, 3)
    p, series = perturbed(network), normal(5, 12, 3)
    teacher_forced, free = generate(network, p, series, warm_up=7)
    apart = (teacher_forced - free).abs().amax((0, 2))
    assert (apart[:7] < 1e-14).all()
    assert (apart[7:] > 1e-3).all()
    torch.testing.assert_close(*generate(network, p, series, warm_up=12), rtol=1e-13, atol=1e-14)


def test_a_series_that_the_network_makes_itself_is_continued_exactly(perturbed, normal):
    network = Network.build({"cell": "rnn"}, 2, 6, True, 2)
    p = perturbed(network)
    start = normal(1, 20, 2)
    outputs = generate(network, p, start, warm_up=1).free
    own_series = torch.cat([start[:, :1], outputs[:, :-1]], 1)
    teacher_forced, again = generate(network, p, own_series, warm_up=3)
    torch.testing.assert_close(teacher_forced, again, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize(
    ("settings", "warm_up", "message"),
    [
        ((3, 4, False, 2), 3, r"^'network' must be one that predicts as many numbers as its 3 inputs\. Got '2 outputs"),
        ((3, 4, False, 0), 3, "as its 3 inputs. Got '1 outputs with the loss squared_error'"),
        ((3, 4, False, 3, "cross_entropy"), 3, "Got '3 outputs with the loss cross_entropy'"),
        ((3, 4, False, 3), 0, r"^'warm_up' must be from 1 to the 5 steps of the series\. Got 0"),
        ((3, 4, False, 3), 6, "^'warm_up' must be .* Got 6"),
    ],
)
def test_what_cannot_run_on_its_own_is_named(settings, warm_up, message, normal):
    network = Network.build({"cell": "rnn"}, *settings)
    with pytest.raises(InputError, match=message):
        generate(network, network.initial_parameters(0, 0), normal(2, 5, 3), warm_up)
