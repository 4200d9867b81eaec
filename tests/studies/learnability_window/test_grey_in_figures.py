"""Grey is for the numbers that the paper prints, and for sequences that were not measured."""

import re
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure

from figure_tables import draw_of
from learnability.core.yaml_files import load_yaml
from learnability.report.style import GREY, Style
from studies.learnability_window import paper

ROOT = Path(__file__).parents[3]
CLAIMS = ROOT / "config" / "paper_claims.yaml"
CAPTIONS = {path.stem: path for path in ROOT.glob("src/studies/learnability_window/*/captions/*.rst")}


@pytest.mark.parametrize("name", ["figure_02", "transport", "echo_control", "null_control"])
def test_grey_begins_at_the_last_measured_number_of_sequences(
    name: str, tables: dict[str, pd.DataFrame], style: Style
) -> None:
    window = tables["window"].assign(reading="paper", sequences=3000)
    windows = tables["windows"].assign(sequences=3000)
    with_echoes, control = (tables[kind].assign(sequences=3000) for kind in ("granted", "permuted"))
    figure = draw_of(name)(
        tables | {"window": window, "windows": windows, "granted": with_echoes, "permuted": control}, style
    )
    panels = [ax for ax in figure.axes if ax.get_xlabel() == "sequences N"]
    assert panels
    for ax in panels:
        edges = [patch.get_x() for patch in ax.patches if patch.get_facecolor() == to_rgba("0.92")]
        assert set(edges) == {3000}


@pytest.mark.parametrize(
    ("name", "optimizer", "count"),
    [
        ("figure_01", "adamw", 4),
        ("figure_02", "adamw", 5),
        ("figure_03", "adamw", 0),
        ("figure_04", "adamw", 4),
        ("figure_05", "adamw", 3),
        ("figure_06", "adamw", 0),
        ("figure_08", "sgd", 3),
        ("figure_09", "sgd", 0),
        ("figure_10", "sgd_momentum", 0),
        ("figure_11", "sgd_momentum", 0),
        ("overview", "adamw", 5),
    ],
)
def test_numbers_of_the_paper_are_drawn_in_grey_for_its_roles_alone(
    name: str, optimizer: str, count: int, tables: dict[str, pd.DataFrame], style: Style
) -> None:
    data = {kind: table.assign(optimizer=optimizer, reading="paper") for kind, table in tables.items()}
    draw = draw_of(name)

    def in_grey(figure: Figure) -> int:
        colours = [line.get_color() for ax in figure.axes for line in ax.lines]
        colours += [patch.get_facecolor() for ax in figure.axes for patch in ax.patches]
        return sum(to_rgba(colour)[:3] == to_rgba(GREY)[:3] for colour in colours)

    figure = draw(data, style)
    assert in_grey(figure) == count
    entries = [text.get_text() for legend in figure.legends for text in legend.get_texts()]
    assert ("published" in entries) == (count > 0)
    assert in_grey(draw(data, replace(style, roles={}))) == 0
    caption = CAPTIONS[name].read_text()
    assert ("prints no numbers" in caption) == (count == 0)
    assert ("Grey" in caption) == (count > 0)


def test_claims_and_figures_hold_the_same_numbers_of_the_paper() -> None:
    claims = {claim["id"]: claim for claim in load_yaml(CLAIMS.read_text())["claims"]}
    time_constants, exponents = paper.TIME_CONSTANTS, paper.EXPONENTS
    for prefix, optimizer in (("", "adamw"), ("sgd_", "sgd")):
        for role in ("const", "shared", "diag"):
            sentence = claims[f"{prefix}{role}" + ("" if prefix else "_tau_env")]["paper"]
            assert float(re.findall(r"τ_env ≈? ?([\d.]+)", sentence)[0]) == time_constants[optimizer][f"{role}_gate"]
    assert float(re.findall(r"β ≈ ([\d.]+)", claims["diag_beta"]["paper"])[0]) == exponents["adamw"]["diag_gate"]
    for role in ("const", "shared"):
        assert claims[f"{role}_window"]["paper"] == paper.in_words(paper.WINDOWS[f"{role}_gate"])
        sentence = claims[f"{role}_tau_q"]["paper"]
        assert float(sentence.removeprefix("τ_q ≈ ")) == paper.TIME_SCALES[f"{role}_gate"][0][0]
    levels = [float(level) for level in re.findall(r"\d+", claims["diag_window"]["paper"])]
    assert levels == [0, *(low for low, _ in paper.WINDOWS["diag_gate"])]
