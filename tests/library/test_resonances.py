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
from learnability.windows.harmonics import HALF, harmonic
from learnability.windows.resonances import (
    comb_loss,
    count_harmonics,
    mean_jacobian,
    measure_resonances,
    resonances,
    wrong_periods,
)

TASK = DelayedSum(3, 200, [8, 16, 40], [0.6, 0.5, 0.2], 0.3, root_seed=1, seed=2)
P = 8


def sequences(count):
    return [torch.from_numpy(array) for array in TASK.generate("diagnostic", count)[:2]]


def rotations(*resonant):
    """A ConstGate with weights that make its Jacobian at 0 turn by so many cycles in P steps, and keep so much."""
    size, gate = 2 * len(resonant), 0.4
    network = Network.build({"cell": "const_gate", "gate_value": gate}, 3, size, readout_bias=False)
    blocks = []
    for cycles, gain in resonant:
        angle = 2 * np.pi * cycles / P
        rotation = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
        blocks.append(gain ** (1 / P) * torch.tensor(rotation, dtype=torch.float64))
    mixing = (torch.block_diag(*blocks) - (1 - gate) * torch.eye(size, dtype=torch.float64)) / gate
    parameters = {name: torch.zeros_like(tensor) for name, tensor in network.initial_parameters(1, 1).items()}
    x, y = sequences(2)
    return Frozen(network, parameters | {"U_h": mixing}, x, y.double())


def test_the_mean_jacobian_is_the_mean_of_the_derivatives_of_single_steps(network, parameters):
    x = sequences(2)[0][:, :70].double()
    cell, total = network.cell, 0
    states = run(cell, parameters, x)
    for state, inputs in zip(states[:, :-1].flatten(0, 1), x.flatten(0, 1), strict=True):
        total = total + torch.autograd.functional.jacobian(partial(cell.step, parameters, inputs=inputs), state)
    jacobian = mean_jacobian(Frozen(network, parameters, x, torch.zeros(2, 70)))
    torch.testing.assert_close(jacobian, total / (2 * 70))


def test_a_rotation_is_a_resonance_at_its_frequency():
    modes = resonances(rotations((1, 0.9), (2.5, 0.3)))
    np.testing.assert_allclose(modes["frequency"] * P, [1, 2.5])
    np.testing.assert_allclose(modes["modulus"] ** P, [0.9, 0.3])


def test_what_lasts_and_lies_at_a_whole_number_is_a_harmonic():
    frozen = rotations((0, 0.8), (1.05, 0.9), (1, 0.7), (2, 0.45), (2.2, 0.9), (4, 0.6))
    tables = measure_resonances(frozen, {0: frozen.parameters, 3: frozen.parameters}, TASK)
    spectrum = tables["resonances"].query("epoch == 3")
    assert spectrum["harmonic"].dropna().unique().tolist() == [0, 1, 4]
    row = tables["harmonics"].set_index("epoch").loc[3]
    assert row[["period", "possible", "carried", "places_between", "between", "kept"]].tolist() == [P, 5, 3, 4, 0, 6]
    assert row[["comb_loss", "comb_and_between_loss"]].tolist() == [comb_loss(TASK, 3)] * 2


def spectrum_of(*places, gain=0.9, epoch=0):
    """Resonances at so many cycles in P steps, each keeping so much over P steps."""
    return pd.DataFrame({"epoch": epoch, "frequency": np.array(places) / P, "modulus": gain ** (1 / P)})


def test_resonances_half_way_between_harmonics_and_at_wrong_periods_are_counted_apart():
    """The six are 0, 0.5, 1.5, 3, 3.56 and 4 cycles in 8 steps: three whole and three half."""
    tables = count_harmonics(spectrum_of(0, 0.5, 1.5, 3, 3.56, 4), TASK)
    (row,) = tables["harmonics"].to_dict("records")
    assert (row["carried"], row["between"], row["kept"]) == (3, 3, 6)
    assert row["comb_and_between_loss"] == comb_loss(TASK, 3, 3) < row["comb_loss"] == comb_loss(TASK, 3)
    # cycles in 6 steps: 0, 0.375, 1.125, 2.25, 2.67, 3; in 7: 0, 0.4375, 1.3125, 2.625, 3.115, 3.5;
    # in 9: 0, 0.5625, 1.6875, 3.375, 4.005, 4.5; in 16: 0, 1, 3, 6, 7.12, 8
    wrong = tables["wrong_periods"].set_index("period")
    assert wrong["possible"].to_dict() == {6: 4, 7: 4, 9: 5, 16: 9}
    assert wrong["carried"].to_dict() == {6: 2, 7: 1, 9: 2, 16: 5}


@pytest.mark.parametrize(("gain", "count"), [(0.501, 2), (0.499, 0)])
def test_what_keeps_less_than_half_over_the_lags_divisor_counts_at_no_period(gain, count):
    """Over P steps, at wrong periods too: only places are compared."""
    tables = count_harmonics(spectrum_of(0, 4, gain=gain), TASK)
    assert tables["harmonics"][["carried", "kept"]].to_numpy().tolist() == [[count] * 2]
    assert tables["wrong_periods"].set_index("period").loc[6, "carried"] == count


