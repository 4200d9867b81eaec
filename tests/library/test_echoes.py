import numpy as np
import pytest
import torch

from learnability.core.errors import InputError
from learnability.networks.frozen import Frozen
from learnability.networks.network import run
from learnability.tasks import DelayedSum
from learnability.windows.echoes import granted_targets
from learnability.windows.response import measure_response

TASK = DelayedSum(3, 40, [2, 5], [0.6, 0.4], 0.3, root_seed=1, seed=2)
ECHOES = [0, 1, 3, 4]


@pytest.fixture
def frozen(network, parameters):
    x, y = (torch.from_numpy(array) for array in TASK.generate("diagnostic", 9)[:2])
    return Frozen(network, parameters, x, y.double())


def test_each_half_is_granted_the_echoes_of_the_other(frozen, engine):
    targets = granted_targets(frozen, TASK, engine)
    s = (frozen.inputs.double() @ torch.from_numpy(TASK.direction).double()).numpy()
    expected = frozen.targets.numpy().copy()
    for rows, other_half in ((slice(0, 5), slice(5, 9)), (slice(5, 9), slice(0, 5))):
        half = frozen._replace(inputs=frozen.inputs[other_half], targets=frozen.targets[other_half])
        r = measure_response(half, TASK, engine)[0]["response"]
        for n in range(rows.start, rows.stop):
            for t in range(40):
                expected[n, t] += sum(r[lag] * s[n, t - lag] for lag in ECHOES if lag <= t)
    np.testing.assert_allclose(targets, expected, rtol=1e-10, atol=1e-12)


def test_errors_lose_the_echoes_and_nothing_else(network, parameters, engine):
    # Of many sequences, for chance falls with their number; what the task asks for stays as far from it as it was.
    x, y = (torch.from_numpy(array) for array in TASK.generate("diagnostic", 4000)[:2])
    frozen = Frozen(network, {**parameters, "w": 4 * parameters["w"]}, x, y.double())
    predictions = network.predict(frozen.parameters, run(network.cell, parameters, x.double())[:, 1:])
    s = (x.double() @ torch.from_numpy(TASK.direction).double()).numpy()

    def responses(targets):
        error = (predictions - targets).numpy()
        return np.array([np.mean(error[:, 5:] * s[:, 5 - lag : 40 - lag]) for lag in range(6)])

    before, after = responses(y), responses(granted_targets(frozen, TASK, engine))
    assert np.abs(before[ECHOES]).max() > 0.05
    np.testing.assert_allclose(after[ECHOES], 0, atol=0.01)
    np.testing.assert_allclose(after[[2, 5]], before[[2, 5]], atol=0.01)


def test_a_half_of_two_sequences_is_too_few(frozen, engine):
    with pytest.raises(InputError, match=r"'sequences' must be at least 3\. Got 2"):
        granted_targets(frozen.first(5), TASK, engine)
