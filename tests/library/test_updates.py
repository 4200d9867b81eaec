"""Training for a number of updates."""

from itertools import islice

import numpy as np
import pytest
import torch

from learnability.networks.network import Network
from learnability.tasks import DelayedSum
from learnability.training.updates import fresh_batches, repeated_batches, train_for_updates

TASK = DelayedSum(3, 20, [2], [0.8], 0.3, 1, 0)
ADAMW = {"method": "adamw", "learning_rate": 0.01, "weight_decay": 0.1}


@pytest.fixture(params=["const_gate", "lstm"])
def network(request):
    settings = {"const_gate": {"gate_value": 0.7}, "lstm": {"gate_init": 0.5}}[request.param]
    return Network.build({"cell": request.param, **settings}, 3, 5, False)


def test_updates_are_those_of_torch(network):
    initial, batches = (
        network.initial_parameters(1, 0),
        list(repeated_batches(TASK.generate("training", 5), 2, 7, 1, 0)),
    )
    snapshots = train_for_updates(network, initial, batches, ADAMW, 0.1, "autograd", [0, 3, 7])
    leaves = {name: p.float().clone().requires_grad_() for name, p in initial.items()}
    optimizer = torch.optim.AdamW(leaves.values(), lr=0.01, weight_decay=0.1)
    for update, (x, y) in enumerate(batches, 1):
        state, losses = network.cell.initial_state(x[:, 0]), []
        for t in range(x.shape[1]):
            state = network.cell.step(leaves, state, x[:, t])
            losses.append((network.predict(leaves, state) - y[:, t]).square())
        optimizer.zero_grad()
        torch.stack(losses).mean().backward()
        torch.nn.utils.clip_grad_norm_(leaves.values(), 0.1)
        optimizer.step()
        if update in snapshots:
            for name, parameter in leaves.items():
                torch.testing.assert_close(snapshots[update][name], parameter.detach(), rtol=1e-4, atol=1e-6)
    assert list(snapshots) == [0, 3, 7]
    assert all((snapshots[0][name] == p.float()).all() for name, p in initial.items())


def test_every_pass_shows_every_sequence_once():
    sequences = TASK.generate("training", 5)
    batches = list(repeated_batches(sequences, 2, 6, 1, 0))
    assert [len(x) for x, _ in batches] == [2, 2, 1, 2, 2, 1]
    for start in (0, 3):
        targets = np.concatenate([y.numpy() for _, y in batches[start : start + 3]])
        assert sorted(map(tuple, targets)) == sorted(map(tuple, sequences.targets))
    assert not torch.equal(batches[0][1], batches[3][1])
    again = list(repeated_batches(sequences, 2, 6, 1, 0))
    assert all(torch.equal(y, y_again) for (_, y), (_, y_again) in zip(batches, again, strict=True))


def test_few_sequences_are_all_in_every_batch():
    assert [len(x) for x, _ in repeated_batches(TASK.generate("training", 3), 8, 2, 1, 0)] == [3, 3]


def test_fresh_sequences_are_never_shown_twice(monkeypatch):
    monkeypatch.setattr("learnability.training.updates.FRESH", 6)
    batches = list(fresh_batches(TASK, 2, 5))
    assert [len(x) for x, _ in batches] == [2] * 5
    targets = np.concatenate([y.numpy() for _, y in batches])
    training = TASK.generate("training", 10).targets
    assert len({tuple(y) for y in np.concatenate([targets, training])}) == 20


def test_what_diverges_ends_there(network, caplog):
    batches = islice(fresh_batches(TASK, 2, 3), 3)
    broken = ((x, y * (np.inf if number else 1)) for number, (x, y) in enumerate(batches))
    snapshots = train_for_updates(network, network.initial_parameters(1, 0), broken, ADAMW, 1.0, "autograd", [1, 3])
    assert list(snapshots) == [1]
    assert "diverged at update 2" in caplog.text
