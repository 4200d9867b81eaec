"""Stored figures are landscape: they stand on a page as they are, and are read without scrolling."""

from pathlib import Path

import pytest
from PIL import Image

REFERENCE = Path(__file__).parents[2] / "results" / "reference"
OF_WEIGHTS = {f"attention_{name}" for name in ("maps", "pixels", "characters")}
"""Maps of attention, drawn again with the networks alone: weights of attention are not stored."""
FIGURES = sorted(path for path in REFERENCE.rglob("figures/*.png") if path.stem not in OF_WEIGHTS)


@pytest.mark.parametrize("path", FIGURES, ids=lambda path: str(path.relative_to(REFERENCE)))
def test_a_stored_figure_is_wider_than_high(path: Path) -> None:
    with Image.open(path) as picture:
        assert picture.width >= picture.height
