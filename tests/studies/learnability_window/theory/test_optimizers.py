"""Appendix I."""

import numpy as np
import pandas as pd
import pytest

from studies.learnability_window.theory import optimizers


def envelopes(tau=8.0, optimizer="sgd"):
    lag = np.arange(4, 65, 4)
    quantiles = {
        column: factor * np.exp(-lag / tau) for column, factor in zip(optimizers.ENVELOPES, range(1, 7), strict=True)
    }
    return pd.DataFrame({"lag": lag, "optimizer": optimizer, "architecture": "diag_gate", "seed": 0, **quantiles})


def spectrum(scales, optimizer="sgd"):
    return pd.DataFrame(
        {"optimizer": optimizer, "architecture": "diag_gate", "seed": 0, "time_scale": scales, "last_lag": 64.0}
    )


def test_quantile_envelopes_are_fitted_one_by_one():
    table = optimizers.tabulate(envelopes(), spectrum([1.0, 8.0, 20.0]))
    assert table["envelope"].tolist() == list(optimizers.ENVELOPES.values())
    np.testing.assert_allclose(table["time_scale"], 8)
    np.testing.assert_allclose(table["exponential_r_squared"], 1)
    assert (table["power_r_squared"] < 0.95).all()
    assert table["bounded"].all() and (table["largest"] == 20).all()


@pytest.mark.parametrize(
    ("scales", "has_end"), [([1, 63.0], True), ([1, 65.0], False), ([1, np.inf], False), ([1, -5], False)]
)
def test_a_spectrum_is_bounded_if_the_grid_sees_its_end(scales, has_end):
    row = optimizers.spectrum_bounds(spectrum(scales)).iloc[0]
    assert row["bounded"] == has_end
    assert row["no_decay"] == sum(not (np.isfinite(s) and s > 0) for s in scales)
