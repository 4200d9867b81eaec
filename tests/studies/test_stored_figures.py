"""Stored figures are landscape and have few panels: they are read as they stand on a page, and at half its width."""

from pathlib import Path

import pytest
from PIL import Image

from layout import MOST_PANELS, panels_in
from learnability.core.manifest import digest
from learnability.report.style import Style, read_sources, write_figure

REFERENCE = Path(__file__).parents[2] / "results" / "reference"
FIGURES = sorted(REFERENCE.rglob("figures/*.png"))


@pytest.mark.parametrize("path", FIGURES, ids=lambda path: str(path.relative_to(REFERENCE)))
def test_a_stored_figure_is_wider_than_high_and_has_few_panels(path: Path) -> None:
    with Image.open(path) as picture:
        assert picture.width >= picture.height
    assert 1 <= panels_in(path) <= MOST_PANELS


@pytest.mark.parametrize("study", ["comparison", "gated", "ground_truth"])
def test_a_stored_figure_is_not_older_than_its_tables(study: str) -> None:
    """Figures of these studies keep the digests of what they were drawn from."""
    folder = REFERENCE / study
    for path in sorted(folder.glob("figures/*.png")):
        sources = read_sources(path)
        files = [file for name in sources for file in (folder / f"tables/{name}.csv", folder / f"{name}.csv.gz")]
        digests = {file.name.partition(".")[0]: digest(file) for file in files if file.is_file()}
        assert sources, f"{path.name} does not say from which tables it was drawn"
        assert digests == sources, f"{path.name} is older than its tables"


def test_a_figure_keeps_the_digests_of_its_tables(tmp_path: Path) -> None:
    figure, _ = Style([], {}, {}, width_mm=175, font_size=7).panels(1)
    write_figure(figure, tmp_path / "told.png", tmp_path / "told.pdf", sources={"overall": "ab", "costs": "cd"})
    write_figure(figure, tmp_path / "untold.png")
    assert read_sources(tmp_path / "told.png") == {"overall": "ab", "costs": "cd"}
    assert read_sources(tmp_path / "untold.png") == {}


@pytest.mark.parametrize("count", [1, 6, 7, 14])
def test_panels_of_a_picture_are_counted(count: int, tmp_path: Path) -> None:
    figure, axes = Style([], {}, {}, width_mm=175, font_size=7).panels(count)
    for ax in axes:
        ax.plot([0, 1, 2], [0, 2, 1], "k")
        ax.axvline(1, color="k")
    write_figure(figure, tmp_path / "figure.png")
    assert panels_in(tmp_path / "figure.png") == count
