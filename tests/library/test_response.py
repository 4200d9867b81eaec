from dataclasses import replace

import numpy as np
import pytest
import torch

from learnability.core.errors import InputError
from learnability.networks.frozen import Frozen
from learnability.networks.network import Network, run
from learnability.tasks import Copy, DelayedSum
from learnability.transport import ENGINES, Trajectory
from learnability.windows.response import learned_shares, measure_recall, measure_response

TASK = DelayedSum(3, 40, [2, 5], [0.6, 0.4], 0.3, root_seed=1, seed=2)


def sequences(count):
    return [torch.from_numpy(array) for array in TASK.generate("diagnostic", count)[:2]]


class Echo(ENGINES["torch"]):
    """An engine whose only unit is a sum of uᵀx so many steps before, with these weights; two sequences at a time."""

    def __init__(self, weights):
        self.weights = weights

    def trace(self, cell, parameters, inputs, directions=(), kind="immediate", diagonals=True):
        projection = inputs.double() @ torch.from_numpy(TASK.direction).double()
        states = torch.zeros(len(inputs), inputs.shape[1] + 1, 1, dtype=torch.float64)
        for lag, weight in self.weights.items():
            states[:, 1 + lag :, 0] += weight * projection[:, : inputs.shape[1] - lag]
        for start in range(0, len(inputs), 2):
            rows = slice(start, start + 2)
            yield Trajectory(rows, inputs[rows], states[rows], None, None)


def of_echo(weights, x, y):
    network = Network.build({"cell": "const_gate", "gate_value": 0.5}, 3, 1, readout_bias=False)
    parameters = {"w": torch.ones(1, dtype=torch.float64)}
    return measure_response(Frozen(network, parameters, x, y.double()), TASK, Echo(weights))


def test_the_response_of_a_filter_is_the_filter():
    response, loss = of_echo({0: -0.1, 2: 0.6, 3: 0.2}, *sequences(400))
    expected = np.array([-0.1, 0, 0.6, 0.2, 0, 0])
    assert response["lag"].tolist() == [0, 1, 2, 3, 4, 5]
    assert response["coefficient"].tolist() == [0, 0, 0.6, 0, 0, 0.4]
    inside = response["response_low"].le(expected) & response["response_high"].ge(expected)
    assert inside.all()
    np.testing.assert_allclose(response["response"], expected, atol=0.02)
    parts = loss.set_index("part")["loss"]
    assert parts["noise"] == pytest.approx(0.09)
    assert parts["missing"] == pytest.approx(0.16, abs=0.01)
    assert parts["echoes"] == pytest.approx(0.05, abs=0.01)
    assert parts["bias"] == pytest.approx(0, abs=0.001)
    assert parts["rest"] == pytest.approx(0, abs=0.01)


def test_a_share_is_what_is_learned_of_an_asked_lag():
    x, y = sequences(400)
    network = Network.build({"cell": "const_gate", "gate_value": 0.5}, 3, 1, readout_bias=False)
    frozen = Frozen(network, {"w": torch.ones(1, dtype=torch.float64)}, x, y.double())
    shares = learned_shares(frozen, TASK, Echo({2: 0.3, 3: 0.2, 5: 0.4}))
    assert shares["lag"].tolist() == [2, 5]
    np.testing.assert_allclose(shares["share"], [0.5, 1], atol=0.05)
    assert (shares["share_low"] < shares["share"]).all() and (shares["share"] < shares["share_high"]).all()


def test_intervals_hold_the_response_as_often_as_they_say_and_chance_makes_no_echo():
    truth, coverages, plain, echoes = np.array([0, 0, 0.6, 0, 0, 0]), [], [], []
    for x, y in zip(*(tensor.split(20) for tensor in sequences(4000)), strict=True):
        table, loss = of_echo({2: 0.6}, x, y)
        coverages.append((table["response_low"] <= truth) & (truth <= table["response_high"]))
        plain.append((table.loc[table["coefficient"] == 0, "response"] ** 2).sum())
        echoes.append(loss.set_index("part").loc["echoes", "loss"])
    assert 0.9 <= np.mean(coverages) <= 0.96
    assert abs(np.mean(echoes)) < 0.2 * np.mean(plain)


def test_a_silent_network_has_learned_nothing():
    response, loss = of_echo({}, *sequences(400))
    parts = loss.set_index("part")["loss"]
    assert response[["response", "response_low", "response_high"]].eq(0).all(axis=None)
    assert parts["missing"] == pytest.approx(0.6**2 + 0.4**2)
    assert parts["echoes"] == 0


