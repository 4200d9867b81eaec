"""Appendix H."""

import numpy as np
import pandas as pd
import pytest

from drawn import OPTIONS, noise_table
from learnability.stats.stable import location_information, location_informations
from learnability.windows.detection import estimate_sample_complexity, fano_log_sample_complexity
from studies.learnability_window.theory import residuals


def test_the_residual_is_a_function_of_the_tail_index_alone():
    sample_complexity = pd.concat(
        [estimate_sample_complexity(noise_table(1.5 + 0.1 * seed, seed), OPTIONS) for seed in range(5)],
        ignore_index=True,
    )
    table = residuals.residual_table(sample_complexity)
    ones = np.ones(len(table))
    alpha = table["alpha"].to_numpy()
    expected = fano_log_sample_complexity(ones, alpha, ones, location_informations(alpha), 0.1)  # at σ = Δ
    np.testing.assert_allclose(table["closed_form"], expected, rtol=0, atol=1e-9)
    rounding = (table["residual"] - table["closed_form"]).dropna()
    assert len(rounding) > 5
    in_grid = table.loc[rounding.index, "sample_complexity"].to_numpy() > 25
    assert (rounding >= 0).all() and (rounding[in_grid] <= np.log(4) + 1e-9).all()
    c = location_information(1.5) / 2
    assert expected[0] == pytest.approx(1.5 * np.log(np.log(5) / c), rel=1e-5)


def test_the_table_of_residuals():
    first = estimate_sample_complexity(noise_table().assign(signal=lambda t: 0.3 * t["envelope"] ** 0.5), OPTIONS)
    second = estimate_sample_complexity(
        noise_table(1.7).assign(signal=lambda t: 0.1 * t["envelope"] ** 0.5, direction=1), OPTIONS
    )
    row = residuals.tabulate(pd.concat([first, second])).iloc[0]
    assert row["slope"] == pytest.approx(0.5, abs=1e-9) and row["r_squared"] == pytest.approx(1)
    assert row["closed_form_range"] == pytest.approx(0, abs=1e-9)
    assert row["lags"] == len(first["lag"].unique())
    assert 0 < row["rounding_range"] == pytest.approx(row["residual_range"])
