"""What `learnability.measure_model` finds: tables, and views of them as one table, a sentence and a figure."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    import matplotlib.figure  # otherwise imported by `plot` alone

ENDS = ("", "_low", "_high")
"""Of the columns of a value and its 95 % interval."""
NOISES = {"total": "noise of the whole gradient", "matched": "noise of the lag's own part"}
TRANSPORTS = {"exact": "exact transport", "first_order": "first-order transport"}
COLOURS = {"total": "#0173b2", "matched": "#d55e00", "exact": "#000000", "first_order": "#029e73"}
WIDTH_MM, FONT_SIZE, DPI = 170, 7, 200


class Measured(NamedTuple):
    """What `learnability.measure_model` finds; tables are tidy.

    Args:
        envelope: f̂(ℓ), mean rate and quantiles over state units, first order, base rate 1.
        exact: exact beside first-order transport at each lag (`learnability.transport.exact_table`).
        noise: signal Δ̂, α̂ and σ̂ at each lag and, along its own gradient, the noise scale B_ℓ; `sample_complexity`:
            N̂(ℓ); `window`: Ĥ_N, at the N that was measured, too; with 95 % intervals. Each for both kinds of
            `transport` and, where the reading's noise is that of the whole gradient, `total`, for that of the lag's
            part alone, too, `matched`; the latter two by every criterion.
    """

    envelope: pd.DataFrame
    exact: pd.DataFrame
    noise: pd.DataFrame
    sample_complexity: pd.DataFrame
    window: pd.DataFrame

    def to_dataframe(self) -> pd.DataFrame:
        """A row for each kind of transport and noise (and direction, if there are several), and each lag.

        Returns:
            `envelope` f̂(ℓ); `exact` Σ_q ⟨|diag M|⟩ beside `first_order`, the same for every kind; by the reading's
            criterion `sample_complexity` N̂(ℓ), sequences, not rounded to the grid of N, ∞ if no N suffices; where each
            lag is held against its own gradient `noise_scale` B_ℓ, sequences; the latter two with the ends of their
            95 % intervals, `…_low` and `…_high`.
        """
        keys = ["transport", "noise", *(["direction"] if self.noise["direction"].any() else []), "lag"]
        chosen = self.sample_complexity[self.sample_complexity["chosen"]]
        with np.errstate(over="ignore"):  # beyond what a float holds N̂ is ∞
            found = {f"sample_complexity{end}": np.exp(chosen[f"log_sample_complexity{end}"]) for end in ENDS}
        scales = [name for end in ENDS if (name := f"noise_scale{end}") in self.noise]
        transported = self.envelope[["lag", "envelope"]].merge(self.exact[["lag", "exact", "first_order"]], on="lag")
        table = chosen[keys].merge(transported, on="lag", how="left")
        return table.merge(chosen[keys].assign(**found), on=keys).merge(self.noise[[*keys, *scales]], on=keys)

    def summary(self) -> str:
        """The window at the N that was measured, by exact transport, in one sentence; of directions their median."""
        rows = self.window[self.window["chosen"] & (self.window["transport"] == "exact")]
        rows = rows[rows["sample_size"] == rows["sequences"]]
        windows = rows.groupby("noise", sort=False)[[f"horizon{end}" for end in ENDS]].median()
        told = " and ".join(
            f"{reach:g} (95 % interval {low:g} to {high:g}) in the {NOISES[str(noise)]}"
            for noise, reach, low, high in windows.itertuples()
        )
        return (
            f"The window of {rows['sequences'].iloc[0]} sequences, the longest lag whose exact gradient they detect, "
            f"in steps, is {told}."
        )

    def plot(self) -> "matplotlib.figure.Figure":
        """N̂(ℓ) and Ĥ_N in each noise, by exact transport, and exact beside first-order transport at each lag.

        Medians over directions, where there are several. A user's settings of matplotlib stay as they are.
        """
        from matplotlib import rc_context

        with rc_context({"figure.dpi": DPI}):
            figure = self._draw()
            figure.draw_without_rendering()  # ticks take the settings of their first drawing
        return figure

    def _draw(self) -> "matplotlib.figure.Figure":
        from matplotlib.lines import Line2D

        from learnability.report.panels import envelopes, plain_log, windows
        from learnability.report.style import BEYOND, GREY, INTERVAL, Style, heading, headline, legend

        kinds = {**{name: NOISES[name] for name in self.window["noise"].unique()}, **TRANSPORTS}
        style = Style(list(kinds), COLOURS, kinds, WIDTH_MM, FONT_SIZE)
        figure, (complexity, window, transport) = style.panels(3)
        given, sequences = self.to_dataframe(), self.window["sequences"].iloc[0]
        needed, reached = (
            table[table["transport"] == "exact"].assign(architecture=table["noise"], seed=0)
            for table in (given, self.window)
        )
        passed = self.exact.melt("lag", list(TRANSPORTS), "architecture", "passed").assign(seed=0)
        envelopes(complexity, needed, "sample_complexity", style)
        windows(window, reached, style)
        envelopes(transport, passed, "passed", style)
        at_n = Line2D([], [], color=GREY, linewidth=2, zorder=0, label=f"N = {sequences}, measured")
        look = {name: at_n.properties()[name] for name in ("color", "linewidth", "zorder")}
        complexity.axhline(sequences, **look)
        window.axvline(sequences, **look)
        beyond = needed.groupby(["architecture", "lag"])["sample_complexity"].median()
        for architecture, lag in beyond[np.isinf(beyond)].index:
            place = 0.97 - 0.05 * list(kinds).index(architecture)
            line = style.line(architecture) | {"marker": "$∞$", "markersize": 6, "linestyle": ""}
            complexity.plot(lag, place, transform=complexity.get_xaxis_transform(), **line)
        for ax in (complexity, transport):
            plain_log(ax, "y")
            ax.locator_params(axis="x", integer=True)
        window.locator_params(axis="y", integer=True)
        complexity.set(ylabel="sample complexity N̂(ℓ) (sequences)", xlim=transport.get_xlim())
        transport.set(ylabel="Σ |diagonal| of the transport")
        heading(complexity, "N̂(ℓ); ∞: no N suffices")
        heading(window, "Ĥ(N)")
        heading(transport, "what passes ℓ steps")
        headline(figure, self.summary())
        legend(figure, *style.handles(), INTERVAL, at_n, BEYOND)
        return figure

    def _repr_html_(self) -> str:
        """For notebooks: the sentence of `summary` over the table of `to_dataframe`."""
        table = self.to_dataframe().to_html(index=False, float_format="{:.3g}".format, border=0)
        return f"<p>{self.summary()}</p>{table}"
