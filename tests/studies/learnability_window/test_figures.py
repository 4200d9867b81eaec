"""Every figure renders from fixed tables, at its column width, in legible type, without warnings."""

import re
from dataclasses import replace
from importlib import import_module
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.transforms import Bbox
from PIL import Image

from learnability.report.panels import kernel_density, plain_log
from learnability.report.style import GREY, MARKERS, MOST_CURVES, Style, bunches, write_figure
from learnability.stats.fits import fit_envelope
from learnability.windows.detection import estimate_sample_complexity, learnability_window
from learnability.windows.readings import DetectionOptions
from learnability.windows.scaling import residual
from studies.learnability_window import paper
from studies.learnability_window.theory import concentration, divergence, expansion, information, inversion

ROOT = Path(__file__).parents[3]
CLAIMS, CAPTIONS = ROOT / "config" / "paper_claims.yaml", ROOT / "workflow" / "report"
ARCHITECTURES = ("const_gate", "shared_gate", "diag_gate")
LAGS = np.arange(4, 129, 4)
FIGURES = [f"figure_{number:02d}" for number in range(1, 12)] + [
    "learning_curves",
    "gate_statistics",
    "responses",
    "transport",
    "null_control",
    "echo_control",
    "sample_complexity_factors",
    "threshold",
    "off_task",
    "sensitivity",
    "through_training",
]
OF_ONE_ARCHITECTURE = {"through_training"}
OPTIONS = DetectionOptions(criterion="fano", family_wise=0, draws=100, sample_sizes=[25, 100, 400, 1600, 6400])


@pytest.fixture(scope="module")
def style() -> Style:
    colours = dict(zip(ARCHITECTURES, ("#0173b2", "#de8f05", "#029e73"), strict=True))
    labels = dict(zip(ARCHITECTURES, ("ConstGate", "SharedGate, slow start", "DiagGate, slow start"), strict=True))
    roles = dict(zip(ARCHITECTURES, ARCHITECTURES, strict=True))
    return Style(ARCHITECTURES, colours, labels, width_mm=85, font_size=7, roles=roles)


def sample_complexity_of(noise: pd.DataFrame) -> pd.DataFrame:
    """With the columns that intervals and the task add."""
    sample_complexity = estimate_sample_complexity(noise, OPTIONS)
    ends = {
        "log_sample_complexity_low": 1.0,
        "log_sample_complexity_high": 9.0,
        "residual_low": -2.0,
        "residual_high": 2.0,
    }
    return sample_complexity.assign(
        task_lag=sample_complexity["lag"].isin([32, 64, 128]), residual=residual(sample_complexity), **ends
    )


