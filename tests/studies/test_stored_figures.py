"""Stored figures are landscape and have few panels: they are read as they stand on a page, and at half its width."""

from pathlib import Path

import pytest
from PIL import Image

from layout import MOST_PANELS, panels_in
from learnability.report.style import Style, write_figure

REFERENCE = Path(__file__).parents[2] / "results" / "reference"
FIGURES = sorted(REFERENCE.rglob("figures/*.png"))


@pytest.mark.parametrize("path", FIGURES, ids=lambda path: str(path.relative_to(REFERENCE)))
def test_a_stored_figure_is_wider_than_high_and_has_few_panels(path: Path) -> None:
    with Image.open(path) as picture:
        assert picture.width >= picture.height
    assert 1 <= panels_in(path) <= MOST_PANELS


@pytest.mark.parametrize("count", [1, 6, 7, 14])
def test_panels_of_a_picture_are_counted(count: int, tmp_path: Path) -> None:
    figure, axes = Style([], {}, {}, width_mm=175, font_size=7).panels(count)
    for ax in axes:
        ax.plot([0, 1, 2], [0, 2, 1], "k")
        ax.axvline(1, color="k")
    write_figure(figure, tmp_path / "figure.png")
    assert panels_in(tmp_path / "figure.png") == count
