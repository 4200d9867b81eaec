"""Stored figures are landscape: they stand on a page as they are, and are read without scrolling."""

from pathlib import Path

import pytest
from PIL import Image

REFERENCE = Path(__file__).parents[2] / "results" / "reference"
FIGURES = sorted(REFERENCE.rglob("figures/*.png"))


@pytest.mark.parametrize("path", FIGURES, ids=lambda path: str(path.relative_to(REFERENCE)))
def test_a_stored_figure_is_wider_than_high(path: Path) -> None:
    with Image.open(path) as picture:
        assert picture.width >= picture.height
