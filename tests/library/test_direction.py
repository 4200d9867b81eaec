import math

import pytest
import torch

from learnability.cells import GATED
from learnability.windows.request import direction

ROOT_SEED = 5


def test_w_is_a_unit_vector_over_the_parameters_of_the_cell(network):
    w = direction(network.cell, ROOT_SEED)
    assert {name: p.shape for name, p in w.items()} == {
        name: p.shape for name, p in network.cell.initial_parameters(0, 0).items()
    }
    assert sum(p.square().sum().item() for p in w.values()) == pytest.approx(1, rel=1e-13)


def test_w_is_proportional_on_what_architectures_share(build):
    first, *rest = (direction(build(name).cell, ROOT_SEED) for name in GATED if name != "lstm")
    for w in rest:
        ratio = w["b_h"][0] / first["b_h"][0]
        assert ratio > 0
        for name in ("W_h", "U_h", "b_h"):
            torch.testing.assert_close(w[name], ratio * first[name], rtol=1e-13, atol=0)


@pytest.mark.parametrize("architecture", ["const_gate", "gru"])
def test_w_is_the_same_for_all_models_of_a_study_and_another_in_another(network):
    same_w, w, other_w = (
        direction(network.cell, root_seed)["U_h"] for root_seed in (ROOT_SEED, ROOT_SEED, ROOT_SEED + 1)
    )
    assert torch.equal(same_w, w)
    assert abs((w * other_w).sum() / (w.norm() * other_w.norm())) < 0.9


def test_entries_of_w_have_one_spread_whatever_the_parameter(build):
    w = direction(build("diag_gate", hidden_size=64).cell, ROOT_SEED)
    size = sum(p.numel() for p in w.values())
    for p in w.values():
        assert p.square().mean().item() * size == pytest.approx(1, abs=5 * math.sqrt(2 / p.numel()))


def test_directions_of_other_numbers_are_other_directions(network):
    parts = [
        torch.cat([tensor.ravel() for tensor in direction(network.cell, ROOT_SEED, n).values()]) for n in (0, 1, 0)
    ]
    assert torch.equal(parts[0], parts[2])
    assert abs(float(parts[0] @ parts[1])) < 0.6
    assert float(parts[1].norm()) == pytest.approx(1)
