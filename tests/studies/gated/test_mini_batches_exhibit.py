"""Mini-batches: gradients against one backward pass, variance and bias against exact averages, figure and sentences."""

from itertools import product

import numpy as np
import pytest
import torch

from layout import assert_landscape
from learnability.core.errors import InputError
from learnability.networks.network import Network, hidden_units
from learnability.report.style import Style
from learnability.tasks import DelayedSum
from studies.gated.exhibit import ExhibitRequest
from studies.gated.mini_batches import measure as mini_batches
from studies.gated.mini_batches.figure import draw
from studies.gated.mini_batches.measure import EPOCHS, UPDATES, bias_of, distances_of, gradients_of, slope_of
from studies.gated.mini_batches.numbers import numbers

TASK = {"input_size": 1, "duration": 8, "lags": [2], "coefficients": [0.8], "noise_sd": 0.3}
SETTINGS = {
    "task": TASK,
    "hidden_size": 3,
    "sequences": 8,
    "batch_sizes": [1, 2, 8],
    "draws": 200,
    "learning_rates": [0.003, 0.01, 0.03],
    "epochs": 2,
    "updates": 8,
}
STYLE = Style((), {}, {}, width_mm=175, font_size=7)


def test_the_mean_of_gradients_is_that_of_the_mean_loss():
    task = DelayedSum(**TASK, root_seed=1, seed=0)
    network = Network.for_task({"cell": "gru", "gate_init": 0.5}, task, 3)
    sequences, parameters = task.generate("training", 5), network.initial_parameters(1, 0)
    leaves = {name: value.clone().requires_grad_() for name, value in parameters.items()}
    hidden = hidden_units(network.cell, leaves, torch.from_numpy(sequences.inputs).double())
    loss = (network.read_out(leaves, hidden) - torch.from_numpy(sequences.targets).double()).square().mean()
    expected = torch.cat([gradient.flatten() for gradient in torch.autograd.grad(loss, list(leaves.values()))])
    np.testing.assert_allclose(gradients_of(network, parameters, sequences).mean(0), expected, atol=1e-14)


def test_the_variance_of_a_batch_is_its_exact_average_over_all_batches():
    gradients = np.random.default_rng(0).standard_normal((4, 3)) + 1
    whole = gradients.mean(0)
    squares = [((gradients[list(batch)].mean(0) - whole) ** 2).sum() for batch in product(range(4), repeat=2)]
    distances = distances_of(gradients, 2, 20_000, np.random.default_rng(1))
    assert distances.mean() == pytest.approx(np.mean(squares) / (whole**2).sum(), rel=0.03)
    assert np.mean(squares) == pytest.approx(((gradients - whole) ** 2).sum(1).mean() / 2)  # σ²/B


def test_batches_of_an_epoch_have_no_bias():
    gradients = np.random.default_rng(0).standard_normal((12, 5))
    assert max(bias_of(gradients, size, np.random.default_rng(2)) for size in (1, 3, 12)) < 1e-14


def test_a_power_law_has_its_power_as_slope():
    sizes = np.array([1.0, 4, 16])
    np.testing.assert_allclose(slope_of(sizes, np.stack([3 / sizes, sizes**-0.5])), [-1, -0.5])


def test_noise_falls_as_expected(exhibit):
    noise = exhibit.tables["batch_noise"]
    np.testing.assert_allclose(noise["variance"], noise["expected"], rtol=0.3)
    slopes = exhibit.tables["batch_slopes"]
    assert ((slopes["slope_low"] < -1) & (slopes["slope_high"] > -1)).all() and (noise["bias"] < 1e-12).all()


def test_losses_are_compared_at_as_many_sequences_and_as_many_updates(exhibit):
    losses = exhibit.tables["batch_losses"].set_index(["compared", "seed", "batch_size"]).sort_index()
    assert losses.loc[EPOCHS, "epoch"].unique().tolist() == [2]
    assert losses.loc[UPDATES, "updates"].unique().tolist() == [8]
    assert losses.loc[(UPDATES, 3), "epoch"].to_dict() == {1: 1, 2: 2, 8: 8}
    curves = exhibit.tables["batch_curves"]
    rows = curves.query("seed == 3 and batch_size == 8 and updates == 8")
    assert losses.loc[(UPDATES, 3, 8), "loss"] == rows["loss"].min() and len(rows) == 3
    assert losses.loc[(UPDATES, 3, 8), "rate"] == rows.loc[rows["loss"].idxmin(), "rate"]


@pytest.mark.parametrize(("name", "value"), [("batch_sizes", [1, 3, 8]), ("batch_sizes", [1, 2, 4]), ("updates", 6)])
def test_sizes_that_do_not_fill_an_epoch_are_refused(name, value):
    with pytest.raises(InputError, match=f"'mini_batches.{name}' must be"):
        mini_batches.make(ExhibitRequest(SETTINGS | {name: value}, [0], 1))


def test_the_figure_is_complete_and_landscape(exhibit, tmp_path):
    assert_landscape(draw(exhibit.tables, STYLE), tmp_path)


def test_numbers_are_medians_by_batch_size(exhibit):
    page = numbers(exhibit.tables, {})
    assert page["power"]["slope"] == exhibit.tables["batch_slopes"]["slope"].median()
    losses = exhibit.tables["batch_losses"].query("compared == @UPDATES and batch_size == 8")["loss"]
    assert page["equal_updates"]["loss"][8] == losses.median()
    assert page["full"] == 8 and page["bias"] < 1e-12
