"""Figures of the appendices render from their theory and from fixed tables of trained networks."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from figure_tables import ARCHITECTURES, LAGS, OPTIONS, draw_of
from layout import assert_legible, cut_off, overlaps
from learnability.report.style import Style
from learnability.windows.detection import estimate_sample_complexity
from studies.learnability_window.theory import concentration, divergence, expansion, information, inversion

THEORY = {"a": expansion, "c": concentration, "d": divergence, "e": information, "g": inversion}


@pytest.fixture(scope="module")
def of_runs(tables: dict[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """Tables of the appendices about trained networks."""
    share = {"unit": 0.05, "envelope": 0.0, "lag": LAGS}
    weights = [
        pd.DataFrame(share | {"architecture": name, "seed": 0, "weights": kind})
        for name in ARCHITECTURES
        for kind in ("initial", "trained")
    ]
    random = [pd.DataFrame(share | {"cell": cell, "gate": gate}) for cell in ("LSTM", "GRU") for gate in (0.5, 0.05)]
    envelope, spectrum = tables["envelope"], tables["spectrum"].assign(last_lag=128.0)
    for column in ("rate_q25", "rate_q50", "rate_q75"):
        envelope = envelope.assign(**{column: envelope["mean_rate"]})
    under = [
        {kind: table.assign(optimizer=name) for kind, table in (("envelope", envelope), ("spectrum", spectrum))}
        for name in ("adamw", "sgd")
    ]
    return {
        "sample_complexity": tables["sample_complexity"],
        "monotonicity": pd.concat(weights),
        "random": pd.concat(random),
        **{kind: pd.concat([part[kind] for part in under]) for kind in ("envelope", "spectrum")},
    }


@pytest.mark.parametrize("letter", [*THEORY, "f", "h", "i"])
def test_an_appendix_renders(letter: str, of_runs: dict[str, pd.DataFrame], style: Style, tmp_path: Path) -> None:
    tables = THEORY[letter].compute(np.random.default_rng(0)) if letter in THEORY else of_runs
    figure = draw_of(f"appendix_{letter}")(tables, style)
    assert_legible(figure, tmp_path)


@pytest.mark.parametrize("letter", ["f", "h"])
def test_an_appendix_without_a_detectable_lag_says_so(
    letter: str, of_runs: dict[str, pd.DataFrame], tables: dict[str, pd.DataFrame], style: Style
) -> None:
    sample_complexity = estimate_sample_complexity(tables["noise"].assign(signal=0.0), OPTIONS)
    figure = draw_of(f"appendix_{letter}")(of_runs | {"sample_complexity": sample_complexity}, style)
    assert any("= ∞" in text.get_text() for ax in figure.axes for text in ax.texts)


@pytest.mark.parametrize("letter", ["f", "h"])
def test_an_appendix_of_many_architectures_grows_in_height(
    letter: str, of_runs: dict[str, pd.DataFrame], style: Style
) -> None:
    names = [f"{name}_{copy}" for copy in range(5) for name in ARCHITECTURES]
    many = replace(
        style,
        architectures=names,
        colours=dict.fromkeys(names, "k"),
        labels={name: name.replace("_", " ") for name in names},
        roles={},
    )
    tables = {
        kind: pd.concat(table.assign(architecture=table["architecture"] + f"_{copy}") for copy in range(5))
        if "architecture" in table
        else table
        for kind, table in of_runs.items()
    }
    figure = draw_of(f"appendix_{letter}")(tables, many)
    figure.draw_without_rendering()
    assert overlaps(figure) == []
    assert cut_off(figure) == []
    assert min(ax.get_window_extent().width for ax in figure.axes) > figure.bbox.width / 8


def test_labels_of_shares_are_where_they_say(of_runs: dict[str, pd.DataFrame], style: Style) -> None:
    figure = draw_of("appendix_f")(of_runs, style)
    for ax in [ax for ax in figure.axes if ax.get_ylabel() == "rates that rise"]:
        ax.set_ylim(0, 0.06)
        figure.draw_without_rendering()
        shares = [float(label.get_text().rstrip("%")) / 100 for label in ax.get_yticklabels()]
        np.testing.assert_allclose(shares, ax.get_yticks(), atol=1e-12)
