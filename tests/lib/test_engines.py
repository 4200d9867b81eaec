import pytest
import torch

from learnability.cells import Cell
from learnability.errors import InputError
from learnability.network import Network, run
from learnability.training.engines import ENGINES

FAST = sorted(set(ENGINES) - {"autograd"})


def on(device, dtype, *tensors):
    return [tensor.to(device, dtype, copy=True) for tensor in tensors]


def flat(tensors):
    return torch.cat([tensor.flatten() for tensor in tensors])


def gradient(name, network, parameters, x, y, device="cpu", dtype=torch.float64):
    """Loss and gradients of one call of a new engine."""
    held = dict(zip(parameters, on(device, dtype, *parameters.values()), strict=True))
    loss = ENGINES[name](network, held).loss_and_gradient(*on(device, dtype, x, y))
    return loss, [p.grad for p in held.values()]


def test_the_oracle_gradient_predicts_the_change_of_the_loss(build, architecture, perturbed, normal):
    network = build(architecture, readout_bias=True)
    parameters, x, y = perturbed(network), normal(4, 9, 3), normal(4, 9)
    step = {name: normal(*p.shape) for name, p in parameters.items()}

    def loss(size):
        moved = {name: p + size * step[name] for name, p in parameters.items()}
        return (network.predict(moved, run(network.cell, moved, x)[:, 1:]) - y).square().mean()

    found, gradients = gradient("autograd", network, parameters, x, y)
    slope = sum((g * step[name]).sum() for name, g in zip(parameters, gradients, strict=True))
    assert found.item() == pytest.approx(loss(0).item(), rel=1e-13)
    assert slope.item() == pytest.approx(((loss(1e-5) - loss(-1e-5)) / 2e-5).item(), rel=1e-7)


@pytest.mark.parametrize("engine", FAST)
@pytest.mark.parametrize("hidden", [1, 3, 65])
@pytest.mark.parametrize("sequences", [1, 7])
@pytest.mark.parametrize("time", [1, 16, 17, 37])
def test_every_engine_agrees_with_the_oracle(
    engine, hidden, sequences, time, build, architecture, perturbed, normal, device, assert_near
):
    network = build(architecture, hidden_size=hidden, readout_bias=hidden == 3)
    parameters, x, y = perturbed(network), normal(sequences, time, 3), normal(sequences, time)
    loss, expected = gradient("autograd", network, parameters, x, y)
    found, gradients = gradient(engine, network, parameters, x, y, device)
    assert found.item() == pytest.approx(loss.item(), rel=1e-12)
    assert_near(gradients, expected, 1e-9)
    found, gradients = gradient(engine, network, parameters, x, y, device, torch.float32)
    assert found.item() == pytest.approx(loss.item(), rel=1e-5, abs=1e-6)
    assert_near([flat(gradients)], [flat(expected)], 1e-5)


@pytest.mark.parametrize("engine", FAST)
def test_calls_of_other_shapes_leave_no_trace(engine, network, parameters, normal, device, assert_near):
    # The last batch of an epoch is smaller, and the next epoch starts with a full one.
    (x, y), held = on(device, torch.float64, normal(7, 20, 3), normal(7, 20)), dict(parameters)
    used = ENGINES[engine](network, {name: p.to(device) for name, p in held.items()})
    for sequences, time in ((7, 20), (3, 20), (7, 20), (7, 5), (7, 20)):
        loss = used.loss_and_gradient(x[:sequences, :time], y[:sequences, :time])
        fresh, gradients = gradient(engine, network, held, x[:sequences, :time], y[:sequences, :time], device)
        torch.testing.assert_close(loss, fresh, rtol=1e-13, atol=0)
        assert_near((p.grad for p in used.parameters.values()), gradients, 1e-12)


@pytest.mark.parametrize("engine", ENGINES)
def test_parameters_are_read_afresh_at_each_call(engine, network, parameters, normal, device, assert_near):
    x, y = on(device, torch.float64, normal(3, 8, 3), normal(3, 8))
    used = ENGINES[engine](network, {name: p.to(device) for name, p in parameters.items()})
    used.loss_and_gradient(x, y)
    for p in used.parameters.values():
        p.mul_(0.9)
    loss = used.loss_and_gradient(x, y)
    fresh, gradients = gradient(engine, network, used.parameters, x, y, device)
    torch.testing.assert_close(loss, fresh, rtol=1e-13, atol=0)
    assert_near((p.grad for p in used.parameters.values()), gradients, 1e-12)


@pytest.mark.parametrize("engine", ENGINES)
def test_an_engine_changes_neither_data_nor_parameters(engine, network, parameters, normal, device):
    x, y = on(device, torch.float64, normal(3, 8, 3), normal(3, 8))
    held = {name: p.to(device) for name, p in parameters.items()}
    before = [tensor.clone() for tensor in (x, y, *held.values())]
    ENGINES[engine](network, held).loss_and_gradient(x, y)
    for tensor, copy in zip((x, y, *held.values()), before, strict=True):
        assert torch.equal(tensor, copy)


def test_the_hand_written_engine_refuses_other_cells():
    other = type("Other", (Cell,), dict.fromkeys(Cell.__abstractmethods__))
    with pytest.raises(InputError, match=r"leaky cell\. Got Other"):
        ENGINES["torch"](Network(other(3, 5)), {})
