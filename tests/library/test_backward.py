"""Gradients at earlier steps against differences of the loss, and the cost of a gradient against arithmetic."""

import numpy as np
import pytest
import torch

from learnability.cells import ATTENTIVE, PLAIN, SAB
from learnability.cells.cell import Cell
from learnability.cells.memory import BLOCK
from learnability.core.errors import InputError
from learnability.networks.backward import hidden_gradient_norms, step_costs
from learnability.networks.network import Network
from learnability.tasks import Denoise

UNITS = 4
TASK = Denoise(4, root_seed=1, seed=0, symbols=2, alphabet=3)
GATED_CELLS = ("lstm", "gru", "goru", "mem_lstm", "rel_lstm", "sab")
SETTINGS = {name: {"gate_init": 0.4} for name in GATED_CELLS} | {"sab": {"gate_init": 0.4, "truncation": 0}}
NAMES = ["lstm", "gru", *PLAIN, *ATTENTIVE]


def build(name, units=UNITS):
    return Network.for_task({"cell": name} | SETTINGS.get(name, {}), TASK, units, readout_bias=False)


def data(count=3):
    sequences = TASK.generate("test", count)
    return torch.from_numpy(sequences.inputs).double(), torch.from_numpy(sequences.targets)


class Moved:
    """A cell whose h_t is moved at one step, where it is made: `Cell.recurrent` has no part in that."""

    def __init__(self, cell, at):
        self.cell, self.at = cell, at

    def base_step(self, step, direction):
        """The step of the recurrence that a cell attends with, or of a cell without attention."""
        calls = iter(range(100))

        def moved_step(base, p, state, inputs):
            after = step(base, p, state, inputs)
            return after + base.as_state(direction.expand(len(inputs), UNITS)) if next(calls) == self.at else after

        return moved_step

    def last(self, p, before, state, direction):
        """Move h_t of SAB, which is made last: in the state, and in the memory where it is stored."""
        base = state.base + self.cell.base.as_state(direction.expand(len(state.base), UNITS))
        h, is_stored = base[:, :UNITS], int(state.steps) % self.cell.store_every == 0
        return state._replace(base=base, memory=before.memory.add(h, h @ p["U_a"].mT) if is_stored else state.memory)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("at", [0, 3, 4])
def test_norms_are_those_of_differences_of_the_loss(name, at, monkeypatch):
    network, (x, y) = build(name), data()
    cell, theta = network.cell, network.initial_parameters(0, 0)
    norms = hidden_gradient_norms(network, theta, x, y)[:, at]
    moved_cell, base = Moved(cell, at), type(getattr(cell, "base", cell))
    step = base.step

    def losses(direction):
        if not isinstance(cell, SAB):
            monkeypatch.setattr(base, "step", moved_cell.base_step(step, direction))
        h, state, p = [], cell.initial_state(x[:, 0]), cell.prepared(theta)
        for t, x_t in enumerate(x.unbind(1)):
            before, state = state, cell.step(p, state, x_t)
            if isinstance(cell, SAB) and t == at:
                state = moved_cell.last(p, before, state, direction)
            h.append(cell.output(state))
        scores = network.read_out(theta, torch.stack(h, 1))
        return torch.nn.functional.cross_entropy(scores.movedim(-1, 1), y, reduction="none").mean(1)

    small = 1e-6 * torch.eye(UNITS, dtype=torch.float64)
    slopes = torch.stack([(losses(direction) - losses(-direction)) / 2e-6 for direction in small], 1)
    torch.testing.assert_close(norms, slopes.norm(dim=1), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_the_recurrent_part_of_a_state_has_the_hidden_units_first(name, normal):
    cell = build(name).cell
    x = normal(2, TASK.input_size)
    state = cell.step(cell.prepared(cell.initial_parameters(0, 0)), cell.initial_state(x), x)
    assert torch.equal(cell.recurrent(state)[:, :UNITS], cell.output(state))


class Linear(Cell):
    """h_t = h_{t-1} ∘ v + x_t: its backward pass needs h_{t-1} at each step, and v."""

    def initial_parameters(self, root_seed, seed):
        return {"v": torch.full((self.hidden_size,), 0.5, dtype=torch.float64)}

    def step(self, parameters, state, inputs):
        return state * parameters["v"] + inputs


def test_what_is_kept_is_what_the_backward_pass_needs():
    network = Network(Linear(5, 5), False, 0, "squared_error")
    theta = network.initial_parameters(0, 0)
    batches = [(torch.zeros(3, steps, 5).double(), torch.zeros(3, steps).double()) for steps in (4, 8, 16)]
    costs = step_costs(network, theta, batches, repeats=1)
    assert [cost.steps for cost in costs] == [4, 8, 16]
    states, stacks, errors = (np.array([steps * 3 * width * 8 for steps in (4, 8, 16)]) for width in (5, 5, 1))
    np.testing.assert_array_equal([cost.kept for cost in costs], states + stacks + errors)
    assert all(cost.seconds > 0 for cost in costs)
    peaks = [cost.peak for cost in costs]
    assert peaks == sorted(peaks) and peaks[0] >= 0


@pytest.mark.parametrize("name", ["rnn", "rel_rnn", "mem_rnn"])
def test_full_attention_keeps_the_square_of_t_and_screening_does_not(name):
    network = build(name)
    theta = network.initial_parameters(0, 0)
    batches = []
    for steps in range(4 * BLOCK, 8 * BLOCK, BLOCK):
        sequences = Denoise(steps - 4, root_seed=1, seed=0, symbols=2, alphabet=3).generate("test", 2)
        batches.append((torch.from_numpy(sequences.inputs).double(), torch.from_numpy(sequences.targets)))
    slopes = np.diff([cost.kept for cost in step_costs(network, theta, batches, repeats=1)])
    bends = np.diff(slopes)
    assert bends == pytest.approx(bends.mean(), rel=0.1, abs=1e-3 * slopes[0])
    assert (bends.mean() > 0.1 * slopes[0]) == (name == "mem_rnn")


def test_losses_that_do_not_count_have_no_gradient():
    network, (x, y) = build("rnn"), data()
    theta, mask = network.initial_parameters(0, 0), torch.zeros(y.shape, dtype=torch.bool)
    mask[:, 4] = True
    norms = hidden_gradient_norms(network, theta, x, y, mask)
    assert (norms[:, 5:] == 0).all() and (norms[:, :5] > 0).all()
    cut = hidden_gradient_norms(network, theta, x[:, :5], y[:, :5], mask[:, :5])
    torch.testing.assert_close(norms[:, :5], cut)


def test_batches_are_in_the_order_of_their_length():
    network = build("rnn")
    batch = data()
    with pytest.raises(InputError, match="'batches' must be of increasing T"):
        step_costs(network, network.initial_parameters(0, 0), [batch, batch], repeats=1)
