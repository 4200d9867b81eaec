"""Results of `learnability.measure_model`: tables, and views of them as a table, a sentence, a figure and a report."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from learnability.measurement.figure import draw_at_resolution, draw_measured
from learnability.measurement.labels import ENDS, NOISES
from learnability.measurement.limits import NO_LIMIT, cut_off_lags, find_limits
from learnability.measurement.report import check_report_path, write_report
from learnability.windows.noise import HEAVY

if TYPE_CHECKING:  # otherwise imported by `plot` alone
    import matplotlib.figure


class Measured(NamedTuple):
    """Results of `learnability.measure_model`, as tidy tables.

    Args:
        envelope: f̂(ℓ), mean rate and quantiles over state units, first order, base rate 1.
        exact: exact and first-order transport at each lag (`learnability.transport.exact_table`).
        noise: signal Δ̂, tail index α̂ and scale σ̂ of the noise at each lag; the noise scale B_ℓ, if each lag is
            measured along its own gradient; `sequences_with_target`, sequences with a target later than the lag.
        sample_complexity: N̂(ℓ) by every criterion; `chosen` marks the reading's criterion.
        window: Ĥ_N, called `horizon`, in steps, by every criterion; for each N of the reading and the N that was
            measured.

    The last three have 95 % intervals, `…_low` and `…_high`, and rows for each kind of `transport` (exact and, unless
    `first_order=False`, first_order) and of `noise`: `total`, the noise of the whole gradient, if the reading has it,
    and `matched`, the noise of the lag's own part.
    """

    envelope: pd.DataFrame
    exact: pd.DataFrame
    noise: pd.DataFrame
    sample_complexity: pd.DataFrame
    window: pd.DataFrame

    def to_dataframe(self) -> pd.DataFrame:
        """A row for each kind of transport and noise (and direction, if there are several), and each lag.

        Returns:
            `envelope` f̂(ℓ); `exact` and `first_order`, the transports Σ_q ⟨|diag M|⟩, the same in every kind;
            `sample_complexity` N̂(ℓ) by the reading's criterion, in sequences, not rounded to the grid of N, ∞ if none
            can be computed from the measured sequences; `noise_scale` B_ℓ in sequences, if each lag is measured along
            its own gradient. The last two have the ends of their 95 % intervals, `…_low` and `…_high`.
        """
        keys = ["transport", "noise", *(["direction"] if self.noise["direction"].any() else []), "lag"]
        rows = self.sample_complexity[self.sample_complexity["chosen"]]
        with np.errstate(over="ignore"):  # beyond what a float holds N̂ is ∞
            estimates = {f"sample_complexity{end}": np.exp(rows[f"log_sample_complexity{end}"]) for end in ENDS}
        scales = [name for end in ENDS if (name := f"noise_scale{end}") in self.noise]
        transports = self.envelope[["lag", "envelope"]].merge(self.exact[["lag", "exact", "first_order"]], on="lag")
        table = rows[keys].merge(transports, on="lag", how="left")
        return table.merge(rows[keys].assign(**estimates), on=keys).merge(self.noise[[*keys, *scales]], on=keys)

    def limits(self) -> pd.DataFrame:
        """Limits of the window of the measured sequences, by exact transport, in each kind of noise.

        The limit is judged at the shortest measured lag beyond the window. κ is the exponent of N̂(ℓ), ρ(ℓ) the mean
        spectral norm of the transport, counted as at most 1: the share of the gradient that crosses the lag where it
        fades least.

        1. "no target lies this far behind an input": the mask leaves no target at any t > ℓ. "too few sequences have a
           target this far behind an input": fewer than 20 have one, or so few that most gradients of the lag are 0.
        2. "the gradient vanishes", in the noise of the whole gradient: N sequences would detect the lag, had the
           gradient crossed it without loss, N̂(ℓ) ρ(ℓ)^κ ≤ N. Where N̂(ℓ) is ∞: N sequences would detect the strongest
           signal of all lags without loss, but not across this lag; or nothing crosses it. The noise of the lag's own
           part fades with the signal: there this is the limit only if the gradient is exactly 0 in every sequence.
        3. "noise dominates": N̂(ℓ) is finite, or the noise has no mean that concentrates.
        4. "the mean gradient cannot be told from 0": N̂(ℓ) is ∞. Targets may not depend on inputs so long ago, or the
           model may have learned it already. With few sequences a weak dependence looks the same.

        >>> import torch
        >>> from learnability import measure_model
        >>> inputs = torch.randn(30, 6, 3)
        >>> measured = measure_model(torch.nn.GRU(3, 1, batch_first=True), inputs, inputs.cumsum(1).sum(2))
        >>> measured.limits().columns.tolist()
        ['noise', 'sequences', 'window', 'window_low', 'window_high', 'lag', 'limit']

        Returns:
            A row for each kind of noise: `sequences` N, `window` Ĥ(N) in steps with its 95 % interval `window_low` and
            `window_high`, `lag` at which it is limited, 0 if no measured lag is beyond it, and `limit`, one of the
            five or "no measured lag is beyond the window". With several directions, `window` is their median and
            `limit` their most frequent one.
        """
        return find_limits(self.window, self.sample_complexity, self.noise, self.exact)

    def summary(self) -> str:
        """The window at the N that was measured, by exact transport, and what limits it (`limits`).

        The window to use comes first: in the noise of the whole gradient, if the reading has it. With several
        directions the window is their median. Lags that the model or the mask cuts off are named at the end, wherever
        the limit is judged: a gradient of exactly 0, or fewer than 20 sequences with a target so far behind an input.
        Heavy tails of this noise are named before.
        """
        limits = self.limits()
        first, *rest = limits.to_dict("records")
        steps = self.window["steps"].iloc[0]
        limit = f"The limit at lag {first['lag']} is: {first['limit']}" if first["lag"] else NO_LIMIT.capitalize()
        explanation = ", the longest measured lag whose exact gradient they detect"
        sentences = [
            f"The window of {first['sequences']} sequences of {steps} steps in the {NOISES[first['noise']]} is "
            f"{_window_text(first)}{explanation if first['window'] else ': they detect no measured lag'}",
            limit,
            *(
                f"In the {NOISES[row['noise']]}, which fades with the lag, the window is {_window_text(row)}"
                for row in rest
            ),
            *self._heavy_tail_sentences(first["noise"]),
            *self._cut_off_sentences(first["limit"], first["lag"]),
        ]
        return ". ".join(sentences) + "."

    def _heavy_tail_sentences(self, noise: str) -> list[str]:
        """A sentence if a tail index is so small that N̂ is unreliable, in one kind of noise by exact transport."""
        rows = self.noise[(self.noise["noise"] == noise) & (self.noise["transport"] == "exact")]
        least = rows["alpha"].min()
        if not least < HEAVY:
            return []
        advice = "so N̂ may be wrong by many orders of magnitude: measure more sequences"
        return [f"This noise has heavy tails (tail index {least:.2f}), {advice}"]

    def _cut_off_sentences(self, limit: str, at: int) -> list[str]:
        """A sentence for each cause that cuts lags off, with all these lags but that of a limit that says the same."""
        sentences = []
        for cause, lags in cut_off_lags(self.noise).items():
            names = [str(lag) for lag in lags if (cause, lag) != (limit, at)]
            if len(names) > 1:
                sentences.append(f"At lags {', '.join(names[:-1])} and {names[-1]}: {cause}")
            elif names:
                sentences.append(f"At lag {names[0]}: {cause}")
        return sentences

    def plot(self) -> "matplotlib.figure.Figure":
        """Figure of N̂(ℓ) and Ĥ_N in each noise, by exact transport, and of both kinds of transport at each lag.

        With several directions their medians are drawn. A user's settings of matplotlib stay as they are.
        """
        return draw_at_resolution(lambda: draw_measured(self.to_dataframe(), self.window, self.exact, self.summary()))

    def report(self, path: str | Path, title: str = "Learnability window") -> None:
        """Write summary, limits, the table by lag and the figure to one file, which needs no other.

        >>> import torch
        >>> from learnability import measure_model
        >>> inputs = torch.randn(30, 6, 3)
        >>> measured = measure_model(torch.nn.GRU(3, 1, batch_first=True), inputs, inputs.cumsum(1).sum(2))
        >>> import pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     measured.report(pathlib.Path(folder) / "gru.html", title="GRU")

        Args:
            path: a file that ends in .md or .html, which decides the format. The file contains the figure.
            title: of the report.

        Raises:
            InputError: for another ending.
            WritingFailed: if the file cannot be written.
        """
        target = check_report_path("path", path)
        write_report(target, title, self.summary(), self.limits(), self.to_dataframe(), self.plot())

    def __repr__(self) -> str:
        """The sentence of `summary` above the table of `to_dataframe` without its intervals, for terminals."""
        table = self.to_dataframe()
        brief = table[[name for name in table if not str(name).endswith(ENDS[1:])]]
        return f"{self.summary()}\n{brief.to_string(index=False, float_format='{:.3g}'.format)}"

    def _repr_html_(self) -> str:
        """The sentence of `summary` above the table of `to_dataframe`, for notebooks."""
        table = self.to_dataframe().to_html(index=False, float_format="{:.3g}".format, border=0)
        return f"<p>{self.summary()}</p>{table}"


def by_lag(measured: Measured, noise: str) -> pd.DataFrame:
    """Table of N̂(ℓ), its interval and the transported gradient at each lag, by exact transport in one kind of noise.

    Returns:
        `exact`, `sample_complexity`, `sample_complexity_low` and `sample_complexity_high`, medians over directions; the
        index is the lag.
    """
    table = measured.to_dataframe()
    rows = table[(table["transport"] == "exact") & (table["noise"] == noise)]
    return rows.groupby("lag")[["exact", *(f"sample_complexity{end}" for end in ENDS)]].median()


def _window_text(limits: Mapping[Any, Any]) -> str:
    """A window with its interval, in words."""
    unit = "step" if limits["window"] == 1 else "steps"
    return f"{limits['window']:g} {unit} (95 % interval {limits['window_low']:g} to {limits['window_high']:g})"
