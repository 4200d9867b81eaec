"""Dropout of recurrences and penalties on hidden units: their laws, and gradients against literal loops."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import torch

from interrupted import interrupt
from learnability.cells import CELLS, IdentityRNN
from learnability.cells.linearization import MASK
from learnability.core.errors import InputError
from learnability.networks.network import Network, hidden_units
from learnability.networks.regularization import RATES, Regularization
from learnability.reinforcement.agent import Agent
from learnability.tasks import DelayedSum
from learnability.training import Run, TrainingSettings, train
from learnability.training.engines import AutogradEngine, choose_engine, extras
from learnability.training.updates import train_for_updates
from networks import Vanilla

EXACT = {"rtol": 1e-12, "atol": 1e-13}
WITHOUT_MATRICES = ("identity_rnn", "min_gru", "min_lstm", "lru", "s4d", "mamba", "mlstm")
DROP_CELLS = [name for name in CELLS if name not in WITHOUT_MATRICES]
ADAM = {"method": "adam", "learning_rate": 0.01}


def build(name, units=4, **settings):
    defaults = {key: 0.4 for key in ("gate_init", "gate_value") if key in CELLS[name].__dataclass_fields__}
    return Network.build({"cell": name} | defaults | settings, 3, units, readout_bias=False)


def generator(seed=5):
    return torch.Generator().manual_seed(seed)


def gradients(network, parameters, x, y, seed=5, states=None):
    """∂L/∂θ of a draw, L, and the states behind the last step."""
    leaves = {name: p.clone() for name, p in parameters.items()}
    loss, states = AutogradEngine(network, [leaves]).losses_and_states(
        x[None], y[None], None, states, [generator(seed)]
    )
    return {name: p.grad for name, p in leaves.items()}, loss[0], states


def masks(regularization, cell, parameters, steps, count=200, seed=5):
    """Masks of sequences and of some steps."""
    stream = generator(seed)
    of_sequences = regularization.of_sequences(cell, parameters, count, stream)
    return of_sequences, [regularization.of_step(cell, of_sequences, count, stream) for _ in range(steps)]


@pytest.mark.parametrize("rate", [0.2, 0.75])
def test_masks_have_mean_1_and_drop_their_share(rate):
    network = build("rnn", 20)
    p = network.initial_parameters(0, 0)
    _, step_masks = masks(Regularization(dropout=rate), network.cell, p, 20)
    m = torch.stack([step[MASK] for step in step_masks]).double()
    assert m.unique().tolist() == pytest.approx([0, 1 / (1 - rate)])
    spread = np.sqrt(rate / (1 - rate) / m.numel())
    assert m.mean().item() == pytest.approx(1, abs=4 * spread)
    state = torch.linspace(-1, 1, 20).double()
    assert (m * state).mean((0, 1)).numpy() == pytest.approx(state.numpy(), abs=5 * np.sqrt(rate / (1 - rate) / 4000))
    assert len({mask.numpy().tobytes() for mask in m}) == 20
    weights = masks(Regularization(drop_connect=rate), network.cell, p, 1)[0]
    nonzero = weights["U_h"] != 0
    torch.testing.assert_close(weights["U_h"][nonzero], p["U_h"][nonzero] / (1 - rate), **EXACT)
    assert (~nonzero).double().mean().item() == pytest.approx(rate, abs=4 * np.sqrt(rate * (1 - rate) / 400))
    assert torch.equal(weights["W_h"], p["W_h"])


def test_masks_of_sequences_are_constant_within_a_sequence_and_segment_after_segment():
    network, regularization = build("rnn"), Regularization(variational_dropout=0.5, drop_connect=0.5)
    p = network.initial_parameters(0, 0)
    first, step_masks = masks(regularization, network.cell, p, 5)
    assert all(step is first for step in step_masks)
    assert len({row.numpy().tobytes() for row in first[MASK]}) > 10  # sequences differ
    stream = generator()
    drawn_from = torch.rand(7, generator=stream)
    again = regularization.of_sequences(network.cell, p, 200, stream)
    assert torch.equal(again[MASK], first[MASK])
    assert torch.equal(again["U_h"], first["U_h"])
    assert torch.equal(drawn_from, torch.rand(7, generator=generator()))
    assert not torch.equal(regularization.of_sequences(network.cell, p, 200, generator(6))[MASK], first[MASK])


def test_both_dropouts_drop_what_either_drops():
    network = build("rnn")
    _, step_masks = masks(
        Regularization(dropout=0.3, variational_dropout=0.5), network.cell, network.initial_parameters(0, 0), 40
    )
    m = torch.stack([step[MASK] for step in step_masks])
    ever = (m != 0).any(0).double().mean().item()
    assert ever == pytest.approx(0.5, abs=0.08)
    assert (m != 0).double().mean().item() == pytest.approx(0.35, abs=0.06)


@pytest.mark.parametrize("name", DROP_CELLS)
@pytest.mark.parametrize("settings", [{"dropout": 0.4}, {"variational_dropout": 0.4}, {"drop_connect": 0.4}], ids=str)
def test_every_cell_with_recurrent_matrices_drops_where_these_see_h(name, settings, perturbed, normal):
    network = build(name, **settings)
    p, x, y = perturbed(network), normal(6, 7, 3), normal(6, 7)
    result, loss, _ = gradients(network, p, x, y)
    leaves = {key: tensor.clone().requires_grad_() for key, tensor in p.items()}
    cell, rate, stream = network.cell, *settings.values(), generator()
    weights, state, hidden = cell.prepared(leaves), cell.initial_state(x[:, 0]), []
    constant_masks, _ = masks(network.regularization, cell, {k: tensor.detach() for k, tensor in weights.items()}, 0, 6)
    for x_t in x.unbind(1):
        step_weights = weights
        if "dropout" in settings:
            step_weights = weights | {MASK: (torch.rand(6, 4, generator=stream) >= rate).double() / (1 - rate)}
        if "variational_dropout" in settings:
            step_weights = weights | {MASK: constant_masks[MASK]}
        if "drop_connect" in settings:
            drop_masks = {k: (constant_masks[k] != 0).double() / (1 - rate) for k in cell.recurrent_matrices}
            step_weights = weights | {k: weights[k] * mask for k, mask in drop_masks.items()}
        state = cell.step(step_weights, state, x_t)
        hidden.append(cell.output(state))
    expected = (network.read_out(leaves, torch.stack(hidden, 1)) - y).square().mean()
    torch.testing.assert_close(loss, expected.detach(), **EXACT)
    for key, gradient in zip(leaves, torch.autograd.grad(expected, list(leaves.values())), strict=True):
        torch.testing.assert_close(result[key], gradient, **EXACT)
    plain, *_ = gradients(replace(network, regularization=Regularization()), p, x, y)
    assert not torch.equal(result["w"], plain["w"])


@pytest.mark.parametrize("name", ["lstm", "gru", "diag_gate", "forget_rnn", "goru", "shared_gate"])
def test_a_mask_is_of_matrices_alone_and_leaves_memory_alone(name, perturbed, normal):
    network = build(name)
    cell, p, state, x = network.cell, perturbed(network), normal(5, network.cell.state_size), normal(5, 3)
    mask = (torch.rand(5, 4, generator=generator()) > 0.5).double() * 2
    after = cell.step(cell.prepared(p) | {MASK: mask}, state, x)
    for sequence in range(5):
        weights = cell.prepared(p) | {k: cell.prepared(p)[k] * mask[sequence] for k in cell.recurrent_matrices}
        torch.testing.assert_close(after[sequence], cell.step(weights, state[sequence], x[sequence]), **EXACT)
    zeros = {k: torch.zeros_like(cell.prepared(p)[k]) for k in cell.recurrent_matrices}
    all_dropped = cell.step(cell.prepared(p) | {MASK: torch.zeros(5, 4).double()}, state, x)
    torch.testing.assert_close(all_dropped, cell.step(cell.prepared(p) | zeros, state, x), **EXACT)
    assert (all_dropped[:, -4:] - cell.step(p, torch.zeros_like(state), x)[:, -4:]).abs().min() > 0  # memory is there


@pytest.mark.parametrize(
    "settings", [{}, {"variational_dropout": 0.5}, {"dropout": 0.5}, {"layers": 2, "dropout": 0.5}], ids=str
)
def test_penalties_are_their_literal_sums(settings, perturbed, normal):
    with_penalty = build("lstm", activity_regularization=0.7, temporal_regularization=0.3, **settings)
    plain = build("lstm", **settings)
    p, x, y = perturbed(plain), normal(3, 6, 3), normal(3, 6)
    result, loss, _ = gradients(with_penalty, p, x, y)
    without, same_loss, _ = gradients(plain, p, x, y)
    assert torch.equal(loss, same_loss)  # the curve is of the task's loss
    leaves = {key: tensor.clone().requires_grad_() for key, tensor in p.items()}
    cell, stream, regularization = plain.cell, generator(), plain.regularization
    weights, state = regularization.of_sequences(cell, leaves, 3, stream), torch.zeros(3, cell.state_size).double()
    hidden, penalty = [], 0
    for x_t in x.unbind(1):
        now = regularization.of_step(cell, weights, 3, stream)
        state = cell.step(now, state, x_t)
        hidden.append(state[:, :4])
        active = now.get(MASK if "layers" not in settings else f"{MASK}.2", torch.ones(3, 4)) != 0
        penalty += 0.7 * sum(h**2 for h in (active * hidden[-1]).flatten()) / (3 * 6)
    for h, then in pairwise(hidden):
        penalty += 0.3 * sum(d**2 for d in (h - then).flatten()) / (3 * 5)
    expected = torch.autograd.grad(penalty, list(leaves.values()), allow_unused=True, materialize_grads=True)
    for key, gradient in zip(leaves, expected, strict=True):
        torch.testing.assert_close(result[key] - without[key], gradient, **EXACT)


def test_of_a_single_step_there_is_no_temporal_penalty(normal):
    assert Regularization(temporal_regularization=1.0).penalty(normal(3, 1, 4)) == 0


@pytest.mark.parametrize("truncation", [0, 4])
@pytest.mark.parametrize(
    "settings",
    [
        {"dropout": 0.3, "drop_connect": 0.2},
        {"variational_dropout": 0.3, "activity_regularization": 0.1, "layers": 2},
        {"temporal_regularization": 0.1},
    ],
    ids=str,
)
def test_an_interrupted_training_goes_on_bit_for_bit_on_any_threads(tmp_path, settings, truncation):
    task = DelayedSum(3, 10, [2], [0.8], 0.1, root_seed=1, seed=0)
    network, data = build("gru", **settings), [task.generate("training", 20), task.generate("validation", 8)]
    training_settings = TrainingSettings("autograd", 4, 8, 1.0, "mean", truncation=truncation)
    runs = [Run(str(seed), ADAM, 1, seed, *data) for seed in (0, 1)]

    whole = train(network, training_settings, runs, tmp_path / "whole.pt")
    interrupt(network, training_settings, runs, tmp_path / "run.pt", 2)
    try:
        torch.set_num_threads(2)
        resumed_runs = train(network, training_settings, runs, tmp_path / "run.pt")
        (alone,) = train(network, training_settings, runs[1:], tmp_path / "alone.pt")
    finally:
        torch.set_num_threads(1)
    for whole_run, resumed_run in zip([*whole, whole[1]], [*resumed_runs, alone], strict=True):
        assert all(torch.equal(p, resumed_run.parameters[name]) for name, p in whole_run.parameters.items())
        assert whole_run.curve.equals(resumed_run.curve)
    (plain,) = train(
        replace(network, regularization=Regularization()), training_settings, runs[:1], tmp_path / "plain.pt"
    )
    assert not torch.equal(plain.parameters["w"], whole[0].parameters["w"])
    assert plain.curve["validation_loss"][0] == whole[0].curve["validation_loss"][0]  # measured without either


def test_segments_of_a_sequence_share_its_mask(normal):
    network = build("rnn", variational_dropout=0.5)
    p, x, y = network.initial_parameters(0, 0), normal(4, 6, 3), normal(4, 6)
    _, _, whole = gradients(network, p, x, y)
    _, _, first = gradients(network, p, x[:, :3], y[:, :3])
    _, _, second = gradients(network, p, x[:, 3:], y[:, 3:], states=first)
    torch.testing.assert_close(second[0], whole[0], **EXACT)
    assert not torch.allclose(hidden_units(network.cell, p, x)[:, -1], whole[0])  # off where nothing is drawn


def test_engines_say_that_they_lack_it():
    for settings in ({"dropout": 0.1}, {"activity_regularization": 0.1}):
        network = build("lstm", **settings)
        needs = extras(network, 0, False)
        assert needs == ("regularization",)
        assert choose_engine("auto", "cpu", network, needs) == (
            "autograd",
            "auto: the native engine lacks regularization",
        )
        for engine in ("native", "torch"):
            with pytest.raises(InputError, match=f"an engine that has regularization. Got '{engine}'"):
                choose_engine(engine, "cpu", network, needs)
    assert extras(build("lstm"), 0, False) == ()


@pytest.mark.parametrize("name", RATES)
def test_a_rate_is_at_least_0_and_below_1(name):
    for rate in (-0.1, 1.0, float("nan")):
        with pytest.raises(InputError, match=rf"^'{name}' must be in \[0, 1\)\. Got {rate}\.$"):
            build("rnn", **{name: rate})
    for cell in (IdentityRNN(3, 4), Vanilla(3, 4)):
        with pytest.raises(InputError, match=rf"^'{name}' must be 0 for a cell without recurrent matrices .* Got 0.1"):
            Network(cell, regularization=Regularization(**{name: 0.1}))


@pytest.mark.parametrize("name", ["activity_regularization", "temporal_regularization"])
def test_a_penalty_is_not_negative(name):
    for weight in (-1.0, float("inf"), float("nan")):
        with pytest.raises(InputError, match=rf"^'{name}' must be at least 0, and finite\. Got {weight}\.$"):
            build("rnn", **{name: weight})


def test_what_does_not_regularise_says_so(normal):
    network = build("lstm", dropout=0.1)
    with pytest.raises(InputError, match=r"^'architecture' must be without random steps and regularization"):
        train_for_updates(network, network.initial_parameters(0, 0), [], ADAM, 1.0, "autograd", [0])
    with pytest.raises(InputError, match=r"^'architecture of an agent' must be without dropout"):
        Agent(network)
