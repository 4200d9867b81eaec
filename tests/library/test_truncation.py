"""Truncated backpropagation through time: the state is carried from segment to segment, the gradient is not."""

import pytest
import torch

from learnability.networks.network import Network
from learnability.tasks import TASKS, build_task
from learnability.training import Run, TrainingSettings, train
from learnability.training.engines import AutogradEngine

SETTINGS = {
    "lstm": {"cell": "lstm", "gate_init": 0.3},
    "layers": {"cell": "gru", "gate_init": 0.3, "layers": 2},
    "identity": {"cell": "identity_rnn"},
    "plain": {"cell": "rnn"},
}
K = 4


def segments(network, parameters, x, y):
    """∂L_n/∂θ and L_n of each segment of K steps, with the state carried."""
    weights, results, states = {name: p.clone() for name, p in parameters.items()}, [], None
    engine = AutogradEngine(network, [weights])
    for start in range(0, x.shape[1], K):
        part = slice(start, start + K)
        losses, states = engine.losses_and_states(x[None, :, part], y[None, :, part], states=states)
        results.append((losses[0], {name: p.grad for name, p in weights.items()}))
    return results


@pytest.mark.parametrize("name", SETTINGS)
def test_no_gradient_crosses_a_cut_and_the_state_does(name, perturbed, normal):
    # The third input is in the first segment alone: its weights have a gradient of later losses only across cuts.
    network = Network.build(SETTINGS[name], 3, 5, readout_bias=False)
    p, x, y = perturbed(network), normal(4, 3 * K, 3), normal(4, 3 * K)
    x[:, K:, 2] = 0
    (_, first), *later = segments(network, p, x, y)
    weights = [key for key in p if key.startswith("W_") and p[key].shape[1] == 3]
    assert all((first[key][:, 2] != 0).all() for key in weights)
    assert all((gradient[key][:, 2] == 0).all() for _, gradient in later for key in weights)
    (whole,), _ = AutogradEngine(network, [p]).losses_and_states(x[None], y[None])
    assert all((p[key].grad[:, 2] != first[key][:, 2] / 3).all() for key in weights)
    torch.testing.assert_close(torch.stack([loss for loss, _ in segments(network, p, x, y)]).mean(), whole)
    x[:, :K, 2] += 1
    new_segments = segments(network, p, x, y)[1:]
    assert all(abs(loss - new_loss) > 1e-6 for (loss, _), (new_loss, _) in zip(later, new_segments, strict=True))


def test_a_cut_gradient_is_that_of_the_last_steps_with_the_state_held(perturbed, normal):
    network = Network.build(SETTINGS["layers"], 3, 5, readout_bias=False)
    p, x, y = perturbed(network), normal(4, 3 * K, 3), normal(4, 3 * K)
    leaves = {name: tensor.clone().requires_grad_() for name, tensor in p.items()}
    state = network.cell.initial_state(x[:, 0])
    for n, (_, gradients) in enumerate(segments(network, p, x, y)):
        state, losses = state.detach(), []
        for t in range(n * K, (n + 1) * K):
            state = network.cell.step(leaves, state, x[:, t])
            losses.append((network.predict(leaves, state) - y[:, t]).square())
        expected = torch.autograd.grad(torch.stack(losses).mean(), list(leaves.values()))
        for name, gradient in zip(leaves, expected, strict=True):
            torch.testing.assert_close(gradients[name], gradient, rtol=1e-12, atol=1e-14)


SMALL = {
    "delayed_sum": {"input_size": 3, "duration": 10, "lags": [2], "coefficients": [0.8], "noise_sd": 0.1},
    "copy": {"delay": 4, "symbols": 2, "alphabet": 3},
    "denoise": {"delay": 4, "symbols": 2, "alphabet": 3},
    "pixels": {"duration": 64},
    "characters": {"duration": 20},
    "recall": {"duration": 12, "pairs": 2, "keys": 3, "values": 3},
    "count": {"duration": 12, "most": 3},
}


@pytest.mark.parametrize("name", TASKS)
def test_training_of_every_task_is_cut_by_one_setting(name, tmp_path):
    task = build_task({"name": name} | SMALL.get(name, {"duration": 12}), 1, 0)
    network = Network.for_task({"cell": "gru", "gate_init": 0.3}, task, 4, readout_bias=False)
    data = task.generate("training", 4), task.generate("validation", 4)
    run, weights = Run("a run", {"method": "sgd", "learning_rate": 0.1}, 1, 0, *data), {}
    for truncation in (0, 5):
        settings = TrainingSettings("autograd", 1, 4, 1.0, "mean", truncation=truncation)
        (result,) = train(network, settings, [run], tmp_path / f"{truncation}.pt")
        weights[truncation] = torch.cat([tensor.flatten() for tensor in result.parameters.values()])
        assert torch.isfinite(weights[truncation]).all()
    # not of the readout alone: where only the last step counts, it learns the same, but for rounding
    assert not torch.allclose(weights[0], weights[5], rtol=1e-3)
