"""The paper's figures render from fixed tables, at their column width, in legible type, without warnings."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from figure_tables import ARCHITECTURES, OPTIONS, draw_of, sample_complexity_of, tables_of
from layout import assert_complete, is_reference
from learnability.report.style import Style, write_figure
from learnability.windows.detection import learnability_window

FIGURES = [f"figure_{number:02d}" for number in range(1, 12)]


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_of_the_paper_renders(
    name: str, tables: dict[str, pd.DataFrame], style: Style, tmp_path: Path
) -> None:
    assert_complete(draw_of(name)(tables, style), tmp_path)


@pytest.mark.parametrize("name", ["figure_03", "figure_07", "figure_06", "figure_02"])
def test_a_figure_without_a_detectable_lag_says_so(
    name: str, tables: dict[str, pd.DataFrame], style: Style, tmp_path: Path
) -> None:
    noise = tables["noise"].assign(signal=0.0)
    sample_complexity = sample_complexity_of(noise)
    window = learnability_window(
        tables_of("diag_gate", 0)["sample_complexity"].assign(sample_complexity=np.inf), OPTIONS
    )
    windows = pd.concat([window.assign(architecture=a, seed=0) for a in ARCHITECTURES])
    figure = draw_of(name)(tables | {"sample_complexity": sample_complexity, "window": windows}, style)
    write_figure(figure, tmp_path / "figure.png")
    if name in ("figure_03", "figure_07"):
        assert any("N̂" in text.get_text() for ax in figure.axes for text in ax.texts)


def test_the_floor_of_the_reading_is_drawn_where_noise_scales_end(
    tables: dict[str, pd.DataFrame], style: Style
) -> None:
    draw = draw_of("figure_06")
    noise = tables["noise"].assign(numerical_floor=1.95e-12)
    for ax in draw(tables | {"noise": noise}, style).axes:
        floors = [line.get_ydata()[0] for line in ax.lines if is_reference(line)]
        np.testing.assert_allclose(floors, [1e-12])
    without = draw(tables | {"noise": noise.assign(numerical_floor=0.0)}, style)
    assert not any(is_reference(line) for ax in without.axes for line in ax.lines)


def test_a_line_of_scales_breaks_off_where_the_median_is_floored(tables: dict[str, pd.DataFrame], style: Style) -> None:
    on_floor = tables["noise"]["seed"].eq(0) & tables["noise"]["lag"].gt(40)
    noise = tables["noise"].assign(scale=tables["noise"]["scale"].mask(on_floor, 0.0))
    axes = draw_of("figure_06")(tables | {"noise": noise}, style).axes
    for ax, architecture in zip(axes, ARCHITECTURES, strict=True):
        scale = noise[noise["architecture"] == architecture].groupby("lag")["scale"].median()
        np.testing.assert_array_equal(ax.lines[0].get_xdata(), scale.index[scale > 0])
        np.testing.assert_allclose(ax.lines[0].get_ydata(), scale[scale > 0])


def test_sequences_are_drawn_beside_pairs_of_a_sequence_and_a_step(
    tables: dict[str, pd.DataFrame], style: Style
) -> None:
    def count_outlines(noise: pd.DataFrame) -> list[int]:
        return [len(ax.patches) for ax in draw_of("figure_05")(tables | {"noise": noise}, style).axes]

    pairs, sequences = tables["noise"], tables["noise"].assign(samples=tables["noise"]["sequences"])
    assert [of_pairs - 1 for of_pairs in count_outlines(pairs)] == count_outlines(sequences)
