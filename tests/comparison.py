"""What tests of training compare."""

import torch

from learnability.training import Trained


def assert_identical(one: Trained, other: Trained) -> None:
    assert one.parameters.keys() == other.parameters.keys()
    assert all(torch.equal(p, other.parameters[name]) for name, p in one.parameters.items())
    assert one.snapshots.keys() == other.snapshots.keys()
    for epoch, snapshot in one.snapshots.items():
        assert all(torch.equal(p, other.snapshots[epoch][name]) for name, p in snapshot.items())
    assert one.curve.equals(other.curve)
    assert one.gates.equals(other.gates)
