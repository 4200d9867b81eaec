"""Stored figures are landscape and have few panels: they are read as they stand on a page, and at half its width."""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import pandas as pd
import pytest
from matplotlib.figure import Figure
from PIL import Image

from layout import MOST_PANELS, absent_from_panels, panels_in
from learnability.core.manifest import digest_table
from learnability.core.store import read_table, read_tables
from learnability.core.yaml_files import load_yaml
from learnability.report.style import Style, read_sources, write_figure
from learnability.windows.readings import whole_readings
from studies.attention.larger_grids.figures import games
from studies.ground_truth.foretold import figure as contest
from studies.ground_truth.grown import figure as lag_growth
from studies.learnability_window.common_divisor.figures import common_divisor
from studies.learnability_window.views import stored_kinds, tables_of
from studies.questions import find_questions

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
    looks = [load_yaml((CONFIG / name).read_text("utf-8"))["figures"] for name in ("config.yaml", file) if name]
    colours, labels = ({**looks[0][name], **looks[-1].get(name, {})} for name in ("colours", "labels"))
    return Style(architectures, colours, labels, width_mm=175, font_size=7)


@pytest.mark.parametrize("draw", [contest.draw, lag_growth.draw])
def test_legends_of_the_contest_name_the_architectures_that_are_drawn(draw: Callable[..., Figure]) -> None:
    """ConstGate with slow gates learns no lag in enough seeds, and is not drawn."""
    folder = REFERENCE / "ground_truth"
    files = [*folder.glob("tables/*.csv"), *folder.glob("*.csv.gz")]
    study = load_yaml((CONFIG / "ground_truth.yaml").read_text("utf-8"))["ground_truth"]
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
    """Figures of these studies keep the digests of whole tables."""
    folder = REFERENCE / study
    for path in sorted(folder.glob("figures/*.png")):
        sources = read_sources(path)
        files = [file for name in sources for file in (folder / f"tables/{name}.csv", folder / f"{name}.csv.gz")]
        digests = {file.name.partition(".")[0]: digest_table(read_table(file)) for file in files if file.is_file()}
        assert sources, f"{path.name} does not say from which tables it was drawn"
        assert digests == sources, f"{path.name} is older than its tables"


@cache
def digests_of_attention() -> dict[str, str]:
    """Digests of tables, learning curves and weights of attention, by the names that figures have for them."""
    folder = REFERENCE / "attention"
    files = {
        file.name.partition(".")[0]: [file] for file in (*folder.glob("tables/*.csv"), folder / "attention.csv.gz")
    }
    curves = sorted(folder.glob("models/*/*/*/learning_curve.csv"))
    files["curve"] = [file for file in curves if not file.parts[-4].startswith("delayed_sum")]
    files["game_curves"] = sorted(folder.glob("games/*/*/*/learning_curve.csv"))
    return {name: digest_table(read_tables(paths)) for name, paths in files.items()}


SHOWN_IN_ATTENTION = {
    name: tables for question in find_questions("attention").values() for name, tables in question.figures.items()
}


@pytest.mark.parametrize("path", sorted(REFERENCE.glob("attention/figures/*.png")), ids=lambda path: path.stem)
def test_a_stored_figure_of_attention_is_not_older_than_its_tables(path: Path) -> None:
    """Its digests are of whole tables; of weights of attention maps show a part, which is stored."""
    expected = {name: digests_of_attention()[name] for name in SHOWN_IN_ATTENTION[path.stem]}
    assert read_sources(path) == expected, f"{path.name} is older than its tables, or does not say which these are"


WINDOWS = REFERENCE / "learnability_window"
BASE, CHANGES = (load_yaml((CONFIG / f"{name}.yaml").read_text("utf-8")) for name in ("config", "reference"))
GROUPS, RUNS = BASE["architecture_groups"], BASE["runs"] | CHANGES["runs"]
READINGS = {
    name: {**reading["statistic"], "numerical_floor": reading["noise"]["numerical_floor"]}
    for name, reading in whole_readings(BASE["readings"]).items()
}
QUESTIONS_OF_WINDOWS = find_questions("learnability_window").values()
FIGURES_OF_WINDOWS = {name: figure for question in QUESTIONS_OF_WINDOWS for name, figure in question.figures.items()}


@cache
def stored_table(kind: str) -> pd.DataFrame:
    """Measurements of one kind, of all networks of the study, or with `other_` before it of those on the other task."""
    folder, kind = (WINDOWS / "coprime_lags", kind[6:]) if kind.startswith("other_") else (WINDOWS, kind)
    files = {"curve": "learning_curve", "gates": "gate_statistics"}
    if kind in files:
        return read_tables(sorted(folder.glob(f"models/*/*/*/{files[kind]}.csv")))
    places = (f"measured/{kind}.csv.gz", f"theory/{kind}.csv", f"theory/{kind[:10]}.{kind[11:]}.csv")
    (path,) = (folder / place for place in places if (folder / place).is_file())
    return read_table(path)


def architectures_in(shows: str, suffix: str) -> list[str]:
    """Architectures of a figure of learnability windows, by what it shows and what its name ends with."""
    group = GROUPS[suffix.removeprefix("_") or "main"] if shows == "groups" else {}
    return {
        "groups": [*group.values()],
        "trained": [name for members in RUNS.values() for name in members],
        "each_by_adamw": [suffix.removeprefix("_")],
        "starts": [*GROUPS["main"].values(), *GROUPS["slow"].values()],
        "diag_gate": [GROUPS["main"]["diag_gate"]],
        "none": [],
    }.get(shows, RUNS["adamw"])


@pytest.mark.parametrize(
    "path", sorted(WINDOWS.glob("**/figures/*.png")), ids=lambda path: str(path.relative_to(WINDOWS))
)
def test_a_stored_figure_of_windows_is_not_older_than_its_tables(path: Path) -> None:
    """Its digests are of the rows that it shows: a table has networks and readings that most figures do not show."""
    name = max((name for name in FIGURES_OF_WINDOWS if f"{path.stem}_".startswith(f"{name}_")), key=len)
    figure, reading = FIGURES_OF_WINDOWS[name], path.parts[-3]
    readings = READINGS if reading not in READINGS else {reading: READINGS[reading]}
    request = {"of": figure.views(), "optimizer": figure.optimizer, "members": None}
    kinds = {kind: stored_table(kind) for kind in stored_kinds(list(figure.views().values()))}
    style = style_of("", architectures_in(figure.shows, path.stem.removeprefix(name)))
    rows = style.chosen(tables_of(request, kinds, readings))
    expected = {view: digest_table(table) for view, table in rows.items()}
    assert read_sources(path) == expected, f"{path.name} is older than its tables, or does not say which these are"


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
