"""Comparisons in tests of training."""

import torch

from learnability.training import Trained


def assert_identical(first: Trained, second: Trained) -> None:
    assert first.parameters.keys() == second.parameters.keys()
    assert all(torch.equal(p, second.parameters[name]) for name, p in first.parameters.items())
    assert first.snapshots.keys() == second.snapshots.keys()
    for epoch, snapshot in first.snapshots.items():
        assert all(torch.equal(p, second.snapshots[epoch][name]) for name, p in snapshot.items())
    assert first.curve.equals(second.curve)
    assert first.gates.equals(second.gates)