def test_each_epoch_is_counted_for_itself():
    spectrum = pd.concat([spectrum_of(0, 1), spectrum_of(0.5, epoch=7)])
    tables = count_harmonics(spectrum, TASK)
    assert tables["harmonics"][["epoch", "carried", "between"]].to_numpy().tolist() == [[0, 2, 0], [7, 0, 1]]
    assert tables["wrong_periods"]["epoch"].tolist() == [0] * 4 + [7] * 4


@pytest.mark.parametrize(
    ("period", "expected"), [(1, []), (2, [3, 4]), (4, [3, 5, 8]), (8, [6, 7, 9, 16]), (32, [24, 31, 33, 64])]
)
def test_wrong_periods_are_none_that_divides_the_lags(period, expected):
    assert wrong_periods(period) == expected


def test_a_place_beside_a_harmonic_is_counted_by_the_harmonic_below():
    spectrum = spectrum_of(2.5, 2.0, 3.55, 4.0, -0.5 + 1.0)
    assert harmonic(spectrum, P, P, HALF).tolist()[::2] == [2, 3, 0]
    assert harmonic(spectrum, P, P, HALF).isna().tolist() == [False, True, False, True, False]
    assert harmonic(spectrum, P, P).isna().tolist() == [True, False, True, False, True]
    assert harmonic(spectrum_of(1.09, 1.11), P, P).isna().tolist() == [False, True]


def test_the_loss_of_the_best_comb_is_that_of_its_predictions():
    x, y = TASK.generate("diagnostic", 400)[:2]
    projection = x @ TASK.direction

    def error(gain, ratio):
        prediction = np.zeros_like(projection)
        for tooth in range(1, TASK.duration // P + 1):
            prediction[:, P * tooth :] += gain * ratio**tooth * projection[:, : -P * tooth]
        return np.mean((y - prediction) ** 2)

    least = min(error(gain, ratio) for gain in np.linspace(0.6, 1.1, 11) for ratio in np.linspace(0.5, 0.9, 17))
    assert comb_loss(TASK, 5) == pytest.approx(least, rel=0.02)
    assert comb_loss(TASK, 0) == pytest.approx(np.mean(y**2), rel=0.02)


def test_the_loss_with_all_half_integers_is_that_of_the_best_two_combs():
    """Teeth g r^m + g' (-s)^m, by a search over a grid of r and s and a regression for g and g'."""
    task = replace(TASK, lags=[8, 16, 32], coefficients=[0.6, 0.5, 0.4])
    x, y = task.generate("diagnostic", 400)[:2]
    projection, teeth = x @ task.direction, range(1, task.duration // P + 1)
    shifts = np.zeros((len(teeth), y.size))
    for tooth in teeth:
        shift = np.zeros_like(projection)
        shift[:, P * tooth :] = projection[:, : -P * tooth]
        shifts[tooth - 1] = shift.ravel()
    products, overlaps = shifts @ shifts.T, shifts @ y.ravel()

    def error(plus, minus):
        combs = np.array([[ratio**tooth for tooth in teeth] for ratio in (plus, -minus)])
        gains = np.linalg.solve(combs @ products @ combs.T, combs @ overlaps)
        return (np.sum(y**2) - gains @ combs @ overlaps) / y.size

    least = min(error(plus, minus) for plus in np.linspace(0.3, 0.9, 13) for minus in np.linspace(0.3, 0.95, 14))
    assert comb_loss(task, 5, 4) == pytest.approx(least, rel=0.02)
    assert comb_loss(task, 5, 4) < 0.9 * comb_loss(task, 5)


@pytest.mark.parametrize("period", [7, 8])
def test_each_pair_between_takes_the_same_part(period):
    task = replace(TASK, lags=[period, 2 * period, 4 * period], coefficients=[0.6, 0.5, 0.4])
    steps = -np.diff([comb_loss(task, 2, between) for between in range((period + 1) // 2 + 1)])
    parts = [1 if 2 * k + 1 == period else 2 for k in range((period + 1) // 2)]
    assert sum(parts) == period
    np.testing.assert_allclose(2 * steps / steps[0], parts)


@pytest.mark.parametrize("period", [7, 8])
def test_each_pair_takes_the_same_part_and_all_of_them_the_whole(period):
    task = replace(TASK, lags=[period, 3 * period], coefficients=[0.6, 0.5])
    steps = -np.diff([comb_loss(task, count) for count in range(period // 2 + 2)])
    parts = [1 if 2 * k in (0, period) else 2 for k in range(period // 2 + 1)]
    assert sum(parts) == period
    np.testing.assert_allclose(steps / steps[0], parts)


def test_another_task_has_no_harmonics():
    frozen = rotations((1, 0.9))
    with pytest.raises(InputError, match="'task' must be a DelayedSum"):
        measure_resonances(frozen, {0: frozen.parameters}, Copy(4, root_seed=1, seed=0))
