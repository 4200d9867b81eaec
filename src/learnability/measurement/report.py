"""A report of a measurement as one file: summary, limits, table by lag and figure, in Markdown or HTML."""

import base64
from collections.abc import Callable
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from learnability.core.errors import require
from learnability.core.store import write_text
from learnability.measurement.labels import NOISES

if TYPE_CHECKING:  # otherwise imported where it draws
    import matplotlib.figure

SUFFIXES = (".html", ".md")
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; display: block; overflow-x: auto; font-variant-numeric: tabular-nums; }
th, td { padding: 0.2rem 0.8rem; text-align: right; border-bottom: 1px solid #ddd; }
th { border-bottom: 2px solid #222; }
th:first-child, td:first-child { text-align: left; }
img { max-width: 100%; height: auto; }
"""
CAPTION = "Sample complexity at each lag, windows over the number of sequences, and the gradient that crosses each lag."
RELIANCE = (
    "A window is the longest lag whose gradient these sequences detect. It finds faults: a path on which the gradient "
    "vanishes, a lag that a mask or a truncation cuts off, a lag whose gradient drowns in noise. It does not predict "
    "what training will reach, nor which of two models learns better."
)
SYMBOLS = (
    "N̂(ℓ) is the number of sequences from which the gradient of lag ℓ is detected; ∞: these sequences cannot "
    "tell the gradient from 0, so that no number can be computed. "
    "The gradient that crosses is the sum of the absolute diagonal of the products of Jacobians over ℓ steps."
)


class Section(NamedTuple):
    """A heading with a text below it, or a table, or both."""

    heading: str
    text: str
    table: pd.DataFrame | None = None


def check_report_path(name: str, path: str | Path) -> Path:
    """Path of a report; `InputError` about the setting `name` unless it ends in .md or .html."""
    require(Path(path).suffix in SUFFIXES, name, "a file that ends in .md or .html", str(path))
    return Path(path)


def write_report(
    path: Path,
    title: str,
    summary: str,
    limits: pd.DataFrame,
    by_lag: pd.DataFrame,
    figure: "matplotlib.figure.Figure",
) -> None:
    """Write the report of `Measured.report`.

    Args:
        path: of `check_report_path`.
        summary, limits: of `Measured`.
        by_lag: `Measured.to_dataframe()`.
        figure: `Measured.plot()`.
    """
    make = _markdown if path.suffix == ".md" else _html
    sections = [
        Section("What limits the window", "", _limits(limits)),
        Section("Each lag", SYMBOLS, _lags(by_lag)),
        Section("How far to rely on it", RELIANCE),
    ]
    write_text(make(title, summary, sections, _picture(figure)), path)


def _limits(limits: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "noise": limits["noise"].map(NOISES),
            "sequences": limits["sequences"].map(_number),
            "window (steps)": limits["window"].map(_number),
            "95 % interval": _intervals(limits, "window"),
            "limited at lag": [_number(lag) if lag else "–" for lag in limits["lag"]],
            "by": limits["limit"],
        }
    )


def _lags(by_lag: pd.DataFrame) -> pd.DataFrame:
    """Rows by exact transport; medians, if there are several directions."""
    exact = by_lag[by_lag["transport"] == "exact"].drop(columns="transport")
    exact = exact.groupby(["noise", "lag"], sort=False).median().reset_index()
    columns = {
        "noise": exact["noise"].map(NOISES),
        "lag ℓ (steps)": exact["lag"].map(_number),
        "N̂(ℓ) (sequences)": exact["sample_complexity"].map(_sequences),
        "95 % interval": _intervals(exact, "sample_complexity", _sequences),
        "gradient that crosses": exact["exact"].map(_number),
        "to first order": exact["first_order"].map(_number),
    }
    return pd.DataFrame(columns)


def _number(value: float) -> str:
    if np.isinf(value):
        return "∞"
    return "–" if np.isnan(value) else f"{value:.3g}"


def _sequences(count: float) -> str:
    """A number of sequences as text; "<1" below one, for there is no part of a sequence."""
    return "<1" if count < 1 else _number(count)


def _intervals(table: pd.DataFrame, name: str, form: Callable[[float], str] = _number) -> list[str]:
    ends = zip(table[f"{name}_low"], table[f"{name}_high"], strict=True)
    return [f"{form(low)} to {form(high)}" for low, high in ends]


def _picture(figure: "matplotlib.figure.Figure") -> str:
    """The figure, as the address of an image that holds it."""
    from learnability.report.style import write_figure

    with TemporaryDirectory() as folder:
        path = Path(folder) / "measured.png"
        write_figure(figure, path)
        return f"data:image/png;base64,{base64.b64encode(path.read_bytes()).decode()}"


def _markdown(title: str, summary: str, sections: list[Section], picture: str) -> str:
    parts = [f"# {title}", summary, f"![{CAPTION}]({picture})"]
    for section in sections:
        parts += [f"## {section.heading}", *([section.text] if section.text else [])]
        if section.table is not None:
            names = [str(name) for name in section.table]
            rows: list[list[str]] = [names, ["---"] * len(names), *section.table.to_numpy().tolist()]
            parts.append("\n".join("| " + " | ".join(row) + " |" for row in rows))
    return "\n\n".join(parts) + "\n"


def _html(title: str, summary: str, sections: list[Section], picture: str) -> str:
    parts = [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>",
        f"<h1>{escape(title)}</h1>\n<p>{escape(summary)}</p>",
        f'<img src="{picture}" alt="{escape(CAPTION)}">',
    ]
    for section in sections:
        parts.append(f"<h2>{escape(section.heading)}</h2>")
        parts += [f"<p>{escape(section.text)}</p>"] if section.text else []
        if section.table is not None:
            parts.append(section.table.to_html(index=False, border=0))
    return "\n".join([*parts, "</body>\n</html>\n"])
