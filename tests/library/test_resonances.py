"""Resonances are eigenvalues of the mean Jacobian, and a comb of them is what solves a delayed sum."""

from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest
import torch

from learnability.core.errors import InputError
from learnability.networks.frozen import Frozen
from learnability.networks.network import Network, run
from learnability.tasks import Copy, DelayedSum
from learnability.windows.resonances import comb_loss, harmonic, mean_jacobian, measure_resonances, resonances

TASK = DelayedSum(3, 200, [8, 16, 40], [0.6, 0.5, 0.2], 0.3, root_seed=1, seed=2)
P = 8


def sequences(count):
    return [torch.from_numpy(each) for each in TASK.generate("diagnostic", count)[:2]]


def rotations(*resonant):
    """A ConstGate with weights that make its Jacobian at 0 turn by so many cycles in P steps, and keep so much."""
    size, gate = 2 * len(resonant), 0.4
    network = Network.build({"cell": "const_gate", "gate_value": gate}, 3, size, readout_bias=False)
    blocks = []
    for cycles, kept in resonant:
        angle = 2 * np.pi * cycles / P
        turned = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
        blocks.append(kept ** (1 / P) * torch.tensor(turned, dtype=torch.float64))
    mixing = (torch.block_diag(*blocks) - (1 - gate) * torch.eye(size, dtype=torch.float64)) / gate
    parameters = {name: torch.zeros_like(each) for name, each in network.initial_parameters(1, 1).items()}
    x, y = sequences(2)
    return Frozen(network, parameters | {"U_h": mixing}, x, y.double())


def test_the_mean_jacobian_is_the_mean_of_the_derivatives_of_single_steps(network, parameters):
    x = sequences(2)[0][:, :70].double()
    cell, total = network.cell, 0
    states = run(cell, parameters, x)
    for state, inputs in zip(states[:, :-1].flatten(0, 1), x.flatten(0, 1), strict=True):
        total = total + torch.autograd.functional.jacobian(partial(cell.step, parameters, inputs=inputs), state)
    found = mean_jacobian(Frozen(network, parameters, x, torch.zeros(2, 70)))
    torch.testing.assert_close(found, total / (2 * 70))


def test_a_rotation_is_a_resonance_at_its_frequency():
    found = resonances(rotations((1, 0.9), (2.5, 0.3)))
    np.testing.assert_allclose(found["frequency"] * P, [1, 2.5])
    np.testing.assert_allclose(found["modulus"] ** P, [0.9, 0.3])


def test_what_lasts_and_lies_at_a_whole_number_is_a_harmonic():
    frozen = rotations((0, 0.8), (1.05, 0.9), (1, 0.7), (2, 0.45), (2.2, 0.9), (4, 0.6))
    tables = measure_resonances(frozen, {0: frozen.parameters, 3: frozen.parameters}, TASK)
    spectrum = tables["resonances"].query("epoch == 3")
    assert spectrum["harmonic"].dropna().unique().tolist() == [0, 1, 4]
    row = tables["harmonics"].set_index("epoch").loc[3]
    assert row[["period", "possible", "carried", "beside"]].tolist() == [P, 5, 3, 1]
    assert row["comb_loss"] == comb_loss(TASK, 3)


def test_a_harmonic_beside_is_counted_as_one_at_its_place():
    spectrum = pd.DataFrame({"frequency": [2.25 / P, 2.0 / P, 4.25 / P], "modulus": 1.0})
    assert harmonic(spectrum, P).tolist()[1] == 2 and harmonic(spectrum, P).isna().tolist() == [True, False, True]
    assert harmonic(spectrum, P, 0.25).isna().tolist() == [False, True, False]


def test_the_loss_of_the_best_comb_is_that_of_its_predictions():
    x, y = TASK.generate("diagnostic", 400)[:2]
    projection = x @ TASK.direction

    def error(gain, ratio):
        predicted = np.zeros_like(projection)
        for tooth in range(1, TASK.duration // P + 1):
            predicted[:, P * tooth :] += gain * ratio**tooth * projection[:, : -P * tooth]
        return np.mean((y - predicted) ** 2)

    least = min(error(gain, ratio) for gain in np.linspace(0.6, 1.1, 11) for ratio in np.linspace(0.5, 0.9, 17))
    assert comb_loss(TASK, 5) == pytest.approx(least, rel=0.02)
    assert comb_loss(TASK, 0) == pytest.approx(np.mean(y**2), rel=0.02)


@pytest.mark.parametrize("period", [7, 8])
def test_each_pair_takes_the_same_part_and_all_of_them_the_whole(period):
    task = replace(TASK, lags=[period, 3 * period], coefficients=[0.6, 0.5])
    steps = -np.diff([comb_loss(task, carried) for carried in range(period // 2 + 2)])
    parts = [1 if 2 * k in (0, period) else 2 for k in range(period // 2 + 1)]
    assert sum(parts) == period
    np.testing.assert_allclose(steps / steps[0], parts)


def test_another_task_has_no_harmonics():
    frozen = rotations((1, 0.9))
    with pytest.raises(InputError, match="'task' must be a DelayedSum"):
        measure_resonances(frozen, {0: frozen.parameters}, Copy(4, root_seed=1, seed=0))