def tables_of(architecture: str, seed: int) -> dict[str, pd.DataFrame]:
    rng = np.random.default_rng([ARCHITECTURES.index(architecture), seed])
    tau = {"const_gate": 0.85, "shared_gate": 4.0, "diag_gate": 40.0}[architecture]
    f = 64 * np.exp(-LAGS / tau) * rng.uniform(0.9, 1.1)
    envelope = pd.DataFrame({"lag": LAGS, "envelope": f, "mean_rate": f / 64, "rate_q05": f / 200, "rate_q95": f / 20})
    noise = pd.DataFrame(
        {
            "lag": LAGS,
            "signal": f * rng.uniform(0.5, 1.5, len(LAGS)),
            "estimator": "mcculloch",
            "alpha": rng.uniform(1.3, 2, len(LAGS)),
            "scale": np.where(LAGS > 100, 0.0, f),
            "scale_unfloored": f,
            "spread": 1.95 * f,
            "numerical_floor": 1.95 * f[LAGS == 100].item(),
            "information": 0.45,
            "sequences": 3000,
            "envelope": f,
            "degenerate": False,
            "direction": 0,
            "floored": LAGS > 100,
        }
    )
    sample_complexity = sample_complexity_of(noise)
    epochs = np.arange(5)
    spread = np.ones(64) if architecture == "const_gate" else rng.uniform(0.5, 2, 64)
    return {
        "envelope": envelope,
        "fits": fit_envelope(envelope),
        "spectrum": pd.DataFrame({"time_scale": tau * spread}),
        "noise": noise,
        "sample_complexity": sample_complexity,
        "sample_complexities": pd.concat(
            sample_complexity.assign(transport=transport) for transport in ("first_order", "exact")
        ),
        "window": learnability_window(sample_complexity, OPTIONS),
        "granted": learnability_window(sample_complexity, OPTIONS),
        "windows": pd.concat(
            learnability_window(sample_complexity, OPTIONS).assign(transport=transport)
            for transport in ("first_order", "exact")
        ),
        "transport": pd.DataFrame(
            {"lag": LAGS, "first_order": f, "exact": 10 * f**0.1, "relative_error": 1 - f / f[0]}
            | ({"eq26": 1 + f, "reset": f**0.2, "reset_retention": f**1.2} if architecture == "diag_gate" else {})
        ),
        "references": pd.DataFrame(
            {"law": ["Laplace", "normal"], "estimator": "mcculloch", "alpha": [1.44, 1.99], "p_value": 0.1}
        ),
        "sign_flips": pd.DataFrame(
            {"sample_size": OPTIONS.sample_sizes, "rate": [0, 0.1, 0.4, 0.9, 1], "level": 0.1, "chosen": True}
        ).merge(pd.DataFrame({"transport": ["first_order", "exact"]}), how="cross"),
        "permuted": pd.concat(
            learnability_window(sample_complexity, OPTIONS).assign(transport=transport)
            for transport in ("first_order", "exact")
        ),
        "changes": pd.DataFrame(
            {
                "option": ["as named", "criterion", "estimator"],
                "value": ["", "snr", "characteristic_function"],
                "sample_size": 6400,
                "horizon": [8, 16, 0],
                "horizon_low": [4, 16, np.nan],
                "horizon_high": [12, 40, np.nan],
            }
        ),
        "curve": pd.DataFrame(
            {
                "epoch": epochs,
                "validation_loss": 1 / (1 + epochs),
                "gradient_norm": [np.nan, 1, 2, 3, 4],
                "clipped_fraction": [np.nan, 0, 0, 1, 1],
            }
        ),
        "gates": pd.DataFrame({"epoch": epochs, "q05": 0.1, "q50": 0.3, "q95": 0.6}),
        "response": pd.DataFrame(
            {"lag": LAGS, "coefficient": np.where(LAGS % 32, 0, 0.5), "response": f / f[0] / 2}
        ).assign(response_low=-0.1, response_high=0.6),
        "loss": pd.DataFrame(
            {"part": ["noise", "missing", "echoes", "bias", "rest"], "loss": [0.1, 0.2, 0.1, 0.0, 0.0]}
        ),
        **through_training(seed),
    }


def through_training(seed: int) -> dict[str, pd.DataFrame]:
    """A lag is detected and learned the later the longer it is, the longest never; no share reaches 1."""
    at = pd.MultiIndex.from_product([range(5), [32, 64, 96, 128]], names=["epoch", "lag"]).to_frame(index=False)
    late = at["lag"] / 32 - at["epoch"] + seed
    needed = (4 + late).mask(at["lag"] == 128, np.inf)
    ends = {"log_sample_complexity_low": needed - 1, "log_sample_complexity_high": needed + 1}
    return {
        "training_windows": at.assign(
            control="none", noise="total", sequences=128, log_sample_complexity=needed, **ends
        ),
        "training_responses": at.assign(coefficient=0.5, response=0.5 / (1 + np.exp(late))),
    }