def test_the_response_is_a_sum_over_sequences_and_steps(network, parameters, engine):
    x, y = sequences(3)
    frozen = Frozen(network, parameters, x, y.double())
    response, loss = measure_response(frozen, TASK, engine)
    predictions = network.predict(parameters, run(network.cell, parameters, x.double())[:, 1:])
    s = (x.double() @ torch.from_numpy(TASK.direction).double()).numpy()
    p, q = (
        np.array([[np.mean([z[n, t] * s[n, t - lag] for t in range(5, 40)]) for lag in range(6)] for n in range(3)])
        for z in (predictions.numpy(), y.double().numpy())
    )
    slope = np.polyfit((q - q.mean(0)).ravel(), (p - p.mean(0)).ravel(), 1)[0]
    responses = p - slope * (q - response["coefficient"].to_numpy())
    half = 1.959964 * responses.std(0, ddof=1) / np.sqrt(3)
    for name, expected in (
        ("", responses.mean(0)),
        ("_low", responses.mean(0) - half),
        ("_high", responses.mean(0) + half),
    ):
        np.testing.assert_allclose(response[f"response{name}"], expected, rtol=1e-9, atol=1e-12)
    error, parts = (predictions - y)[:, 5:].numpy(), loss.set_index("part")["loss"]
    assert parts.sum() == pytest.approx((error**2).mean())
    assert parts["bias"] == pytest.approx(np.mean(error.mean(0) ** 2 - error.var(0, ddof=1) / 3))


def test_a_mean_error_is_a_bias_and_chance_makes_none():
    biases = []
    for x, y in zip(*(tensor.split(20) for tensor in sequences(1000)), strict=True):
        for offset in (0.0, 0.2 * (-1.0) ** torch.arange(40)):
            _, loss = of_echo({2: 0.6, 5: 0.4}, x, y + offset)
            biases.append(loss.set_index("part").loc["bias", "loss"])
    np.testing.assert_allclose(np.reshape(biases, (-1, 2)).mean(0), [0, 0.04], atol=0.002)


def test_two_sequences_are_too_few():
    with pytest.raises(InputError, match=r"'sequences' must be at least 3\. Got 2"):
        of_echo({}, *sequences(2))


RECALL = Copy(3, 1, 0, symbols=2, alphabet=3)


def untrained_recall(count, seed=0):
    """A network without training, and sequences to copy."""
    network = Network.for_task({"cell": "rnn"}, RECALL, 6, True)
    parameters = network.initial_parameters(1, 0)
    parameters |= {"w": 5 * parameters["w"]}  # so that answers differ from sequence to sequence
    x, y = (torch.from_numpy(array) for array in replace(RECALL, seed=seed).generate("diagnostic", count)[:2])
    return Frozen(network, parameters, x.double(), y)


def test_an_interval_of_recall_is_normal_over_sequences():
    frozen = untrained_recall(7)
    recall = measure_recall(frozen, RECALL, ENGINES["torch"]()).set_index("lag").loc[5]
    shares = torch.softmax(ENGINES["torch"]().predictions(*frozen[:3]), -1)[..., 1:].numpy()
    responses = np.zeros(7)
    for row, target in enumerate(frozen.targets.numpy()):
        for t in (5, 6):  # the symbols shown at 0 and 1
            responses[row] += 1.5 * (shares[row, t, target[t] - 1] - shares[row, t].mean()) / 2
    assert recall["response"] == pytest.approx(responses.mean())
    half = 1.959964 * np.sqrt(((responses - responses.mean()) ** 2).sum() / 6) / np.sqrt(7)
    assert recall["response_high"] - recall["response"] == pytest.approx(half)
    assert recall["response"] - recall["response_low"] == pytest.approx(half)


def test_intervals_of_recall_hold_it_as_often_as_they_say():
    engine, frozen = ENGINES["torch"](), untrained_recall(4000)
    truth = measure_recall(frozen, RECALL, engine)["response"].to_numpy()
    coverages = []
    for x, y in zip(frozen.inputs.split(20), frozen.targets.split(20), strict=True):
        recall = measure_recall(frozen._replace(inputs=x, targets=y), RECALL, engine)
        coverages.append((recall["response_low"] <= truth) & (truth <= recall["response_high"]))
    assert 0.9 <= np.mean(coverages) <= 0.97
