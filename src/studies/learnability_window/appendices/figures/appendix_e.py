"""Appendix E: mutual information, errors, and how many draws a decision takes."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from learnability.report.panels import plain_log
from learnability.report.style import DASHES, Style, Tables, heading, headline
from learnability.stats.fits import fit_line
from studies.learnability_window.appendices.figures.theory_panels import by_name, by_tail_index
from studies.learnability_window.theory.information import ALPHA, ERROR, SIGNAL

ERRORS = {"bayes_error": ("exact", "-"), "fano_error": ("Fano, binary", "--"), "paper_error": ("1 - I/log 2", ":")}


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables `information`, `by_error` and `by_signal` of `theory.information`."""
    figure, (ratio, error, by_error, by_signal) = style.panels(4, 2, height_mm=54)
    for alpha, rows, colour in by_tail_index(tables["information"]):
        ratio.plot(rows["shift"], rows["ratio"], color=colour, label=f"α = {alpha:g}")
    ratio.axhline(0.25, color="k", linestyle=":", linewidth=0.7, label="1/4")
    ratio.set(xlabel="separation h (scales)", ylabel="I / (c h²)", ylim=(0, 0.27))
    heading(ratio, "information over its bound", ncols=3)
    rows = tables["information"][tables["information"]["alpha"] == ALPHA]
    for column, (label, line) in ERRORS.items():
        error.plot(rows["shift"], rows[column], f"k{line}", label=label)
    error.set(xlabel="separation h (scales)", ylabel=f"error, α = {ALPHA:g}", ylim=(0, 1.02))
    heading(error, "error of a decision", ncols=2)
    for ax in (ratio, error):
        plain_log(ax, "x")
    for ax, x, table in zip((by_error, by_signal), ("error_level", "signal"), ("by_error", "by_signal"), strict=True):
        for (rule, rule_rows, shade), dash in zip(by_name(tables[table], "rule"), DASHES, strict=False):
            slope = fit_line(np.log(rule_rows[x].to_numpy()), np.log(rule_rows["sample_complexity"].to_numpy())).slope
            label = f"{rule}: {slope:.2f}" if x == "signal" else _with_error(rule, rule_rows)
            ax.plot(rule_rows[x], rule_rows["sample_complexity"], color=shade, linestyle=dash, label=label)
        heading(ax, f"draws over the {'signal, with slopes' if x == 'signal' else 'error level'}", ncols=2)
        for axis in "xy":
            plain_log(ax, axis)
        ax.invert_xaxis()
    by_error.set(xlabel="error level ε", ylabel=f"draws N at Δ = {SIGNAL:g} σ")
    by_signal.set(xlabel="signal Δ/σ", ylabel=f"draws N at ε = {ERROR:g}")
    by_signal.set_xticks([0.5, 0.2, 0.1, 0.05, 0.02])
    headline(figure, "Mutual information lies below the paper's lower bound")
    return figure


def _with_error(rule: str, rows: pd.DataFrame) -> str:
    """The rule; if it takes the mean, with the error that the mean has where ε = 0.1 is asked for."""
    if rule not in ("Eq. 36", "mean"):
        return rule
    nearest = rows.iloc[(rows["error_level"] - ERROR).abs().argmin()]
    return f"{rule}: errs in {nearest['mean_error']:.3f}"