@pytest.fixture(scope="module")
def tables() -> dict[str, pd.DataFrame]:
    parts: dict[str, list[pd.DataFrame]] = {}
    for architecture in ARCHITECTURES:
        for seed in range(3):
            for kind, table in tables_of(architecture, seed).items():
                parts.setdefault(kind, []).append(table.assign(architecture=architecture, optimizer="adamw", seed=seed))
    return {kind: pd.concat(each, ignore_index=True) for kind, each in parts.items()}


THEORY = {"a": expansion, "c": concentration, "d": divergence, "e": information, "g": inversion}


@pytest.fixture(scope="module")
def of_runs(tables: dict[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """Tables of the appendices about trained networks."""
    share = {"unit": 0.05, "envelope": 0.0, "lag": LAGS}
    weights = [
        pd.DataFrame(share | {"architecture": name, "seed": 0, "weights": kind})
        for name in ARCHITECTURES
        for kind in ("initial", "trained")
    ]
    random = [pd.DataFrame(share | {"cell": cell, "gate": gate}) for cell in ("LSTM", "GRU") for gate in (0.5, 0.05)]
    envelope, spectrum = tables["envelope"], tables["spectrum"].assign(last_lag=128.0)
    for column in ("rate_q25", "rate_q50", "rate_q75"):
        envelope = envelope.assign(**{column: envelope["mean_rate"]})
    under = [
        {kind: table.assign(optimizer=name) for kind, table in (("envelope", envelope), ("spectrum", spectrum))}
        for name in ("adamw", "sgd")
    ]
    return {
        "sample_complexity": tables["sample_complexity"],
        "monotonicity": pd.concat(weights),
        "random": pd.concat(random),
        **{kind: pd.concat([each[kind] for each in under]) for kind in ("envelope", "spectrum")},
    }


@pytest.mark.parametrize(("members", "panels"), [(ARCHITECTURES, 8), (ARCHITECTURES[:2], 5)])
def test_a_panel_of_eq_26_is_there_for_whom_it_has_rates(members, panels, tables, style: Style) -> None:
    figure = import_module("studies.learnability_window.figures.transport").draw(
        tables, replace(style, architectures=members)
    )
    assert len(figure.axes) == panels
    assert all(ax.lines for ax in figure.axes)


@pytest.mark.parametrize("letter", [*THEORY, "f", "h", "i"])
def test_an_appendix_renders(letter: str, of_runs: dict[str, pd.DataFrame], style: Style, tmp_path: Path) -> None:
    tables = THEORY[letter].compute(np.random.default_rng(0)) if letter in THEORY else of_runs
    figure = import_module(f"studies.learnability_window.figures.appendix_{letter}").draw(tables, style)
    write_figure(figure, tmp_path / "figure.pdf", tmp_path / "figure.png")
    texts = [text for text in figure.findobj(Text) if text.get_text().strip()]
    assert min(text.get_fontsize() for text in texts) >= 7
    assert overlaps(figure) == []
    assert cut_off(figure) == []
    assert all(ax.get_xlabel() and ax.get_ylabel() for ax in figure.axes)


@pytest.mark.parametrize("letter", ["f", "h"])
def test_an_appendix_without_a_detectable_lag_says_so(
    letter: str, of_runs: dict[str, pd.DataFrame], tables: dict[str, pd.DataFrame], style: Style
) -> None:
    sample_complexity = estimate_sample_complexity(tables["noise"].assign(signal=0.0), OPTIONS)
    figure = import_module(f"studies.learnability_window.figures.appendix_{letter}").draw(
        of_runs | {"sample_complexity": sample_complexity}, style
    )
    assert any("= ∞" in text.get_text() for ax in figure.axes for text in ax.texts)


@pytest.mark.parametrize("letter", ["f", "h"])
def test_an_appendix_of_many_architectures_grows_in_height(
    letter: str, of_runs: dict[str, pd.DataFrame], style: Style
) -> None:
    names = [f"{name}_{copy}" for copy in range(5) for name in ARCHITECTURES]
    many = replace(
        style,
        architectures=names,
        colours=dict.fromkeys(names, "k"),
        labels={name: name.replace("_", " ") for name in names},
        roles={},
    )
    tables = {
        kind: pd.concat(table.assign(architecture=table["architecture"] + f"_{copy}") for copy in range(5))
        if "architecture" in table
        else table
        for kind, table in of_runs.items()
    }
    figure = import_module(f"studies.learnability_window.figures.appendix_{letter}").draw(tables, many)
    assert overlaps(figure) == []
    assert cut_off(figure) == []
    assert min(ax.get_window_extent().width for ax in figure.axes) > figure.bbox.width / 4


def test_labels_of_shares_are_where_they_say(of_runs: dict[str, pd.DataFrame], style: Style) -> None:
    figure = import_module("studies.learnability_window.figures.appendix_f").draw(of_runs, style)
    for ax in [ax for ax in figure.axes if ax.get_ylabel() == "rates that rise"]:
        ax.set_ylim(0, 0.06)
        figure.draw_without_rendering()
        said = [float(label.get_text().rstrip("%")) / 100 for label in ax.get_yticklabels()]
        np.testing.assert_allclose(said, ax.get_yticks(), atol=1e-12)


def words(figure: Figure) -> list[tuple[str, Bbox]]:
    """Titles, axis labels and legends, and where they stand."""
    figure.draw_without_rendering()
    boxes = [("legend", legend.get_window_extent()) for legend in figure.findobj(Legend)]
    boxes += [(text.get_text(), text.get_window_extent()) for text in [figure._suptitle] if text]  # type: ignore[attr-defined]
    for ax in figure.axes:
        texts = [ax.title, ax._left_title, ax.xaxis.label, ax.yaxis.label]  # type: ignore[attr-defined]
        boxes += [(text.get_text(), text.get_window_extent()) for text in texts if text.get_text()]
    return boxes


def overlaps(figure: Figure) -> list[tuple[str, str]]:
    """Words, or labels of one axis, that cover one another."""
    labels = [tick_labels(axis) for ax in figure.axes for axis in (ax.xaxis, ax.yaxis)]
    return [
        (a, b)
        for group in (words(figure), *labels)
        for (a, box), (b, other) in combinations(group, 2)
        if box.overlaps(other)
    ]


def tick_labels(axis: Axis) -> list[tuple[str, Bbox]]:
    """Labels of the ticks in view, and where they stand."""
    axis.figure.draw_without_rendering()  # type: ignore[union-attr]
    low, high = sorted(axis.get_view_interval())
    ticks = [*axis.get_major_ticks(), *axis.get_minor_ticks()]
    texts = [tick.label1 for tick in ticks if tick.label1.get_visible() and low <= tick.get_loc() <= high]
    return [(text.get_text(), text.get_window_extent()) for text in texts if text.get_text()]


def cut_off(figure: Figure) -> list[str]:
    """Words that leave the page."""
    page = figure.bbox
    return [word for word, box in words(figure) if box.x0 < page.x0 or box.x1 > page.x1 or box.y1 > page.y1]


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_renders(name: str, tables: dict[str, pd.DataFrame], style: Style, tmp_path: Path) -> None:
    shown = replace(style, architectures=ARCHITECTURES[-1:] if name in OF_ONE_ARCHITECTURE else ARCHITECTURES)
    figure = import_module(f"studies.learnability_window.figures.{name}").draw(shown.chosen(tables), shown)
    write_figure(figure, tmp_path / "figure.pdf", tmp_path / "figure.png")
    assert (tmp_path / "figure.pdf").stat().st_size > 2000
    assert figure.get_figwidth() == pytest.approx(85 / 25.4)
    texts = [text for text in figure.findobj(Text) if text.get_text().strip()]
    assert min(text.get_fontsize() for text in texts) >= 7
    assert overlaps(figure) == []
    assert cut_off(figure) == []
    assert all(ax.get_xlabel() and ax.get_ylabel() for ax in figure.axes)
    assert figure.get_suptitle()
    assert [ax for ax in figure.axes if not shows_something(ax)] == []
    assert max(map(curves, figure.axes)) <= MOST_CURVES
    assert [ax for ax in figure.axes if covered(ax)] == []


def shows_something(ax: Axes) -> bool:
    """Whether a finite point of a line, or a patch, lies within the axes, not on their edge."""
    low, high = ax.transAxes.transform([(0, 0), (1, 1)])
    points = [ax.transData.transform(np.ma.getdata(line.get_xydata())) for line in ax.lines if not is_reference(line)]
    inside = [(np.isfinite(each) & (each > low + 1e-6) & (each < high - 1e-6)).all(1).any() for each in points]
    return any(inside) or any(patch.get_extents().width > 1 for patch in ax.patches) or bool(ax.texts)


def is_reference(line: Line2D) -> bool:
    """Whether a line is drawn from edge to edge, by axhline or axvline."""
    return line.get_transform() is not line.axes.transData  # type: ignore[union-attr]


def curves(ax: Axes) -> int:
    """Curves of architectures, which a marker tells apart."""
    return len({(line.get_color(), line.get_marker()) for line in ax.lines if line.get_marker() in tuple(MARKERS)})


def covered(ax: Axes) -> bool:
    """Whether a legend stands upon the axes."""
    legend = ax.get_legend()
    return legend is not None and legend.get_window_extent().y0 < ax.get_window_extent().y1 - 1


@pytest.mark.parametrize("name", ["figure_02", "overview", "transport", "echo_control", "null_control"])
def test_grey_begins_at_the_last_measured_number_of_sequences(
    name: str, tables: dict[str, pd.DataFrame], style: Style
) -> None:
    window = tables["window"].assign(reading="paper", sequences=3000)
    both = tables["windows"].assign(sequences=3000)
    granted, permuted = (tables[control].assign(sequences=3000) for control in ("granted", "permuted"))
    figure = import_module(f"studies.learnability_window.figures.{name}").draw(
        tables | {"window": window, "windows": both, "granted": granted, "permuted": permuted}, style
    )
    panels = [ax for ax in figure.axes if ax.get_xlabel() == "sequences N"]
    assert panels
    for ax in panels:
        shaded = [patch.get_x() for patch in ax.patches if patch.get_facecolor() == to_rgba("0.92")]
        assert set(shaded) == {3000}


@pytest.mark.parametrize(
    ("name", "optimizer", "drawn"),
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
    name: str, optimizer: str, drawn: int, tables: dict[str, pd.DataFrame], style: Style
) -> None:
    given = {kind: table.assign(optimizer=optimizer, reading="paper") for kind, table in tables.items()}
    draw = import_module(f"studies.learnability_window.figures.{name}").draw

    def in_grey(figure: Figure) -> int:
        colours = [line.get_color() for ax in figure.axes for line in ax.lines]
        colours += [patch.get_facecolor() for ax in figure.axes for patch in ax.patches]
        return sum(to_rgba(colour)[:3] == to_rgba(GREY)[:3] for colour in colours)

    figure = draw(given, style)
    assert in_grey(figure) == drawn
    named = [text.get_text() for legend in figure.legends for text in legend.get_texts()]
    assert ("paper" in named) == (drawn > 0)
    assert in_grey(draw(given, replace(style, roles={}))) == 0
    caption = (CAPTIONS / f"{name}.rst").read_text()
    assert ("prints no numbers" in caption) == (drawn == 0)
    assert ("Grey" in caption) == (drawn > 0)


def test_claims_and_figures_hold_the_same_numbers_of_the_paper() -> None:
    claims = {claim["id"]: claim for claim in yaml.safe_load(CLAIMS.read_text())["claims"]}
    time_constants, exponents = paper.TIME_CONSTANTS, paper.EXPONENTS
    for prefix, optimizer in (("", "adamw"), ("sgd_", "sgd")):
        for role in ("const", "shared", "diag"):
            said = claims[f"{prefix}{role}" + ("" if prefix else "_tau_env")]["paper"]
            assert float(re.findall(r"τ_env ≈? ?([\d.]+)", said)[0]) == time_constants[optimizer][f"{role}_gate"]
    assert float(re.findall(r"β ≈ ([\d.]+)", claims["diag_beta"]["paper"])[0]) == exponents["adamw"]["diag_gate"]
    for role in ("const", "shared"):
        assert claims[f"{role}_window"]["paper"] == paper.in_words(paper.WINDOWS[f"{role}_gate"])
        said = claims[f"{role}_tau_q"]["paper"]
        assert float(said.removeprefix("τ_q ≈ ")) == paper.TIME_SCALES[f"{role}_gate"][0][0]
    levels = [float(level) for level in re.findall(r"\d+", claims["diag_window"]["paper"])]
    assert levels == [0, *(low for low, _ in paper.WINDOWS["diag_gate"])]


def test_the_floor_of_the_reading_is_drawn_where_noise_scales_end(
    tables: dict[str, pd.DataFrame], style: Style
) -> None:
    draw = import_module("studies.learnability_window.figures.figure_06").draw
    noise = tables["noise"].assign(numerical_floor=1.95e-12)
    for ax in draw(tables | {"noise": noise}, style).axes:
        floors = [line.get_ydata()[0] for line in ax.lines if is_reference(line)]
        np.testing.assert_allclose(floors, [1e-12])
    without = draw(tables | {"noise": noise.assign(numerical_floor=0.0)}, style)
    assert not any(is_reference(line) for ax in without.axes for line in ax.lines)


def test_architectures_differ_in_more_than_colour(style: Style) -> None:
    looks = [style.line(architecture) for architecture in ARCHITECTURES]
    for aspect in ("marker", "linestyle"):
        assert len({str(look[aspect]) for look in looks}) == len(ARCHITECTURES)


def test_more_curves_than_a_panel_holds_become_small_multiples() -> None:
    for count in range(1, 12):
        names = [str(name) for name in range(count)]
        panels = bunches(names)
        assert [name for panel in panels for name in panel] == names
        assert max(map(len, panels)) <= MOST_CURVES
        assert len(panels) == -(-count // MOST_CURVES)


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
    figure = import_module(f"studies.learnability_window.figures.{name}").draw(
        tables | {"sample_complexity": sample_complexity, "window": windows}, style
    )
    write_figure(figure, tmp_path / "figure.png")
    if name in ("figure_03", "figure_07"):
        assert any("N̂" in text.get_text() for ax in figure.axes for text in ax.texts)


def test_the_overview_has_a_panel_of_each_architecture_and_a_line_of_each_reading(
    tables: dict[str, pd.DataFrame], style: Style
) -> None:
    readings = {"paper": 1.0, "gradient_step": 2.0}
    window = pd.concat(
        tables["window"].assign(reading=name, horizon=factor * tables["window"]["horizon"])
        for name, factor in readings.items()
    )
    draw = import_module("studies.learnability_window.figures.overview").draw
    axes = draw({"window": window}, style).axes
    assert len(axes) == len(ARCHITECTURES)
    for ax in axes:
        one, other = (line.get_ydata() for line in ax.lines)
        assert one.max() > 0
        np.testing.assert_allclose(other, 2 * one)


def test_a_picture_looks_as_it_was_drawn(style: Style, tmp_path: Path) -> None:
    figure = Figure(dpi=300)
    ax = figure.subplots()
    x = np.linspace(0, 1)
    for power, colour in enumerate(style.colours.values(), 1):
        ax.plot(x, x**power, color=colour)
        ax.fill_between(x, x**power, x ** (power + 1), color=colour, alpha=0.2)
    write_figure(figure, tmp_path / "written.png")
    figure.savefig(tmp_path / "drawn.png")
    written, drawn = (Image.open(tmp_path / f"{name}.png").convert("RGB") for name in ("written", "drawn"))
    difference = np.abs(np.asarray(written, int) - np.asarray(drawn, int)).max(-1)
    assert difference.mean() < 0.1
    assert (difference < 16).mean() > 0.999
    assert (tmp_path / "written.png").stat().st_size < 0.5 * (tmp_path / "drawn.png").stat().st_size


def test_ticks_of_a_reversed_axis_are_as_many() -> None:
    ax = Figure().subplots()
    plain_log(ax, "x")
    shown = []
    for limits in ((1e-4, 1), (1, 1e-4)):
        ax.set_xlim(limits)
        shown.append([ax.xaxis.get_minor_formatter()(value, 0) for value in (0.002, 0.05)])
    assert shown == [["", ""], ["", ""]]


@pytest.mark.parametrize(
    ("limits", "labels"), [((0.5e-9, 2), {"1e-8", "1e-4", "1"}), ((0.5, 2e4), {"1", "100", "10000"})]
)
def test_ticks_of_one_axis_have_one_form(limits: tuple[float, float], labels: set[str]) -> None:
    ax = Figure().subplots()
    plain_log(ax, "y")
    ax.set_ylim(limits)
    said = {ax.yaxis.get_major_formatter()(float(label), 0) for label in labels}
    assert said == labels


@pytest.mark.parametrize(
    "limits", [(2.2e-5, 2.4e-5), (4e-6, 7.5e-6), (5.01, 49.9), (1, 29), (8e-5, 8.01e-5), (0.9, 1.9), (1, 31), (1e-9, 1)]
)
def test_labels_of_a_narrow_logarithmic_axis_stand_apart(limits: tuple[float, float]) -> None:
    figure = Figure(figsize=(3.3, 1.3), layout="constrained")
    ax = figure.subplots()
    plain_log(ax, "y")
    ax.set(ylim=limits, xlabel="lag ℓ (steps)", title="as low as a panel gets")
    assert len(tick_labels(ax.yaxis)) >= 2
    assert overlaps(figure) == []


def test_a_line_of_scales_breaks_off_where_the_median_is_floored(tables: dict[str, pd.DataFrame], style: Style) -> None:
    floored = tables["noise"]["seed"].eq(0) & tables["noise"]["lag"].gt(40)
    noise = tables["noise"].assign(scale=tables["noise"]["scale"].mask(floored, 0.0))
    axes = import_module("studies.learnability_window.figures.figure_06").draw(tables | {"noise": noise}, style).axes
    for ax, architecture in zip(axes, ARCHITECTURES, strict=True):
        scale = noise[noise["architecture"] == architecture].groupby("lag")["scale"].median()
        np.testing.assert_array_equal(ax.lines[0].get_xdata(), scale.index[scale > 0])
        np.testing.assert_allclose(ax.lines[0].get_ydata(), scale[scale > 0])


def test_a_sample_complexity_out_of_sight_is_marked_on_the_edge(tables: dict[str, pd.DataFrame], style: Style) -> None:
    given = tables["sample_complexities"]
    far = given["lag"] == LAGS[-1]
    raised = given.assign(log_sample_complexity=given["log_sample_complexity"].mask(far, 20 * np.log(10)))
    draw = import_module("studies.learnability_window.figures.off_task").draw
    for ax in draw(tables | {"sample_complexities": raised}, style).axes:
        (marked,) = (line for line in ax.lines if line.get_marker() == "^")
        assert LAGS[-1] in marked.get_xdata()
        assert set(marked.get_ydata()) == {ax.get_ylim()[1]}


def test_a_density_integrates_to_one_even_for_a_degenerate_spectrum() -> None:
    rng = np.random.default_rng(0)
    for values in (np.full(64, 0.85), rng.uniform(5, 9, 500), rng.exponential(10, 500)):
        x, density = kernel_density(values)
        assert np.trapezoid(density, x) == pytest.approx(1, abs=0.01)
