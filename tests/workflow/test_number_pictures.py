"""Pictures of the page on what the numbers mean."""

import re
from pathlib import Path

import pytest
import torch

import number_pictures
from learnability import measure_model
from learnability.measurement.measured import Measured

PAGE = Path(__file__).parents[2] / "docs" / "numbers.md"


@pytest.fixture(scope="module")
def measured() -> Measured:
    torch.manual_seed(0)
    inputs = torch.randn(20, 6, 2)
    return measure_model(
        torch.nn.GRU(2, 2, batch_first=True), inputs, inputs.cumsum(1).sum(2), readout=lambda h: h.sum(1)
    )


def test_the_page_shows_every_picture_and_all_are_stored() -> None:
    names = re.findall(r"\]\(pictures/(\w+)\.png\)", PAGE.read_text(encoding="utf-8"))
    assert names == list(number_pictures.PICTURES)
    assert {path.stem for path in number_pictures.FOLDER.glob("*.png")} == {*names}


def test_pictures_can_be_drawn_of_any_measurement(measured: Measured, tmp_path: Path) -> None:
    number_pictures.draw(measured, tmp_path)
    assert {path.stem for path in tmp_path.iterdir()} == {*number_pictures.PICTURES}
    assert all(path.stat().st_size > 5000 for path in tmp_path.iterdir())
