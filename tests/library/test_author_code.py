"""The reading `published_code` beside the output of the author's own diagnostics for one network."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch

from learnability.networks.frozen import Frozen
from learnability.networks.network import Network
from learnability.transport import choose_engine
from learnability.windows import statistic as statistic_module
from learnability.windows.readings import Reading
from learnability.windows.statistic import matched_statistic
from learnability.windows.windowing import find_sample_complexity
from paper_scale import CONFIG

ROOT = Path(__file__).parents[2]
STORED = ROOT / "tests" / "author_code"
READING = Reading.of(CONFIG["readings"]["published_code"], CONFIG["window"])
TASK = CONFIG["task"]


def sequences():
    """The 600 sequences of the stored output."""
    generator = np.random.default_rng(77)
    x = generator.standard_normal((600, 1024, 16), dtype=np.float32)
    y = np.float32(0.3) * generator.standard_normal((600, 1024), dtype=np.float32)
    u = np.random.default_rng(0).standard_normal(16).astype(np.float32)
    projection = x @ (u / np.linalg.norm(u))
    for lag, coefficient in zip(TASK["lags"], TASK["coefficients"], strict=True):
        y[:, lag:] += np.float32(coefficient) * projection[:, :-lag]
    return torch.from_numpy(x), torch.from_numpy(y).double()


@pytest.fixture(scope="module")
def found_and_stored():
    """N̂ of the reading along the stored direction, beside the stored output."""
    stored = {name: torch.from_numpy(values).double() for name, values in np.load(STORED / "shared_gate.npz").items()}
    w = {name.removeprefix("direction_"): values for name, values in stored.items() if name.startswith("direction_")}
    network = Network.build({"cell": "shared_gate", "gate_init": 0.5}, 16, 64, readout_bias=False)
    parameters = {name: values for name, values in stored.items() if not name.startswith("direction_")}
    network.check(parameters)
    frozen, engine = Frozen(network, parameters, *sequences()), choose_engine("auto", network.cell)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(statistic_module, "direction", lambda cell, root_seed, number: w)
        measured = matched_statistic(frozen, CONFIG["measurement"]["lags"], 1.0, 0, READING.statistic, engine)
    _, table, _, _ = find_sample_complexity(
        measured.isel(direction=0), READING, lambda name: np.random.default_rng(0), False
    )
    chosen = table[table["criterion"] == "snr"].set_index("lag")
    stored_output = pd.read_csv(STORED / "shared_gate.csv").set_index("ell")
    assert chosen.index.tolist() == stored_output.index.tolist()
    return chosen, stored_output


def test_tail_index_scale_and_mean_are_the_authors(found_and_stored):
    found, stored = found_and_stored
    for name, column in {"alpha": "alpha_hat", "scale": "sigma_alpha_hat"}.items():
        np.testing.assert_allclose(found[name], stored[column], rtol=1e-3, err_msg=name)
    detectable = stored["sigma_alpha_hat"] > 0
    np.testing.assert_allclose(found["signal"][detectable], stored["mbar_scalar"][detectable], rtol=1e-3)
    assert found["samples"].tolist() == stored["n_samples"].tolist()


def test_the_envelope_is_the_authors(found_and_stored):
    found, stored = found_and_stored
    seen = stored["mu_l1_mean"] > 1e-12
    np.testing.assert_allclose(found["envelope"][seen] / 64, stored["mu_l1_mean"][seen], rtol=1e-3)


def test_sample_complexities_are_the_authors(found_and_stored):
    found, stored = found_and_stored
    expected = stored["N_required_at_eps"].where(stored["N_required_at_eps"] > 0, np.inf)
    assert found["sample_complexity"].tolist() == expected.tolist()


def test_windows_are_the_authors(found_and_stored):
    found, _ = found_and_stored
    reached = {
        size: int(found.index[found["sample_complexity"] <= size].max() or 0) for size in (800, 3200, 6400, 12800)
    }
    assert reached == {800: 12, 3200: 12, 6400: 28, 12800: 28}
    assert (found["sample_complexity"] > 400).all()
