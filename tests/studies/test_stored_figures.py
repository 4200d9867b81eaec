"""Stored figures are landscape and have few panels: they are read as they stand on a page, and at half its width."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import yaml
from matplotlib.figure import Figure
from PIL import Image

from layout import MOST_PANELS, absent_from_panels, panels_in
from learnability.core.manifest import digest
from learnability.core.store import read_table, read_tables
from learnability.report.style import Style, read_sources, write_figure
from studies.attention.larger_grids.figures import games
from studies.ground_truth.foretold import figure as contest
from studies.ground_truth.grown import figure as lag_growth
from studies.learnability_window.common_divisor.figures import common_divisor

CONFIG = Path(__file__).parents[2] / "config"
REFERENCE = Path(__file__).parents[2] / "results" / "reference"
FIGURES = sorted(REFERENCE.rglob("figures/*.png"))


@pytest.mark.parametrize("path", FIGURES, ids=lambda path: str(path.relative_to(REFERENCE)))
def test_a_stored_figure_is_wider_than_high_and_has_few_panels(path: Path) -> None:
    with Image.open(path) as picture:
        assert picture.width >= picture.height
    assert 1 <= panels_in(path) <= MOST_PANELS


def style_of(file: str, architectures: Sequence[str]) -> Style:
    """Style of stored figures, with the looks that a configuration adds."""
    looks = [yaml.safe_load((CONFIG / name).read_text("utf-8"))["figures"] for name in ("config.yaml", file) if name]
    colours, labels = ({**looks[0][name], **looks[-1].get(name, {})} for name in ("colours", "labels"))
    return Style(architectures, colours, labels, width_mm=175, font_size=7)


@pytest.mark.parametrize("draw", [contest.draw, lag_growth.draw])
def test_legends_of_the_contest_name_the_architectures_that_are_drawn(draw: Callable[..., Figure]) -> None:
    """ConstGate with slow gates learns no lag in enough seeds, and is not drawn."""
    folder = REFERENCE / "ground_truth"
    files = [*folder.glob("tables/*.csv"), *folder.glob("*.csv.gz")]
    study = yaml.safe_load((CONFIG / "ground_truth.yaml").read_text("utf-8"))["ground_truth"]
    grids, tables = study["contest"], {file.name.partition(".")[0]: read_table(file) for file in files}
    rows = {name: table[table["grid"].isin(grids)] if "grid" in table else table for name, table in tables.items()}
    names = [name for grid in grids for name in study["grids"][grid].get("architectures", study["architectures"])]
    figure = draw(rows, style_of("", list(dict.fromkeys(names))))
    assert absent_from_panels(figure) == []


def test_the_legend_of_games_has_no_band_for_one_seed() -> None:
    folder = REFERENCE / "attention"
    table, curves = read_table(folder / "tables/games.csv"), read_tables(folder.glob("games/*/*/*/learning_curve.csv"))
    figure = games.draw(
        {"games": table, "game_curves": curves}, style_of("attention/full.yaml", list(table["architecture"].unique()))
    )
    assert absent_from_panels(figure) == []


def test_the_legend_of_two_tasks_names_the_networks_of_both() -> None:
    folder, tables = REFERENCE / "learnability_window", {}
    for kind in ("curve", "training_windows", "training_responses", "resonances"):
        for name, of_task in ((kind, folder), (f"other_{kind}", folder / "coprime_lags")):
            stored = f"models/*/adamw/*/learning_{kind}.csv" if kind == "curve" else f"measured/{kind}.csv.gz"
            table = read_tables(of_task.glob(stored))
            tables[name] = table[table["optimizer"] == "adamw"]
    figure = common_divisor.draw(tables, style_of("", sorted(tables["curve"]["architecture"].unique())))
    (legend,) = figure.legends
    words = [text.get_text() for text in legend.get_texts()]
    assert set(words[:2]) == {"ConstGate", "SharedGate"} and len(words) == 5
    assert absent_from_panels(figure) == []


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
