"""Appendix C."""

import numpy as np
import pytest

from drawn import generator
from learnability.stats.stable import fit_stable
from learnability.stats.stable.draws import draw
from learnability.stats.stable.recovery import REFERENCES
from studies.learnability_window.theory import concentration


def test_means_of_stable_laws_concentrate_as_the_tail_says():
    laws = concentration.stable_laws([1.3, 1.7, 2.0])
    table = concentration.concentration_table(laws, [1, 16, 256], 4000, generator())
    np.testing.assert_allclose(table["slope"], table["predicted"], atol=0.02)
    np.testing.assert_allclose(table["predicted"], 1 / table["alpha"] - 1)


def test_the_width_is_that_of_the_scaled_law():
    widths = concentration.width_of_means(
        concentration.stable_laws([1.5])["stable, α = 1.5"].sampler, [1, 64], 20_000, generator()
    )
    width = np.subtract(*np.quantile(draw(1.5, 200_000, generator(1)), [0.75, 0.25]))
    np.testing.assert_allclose(widths["width"], [width, width * 64 ** (1 / 1.5 - 1)], rtol=0.03)


def test_the_tail_index_of_single_draws_is_not_the_rate_of_their_mean():
    law = concentration.OTHERS["product of two normals"]
    table = concentration.concentration_table({"product": law}, [1, 64, 256, 1024], 4000, generator()).iloc[0]
    assert table["by_estimate"] == pytest.approx(-0.18, abs=0.03)
    assert table["last_slope"] == pytest.approx(-0.5, abs=0.02)
    alpha = float(fit_stable(REFERENCES["product of two normals"](20_000, generator(1))).alpha)
    assert alpha == pytest.approx(1.22, abs=0.03)
