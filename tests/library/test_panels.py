"""Panels: their axes, ticks, curves and looks; and the pictures they are written as."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from PIL import Image

from layout import overlaps, tick_labels
from learnability.report.panels import kernel_density, plain_log
from learnability.report.style import MOST_CURVES, Style, bunches, conclude, heading, headline, legend, write_figure

NAMES = ["one", "two", "three"]
STYLE = Style(NAMES, dict.fromkeys(NAMES, "k"), dict(zip(NAMES, NAMES, strict=True)), width_mm=175, font_size=7)


def test_architectures_differ_in_more_than_colour() -> None:
    looks = [STYLE.line(architecture) for architecture in NAMES]
    for aspect in ("marker", "linestyle"):
        assert len({str(look[aspect]) for look in looks}) == len(NAMES)


def test_more_curves_than_a_panel_holds_become_small_multiples() -> None:
    for count in range(1, 12):
        names = [str(name) for name in range(count)]
        panels = bunches(names)
        assert [name for panel in panels for name in panel] == names
        assert max(map(len, panels)) <= MOST_CURVES
        assert len(panels) == -(-count // MOST_CURVES)


@pytest.mark.parametrize(
    ("count", "rows", "columns"),
    [(1, 1, 1), (3, 1, 3), (4, 1, 4), (5, 2, 3), (7, 2, 4), (9, 3, 3), (14, 4, 4), (24, 6, 4)],
)
def test_panels_stand_in_rows_of_up_to_four_and_figures_are_wider_than_high(
    count: int, rows: int, columns: int
) -> None:
    figure, axes = STYLE.panels(count)
    grid = axes[0].get_gridspec()
    assert len(axes) == len(figure.axes) == count
    assert (grid.nrows, grid.ncols) == (rows, columns)
    assert figure.get_figwidth() == pytest.approx(STYLE.width_mm / 25.4)
    assert figure.get_figheight() <= figure.get_figwidth()
    assert rows > 4 or figure.get_figheight() <= 0.75 * figure.get_figwidth()


def test_shared_axes_are_labelled_once() -> None:
    figure, axes = STYLE.panels(5, sharex=True, sharey=True)
    for ax in axes:
        ax.set(xlabel="lag ℓ (steps)", ylabel="share", xlim=(0, 5))
    figure.draw_without_rendering()
    assert [ax.xaxis.label.get_visible() for ax in axes] == [False, False, True, True, True]
    assert [bool(tick_labels(ax.xaxis)) for ax in axes] == [False, False, True, True, True]
    assert [ax.yaxis.label.get_visible() for ax in axes] == [True, False, False, True, False]
    assert {ax.get_xlim() for ax in axes} == {(0, 5)}


def test_headline_legend_and_panels_stand_below_one_another() -> None:
    figure, (ax, _) = STYLE.panels(2)
    headline(figure, "What is shown")
    legend(figure, *(Line2D([], [], label=f"a long name of curve {place}") for place in range(9)))
    heading(ax, "a panel")
    figure.draw_without_rendering()
    boxes = [part.get_window_extent() for part in (figure._suptitle, *figure.legends, ax._left_title)]  # type: ignore[attr-defined]
    assert all(upper.y0 >= lower.y1 for upper, lower in pairwise(boxes))
    assert boxes[1].x1 <= figure.bbox.x1


def test_a_picture_looks_as_it_was_drawn(tmp_path: Path) -> None:
    figure = Figure(dpi=300)
    ax = figure.subplots()
    x = np.linspace(0, 1)
    for power, colour in enumerate(("#0173b2", "#de8f05", "#029e73"), 1):
        ax.plot(x, x**power, color=colour)
        ax.fill_between(x, x**power, x ** (power + 1), color=colour, alpha=0.2)
    write_figure(figure, tmp_path / "written.png")
    figure.savefig(tmp_path / "drawn.png")
    file_image, reference = (Image.open(tmp_path / f"{name}.png").convert("RGB") for name in ("written", "drawn"))
    difference = np.abs(np.asarray(file_image, int) - np.asarray(reference, int)).max(-1)
    assert difference.mean() < 0.1
    assert (difference < 16).mean() > 0.999
    assert (tmp_path / "written.png").stat().st_size < 0.5 * (tmp_path / "drawn.png").stat().st_size


def test_ticks_of_a_reversed_axis_are_as_many() -> None:
    ax = Figure().subplots()
    plain_log(ax, "x")
    labels = []
    for limits in ((1e-4, 1), (1, 1e-4)):
        ax.set_xlim(limits)
        labels.append([ax.xaxis.get_minor_formatter()(value, 0) for value in (0.002, 0.05)])
    assert labels == [["", ""], ["", ""]]


@pytest.mark.parametrize(
    ("limits", "values", "labels"),
    [((0.5e-9, 2), (1e-8, 2e-4, 1), ["10⁻⁸", "2·10⁻⁴", "1"]), ((0.5, 2e4), (1, 100, 1e4), ["1", "100", "10000"])],
)
def test_ticks_of_one_axis_have_one_form(
    limits: tuple[float, float], values: tuple[float, ...], labels: list[str]
) -> None:
    ax = Figure().subplots()
    plain_log(ax, "y")
    ax.set_ylim(limits)
    assert [ax.yaxis.get_major_formatter()(value, 0) for value in values] == labels


@pytest.mark.parametrize(
    "limits", [(2.2e-5, 2.4e-5), (4e-6, 7.5e-6), (5.01, 49.9), (1, 29), (8e-5, 8.01e-5), (0.9, 1.9), (1, 31), (1e-9, 1)]
)
def test_labels_of_a_narrow_logarithmic_axis_stand_apart(limits: tuple[float, float]) -> None:
    figure, (ax,) = STYLE.panels(1)
    figure.set_size_inches(3.3, 1.3)
    plain_log(ax, "y")
    ax.set(ylim=limits, xlabel="lag ℓ (steps)", title="as low as a panel gets")
    figure.draw_without_rendering()
    assert len(tick_labels(ax.yaxis)) >= 2
    assert overlaps(figure) == []


def test_a_density_integrates_to_one_even_for_a_degenerate_spectrum() -> None:
    rng = np.random.default_rng(0)
    for values in (np.full(64, 0.85), rng.uniform(5, 9, 500), rng.exponential(10, 500)):
        x, density = kernel_density(values)
        assert np.trapezoid(density, x) == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("text", ["MMMMM 100%; " * 9, "a few words", "W" * 200])
def test_a_headline_stays_within_its_figure(text: str) -> None:
    figure, _ = STYLE.panels(1)
    headline(figure, text)
    assert figure._suptitle is not None  # type: ignore[attr-defined]
    assert figure._suptitle.get_window_extent().x1 <= figure.bbox.x1  # type: ignore[attr-defined]
    assert "".join(figure.get_suptitle().split()) == "".join(text.split())


@pytest.mark.parametrize(("question", "title"), [("", "It rises"), ("Does it rise?", "Does it rise?")])
def test_a_title_tells_a_result_only_where_pages_do(question: str, title: str) -> None:
    figure, _ = replace(STYLE, question=question).larger().panels(1)
    conclude(figure, "It rises")
    assert figure.get_suptitle() == title
