"""Optimisers: their steps are torch's; a rate of its own for what an orthogonal matrix is made of."""

import sys

import numpy as np
import pytest
import torch

from learnability.cells import CELLS
from learnability.core.errors import InputError
from learnability.networks.network import Network
from learnability.tasks import Copy
from learnability.training import Run, TrainingSettings, train
from learnability.training.engines import AutogradEngine
from learnability.training.loop import Checkpoint, _Session
from learnability.training.optimizers import METHODS, build_optimizer

TASK = Copy(4, root_seed=1, seed=0, symbols=2, alphabet=3)
SETTINGS = TrainingSettings("autograd", 3, 5, 1.0, "mean")
TWO_RATES = {"method": "rmsprop", "learning_rate": 0.01, "orthogonal_learning_rate": 0.003}


def run_of(optimizer):
    return Run("a run", optimizer, 1, 0, *(TASK.generate(split, 10) for split in ("training", "validation")))


@pytest.mark.parametrize("architecture", [{"cell": "exp_rnn"}, {"cell": "goru", "gate_init": 0.5}])
def test_two_rates_are_those_of_two_groups_of_torch(architecture, tmp_path):
    network = Network.for_task(architecture, TASK, 4, readout_bias=True)
    (result,) = train(network, SETTINGS, [run_of(TWO_RATES)], tmp_path / "run.pt")
    (member,) = _Session(network, SETTINGS, [run_of(TWO_RATES)], Checkpoint(tmp_path / "x.pt")).members
    p = {name: tensor.clone() for name, tensor in member.parameters.items()}
    (name,) = network.cell.ORTHOGONAL
    groups = [{"params": [tensor for key, tensor in p.items() if key != name]}, {"params": [p[name]], "lr": 0.003}]
    optimizer = torch.optim.RMSprop(groups, lr=0.01)
    for epoch in (1, 2, 3):
        for batch in member.order(epoch).split(5):
            x, y = member.training.inputs[batch], member.training.targets[batch]
            AutogradEngine(network, [p]).losses_and_gradients(x[None], y[None])
            torch.nn.utils.clip_grad_norm_(p.values(), 1.0)
            optimizer.step()
    for key, parameter in p.items():
        torch.testing.assert_close(result.parameters[key], parameter)
    (one_rate,) = train(network, SETTINGS, [run_of({"method": "rmsprop", "learning_rate": 0.01})], tmp_path / "one.pt")
    assert (one_rate.parameters[name] - p[name]).norm() > 0.01


def test_a_training_at_two_rates_goes_on_bit_for_bit(tmp_path):
    network = Network.for_task({"cell": "exp_rnn"}, TASK, 4, readout_bias=True)
    (whole,) = train(network, SETTINGS, [run_of(TWO_RATES)], tmp_path / "whole.pt")
    session = _Session(network, SETTINGS, [run_of(TWO_RATES)], Checkpoint(tmp_path / "part.pt"))

    def stop(rows):
        if rows[0]["epoch"] == 2:
            session._save()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        session.run(stop, lambda: None)
    (again,) = train(network, SETTINGS, [run_of(TWO_RATES)], tmp_path / "part.pt")
    for name, parameter in whole.parameters.items():
        assert torch.equal(again.parameters[name], parameter)


@pytest.mark.parametrize("kind", [cell for cell in CELLS.values() if cell.ORTHOGONAL])
def test_what_is_called_orthogonal_makes_an_orthogonal_matrix(kind, normal):
    cell = kind(3, 8, *([0.5] if kind is CELLS["goru"] else []))
    p = {name: normal(*tensor.shape) for name, tensor in cell.initial_parameters(1, 0).items()}
    U = cell.prepared(p)["U_h"]
    np.testing.assert_allclose(U @ U.mT, np.eye(8), atol=1e-12)
    plain_weights = {name: tensor + 1 for name, tensor in p.items() if name not in cell.ORTHOGONAL}
    assert torch.equal(cell.prepared(p | plain_weights)["U_h"], U)


@pytest.mark.parametrize("method", METHODS)
def test_a_rate_of_what_is_not_there_is_named(method):
    settings = {"method": method, "learning_rate": 0.1, "orthogonal_learning_rate": 0.01}
    message = "'orthogonal_learning_rate' must be left out for a cell that keeps no matrix orthogonal. Got 0.01"
    with pytest.raises(InputError, match=message):
        build_optimizer(settings, {"W": torch.zeros(2)})


TORCHS_OWN = {
    "adam": torch.optim.Adam,
    "adamw": torch.optim.AdamW,
    "rmsprop": torch.optim.RMSprop,
    "sgd": torch.optim.SGD,
}


@pytest.mark.parametrize("method", METHODS)
def test_steps_are_those_of_torch_without_its_compiler(method: str, normal, monkeypatch: pytest.MonkeyPatch) -> None:
    start = normal(3, 2)
    ours, theirs = ({"W": start.clone().requires_grad_()} for _ in range(2))
    settings = {"weight_decay": 0.1} | ({"momentum": 0.9} if method in ("sgd", "rmsprop") else {})
    expected = TORCHS_OWN[method]([theirs["W"]], lr=0.1, **settings)
    gradients = normal(4, 3, 2)
    for gradient in gradients:
        theirs["W"].grad = gradient.clone()
        expected.step()
    monkeypatch.setitem(sys.modules, "torch._dynamo", None)  # to import it is an error
    snapshot = None
    for gradient in gradients:
        optimizer = build_optimizer({"method": method, "learning_rate": 0.1, **settings}, ours)
        optimizer.load_state_dict(snapshot or optimizer.state_dict())
        ours["W"].grad = gradient.clone()
        optimizer.step()
        optimizer.zero_grad()
        snapshot = optimizer.state_dict()
    assert ours["W"].grad is None and torch.equal(ours["W"], theirs["W"])
