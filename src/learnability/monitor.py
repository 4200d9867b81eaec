"""Windows during a training of your own: a hook that measures every few epochs and leaves the training as it is."""

import logging
import time
from collections.abc import Callable
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from torch import Tensor, nn

from learnability.core.errors import InputError, require
from learnability.measurement.arguments import check_options, module_signature, refuse_class_or_method
from learnability.measurement.data import require_count
from learnability.measurement.figure import WIDTH_MM, draw_at_resolution
from learnability.measurement.functions import generators_restored
from learnability.measurement.labels import NOISES
from learnability.measurement.measured import Measured, by_lag
from learnability.measurement.model import measure_model

if TYPE_CHECKING:
    import matplotlib.figure  # otherwise imported by `plot` alone

FONT_SIZE, HEIGHT_MM = 8, 80
COLOUR_FACTOR = 1000
"""Factor above and below N at which colours of N̂ end."""
INFINITE_COLOUR = "0.85"
"""Colour of an N̂ of ∞."""
MOST_TICKS = 12
"""Largest number of epochs that all have a tick."""
COLUMNS = (
    *("epoch", "lag", "exact", "sample_complexity", "sample_complexity_low", "sample_complexity_high"),
    *("sequences", "window", "window_low", "window_high", "limit"),
)
"""Columns of a monitor's table."""

log = logging.getLogger(__name__)


class WindowMonitor:
    """Measures a module every few epochs of its training, and skips measurements that would take too much of the time.

    The training stays as it is: a copy is measured, and random generators are put back. In a loop of your own call
    `epoch_ended` after each epoch. Lightning and Hugging Face call `on_train_epoch_end` and `on_epoch_end` of a class
    that inherits from their callback too, `class Callback(WindowMonitor, TrainerCallback): pass`.

    >>> import torch
    >>> from learnability import WindowMonitor
    >>> inputs = torch.randn(30, 6, 2)
    >>> targets = inputs.cumsum(1).sum(2)
    >>> gru, head = torch.nn.GRU(2, 4, batch_first=True), torch.nn.Linear(4, 1)
    >>> optimizer = torch.optim.Adam([*gru.parameters(), *head.parameters()])
    >>> monitor = WindowMonitor(gru, inputs, targets, readout=head, every=2, share=1)
    >>> for epoch in range(4):
    ...     loss = (head(gru(inputs)[0])[..., 0] - targets).square().mean()
    ...     optimizer.zero_grad()
    ...     loss.backward()
    ...     optimizer.step()
    ...     monitor.epoch_ended()
    >>> monitor.table()["epoch"].unique().tolist()
    [2, 4]
    >>> figure = monitor.plot()

    Args:
        module, inputs, targets, readout: as in `measure_model`; at least 20 sequences that are not trained on. A
            readout that is trained too must be a module, so that each epoch is measured with its weights.
        every: epochs from one measurement to the next.
        share: largest share of the time since the monitor was made that measurements may take. A measurement is skipped
            while past ones have taken more; 0 allows one measurement, 1 all.
        clock: gives the time in seconds.
        **options: of `measure_model`, for example `lags`; by default `first_order=False`, in half the time.

    Attributes:
        measured: what `measure_model` returned, by epoch, counted from 1.

    Raises:
        InputError: for an `every`, a `share` or an option that is not allowed, and for a class in place of a module.
    """

    def __init__(
        self,
        module: nn.Module,
        inputs: ArrayLike,
        targets: ArrayLike,
        *,
        readout: Callable[[Any], Tensor] | None = None,
        every: int = 5,
        share: float = 0.05,
        clock: Callable[[], float] = time.monotonic,
        **options: Any,
    ) -> None:
        require_count("every", every)
        is_share = isinstance(share, Real) and not isinstance(share, bool) and 0 <= share <= 1
        require(is_share, "share", "a number in [0, 1]", share)
        check_options("WindowMonitor", options, [*module_signature().parameters, "every", "share", "clock"])
        refuse_class_or_method(module)
        super().__init__()
        self.measured: dict[int, Measured] = {}
        arguments = {"module": module, "inputs": inputs, "targets": targets, "readout": readout}
        self._model = {**arguments, "first_order": False, **options}
        self._every, self._share, self._clock = every, share, clock
        self._began, self._spent, self._epoch = clock(), 0.0, 0

    def epoch_ended(self) -> None:
        """Count an epoch, and measure the module if a measurement is due and past ones took no more than their share.

        A measurement that is skipped is logged as a warning.

        Raises:
            InputError: from the first measurement, as in `measure_model`. When later ones fail, by weights that are no
                longer finite, say, a warning is logged and the training goes on.
        """
        self._epoch += 1
        began = self._clock()
        if self._epoch % self._every:
            return
        duration = began - self._began
        if self._spent > self._share * duration:
            message = "Epoch %d was skipped: measurements took %.3g %% of the time, `share` allows %.3g %%."
            log.warning(message, self._epoch, 100 * self._spent / duration, 100 * self._share)
            return
        try:
            with generators_restored():
                self.measured[self._epoch] = measure_model(**self._model)
        except InputError as error:
            if not self.measured:
                raise
            log.warning("Epoch %d could not be measured: %s", self._epoch, error)
        finally:
            self._spent += self._clock() - began

    def on_train_epoch_end(self, trainer: Any, module: Any) -> None:
        """Hook of a Lightning callback; calls `epoch_ended` and uses no argument."""
        self.epoch_ended()

    def on_epoch_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Hook of a Hugging Face callback; calls `epoch_ended` and uses no argument."""
        self.epoch_ended()

    def table(self) -> pd.DataFrame:
        """Measurements so far, by exact transport, in the noise of the whole gradient if the reading has it.

        Returns:
            A row for each measured epoch and lag: `epoch`, counted from 1, `lag`, `exact` Σ_q ⟨|diag M|⟩ of the
            transported gradient, `sample_complexity` N̂(ℓ) with its 95 % interval `sample_complexity_low` and
            `sample_complexity_high`, and the same for all lags of an epoch `sequences` N, `window` Ĥ(N), `window_low`,
            `window_high` and `limit` (`Measured.limits`). No rows before the first measurement.
        """
        parts = [_of_epoch(epoch, result) for epoch, result in self.measured.items()]
        return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=COLUMNS)

    def plot(self) -> "matplotlib.figure.Figure":
        """Figure of N̂(ℓ), as a colour over epochs and lags, with the window as a line with 95 % intervals.

        Lags that the measured sequences detect are blue, others red; an N̂(ℓ) of ∞ is grey. If measurements were skipped
        or failed, the axis of epochs says how many were made. A user's settings of matplotlib stay as they are.

        Raises:
            InputError: before the first measurement.
        """
        require(len(self.measured) > 0, "plot", "called after a first measurement", "none so far")
        noise = str(next(iter(self.measured.values())).limits()["noise"].iloc[0])
        return draw_at_resolution(lambda: _draw(self.table(), noise, self._epoch // self._every))


def _of_epoch(epoch: int, measured: Measured) -> pd.DataFrame:
    first = measured.limits().iloc[0]  # of the reading's own noise
    table = by_lag(measured, str(first["noise"])).reset_index()
    return table.assign(epoch=epoch, **{name: first[name] for name in COLUMNS if name in first and name != "lag"})[
        list(COLUMNS)
    ]


def _draw(table: pd.DataFrame, noise: str, due: int) -> "matplotlib.figure.Figure":
    from matplotlib.colors import LogNorm

    from learnability.report.style import Style, headline

    complexities = table.pivot(index="lag", columns="epoch", values="sample_complexity")
    windows = table.drop_duplicates("epoch").set_index("epoch")
    figure, (ax,) = Style([], {}, {}, WIDTH_MM, FONT_SIZE).panels(1, height_mm=HEIGHT_MM)
    epochs, lags, size = (
        complexities.columns.to_numpy(float),
        complexities.index.to_numpy(),
        windows["sequences"].iloc[0],
    )
    middles = (epochs[1:] + epochs[:-1]) / 2
    ends = (middles[0], middles[-1]) if len(middles) else (epochs[0] - 0.5, epochs[0] + 0.5)
    edges = np.array([2 * epochs[0] - ends[0], *middles, 2 * epochs[-1] - ends[1]])
    colours = ax.pcolormesh(
        edges,
        np.arange(len(lags) + 1),
        complexities.where(np.isfinite(complexities)),
        cmap="RdBu_r",
        norm=LogNorm(size / COLOUR_FACTOR, size * COLOUR_FACTOR),  # white at N
    )
    ax.set_facecolor(INFINITE_COLOUR)
    for (row, column), value in np.ndenumerate(complexities.to_numpy()):
        if np.isinf(value):
            aside = edges[column] + 0.25 * (edges[column + 1] - edges[column])  # not behind a whisker
            ax.text(aside, row + 0.5, "∞", ha="center", va="center", color="0.4")
    low, top, high = ((lags[:, None] <= windows[f"window{end}"].to_numpy()).sum(0) for end in ("_low", "", "_high"))
    line: dict[str, Any] = {"color": "k", "marker": "o", "linewidth": 1.5, "elinewidth": 0.8, "clip_on": False}
    ax.errorbar(epochs, top, [top - low, high - top], **line)
    above = top[-1] < len(lags)
    ax.annotate(
        "window",
        (epochs[-1], top[-1]),
        (-4, 5 if above else -5),
        textcoords="offset points",
        ha="right",
        va="bottom" if above else "top",
        weight="bold",
    )
    ax.set_yticks(np.arange(len(lags)) + 0.5, [f"{lag:g}" for lag in lags])
    count_note = f" ({len(epochs)} of {due} measured; others were skipped or failed)" if len(epochs) < due else ""
    ax.set(xlabel=f"epoch{count_note}", ylabel="lag ℓ (steps)", ylim=(0, len(lags)))
    if len(epochs) <= MOST_TICKS:
        ax.set_xticks(epochs)
    key = figure.colorbar(colours, ax=ax, extend="both")
    key.ax.yaxis.set_major_formatter("{x:g}")  # raised exponents would be too small to read
    key.minorticks_off()
    key.set_label("sample complexity N̂(ℓ) (sequences)")
    key.ax.axhline(size, color="k", linewidth=1)
    key.ax.text(-0.2, size, f"N = {size}", ha="right", va="center", transform=key.ax.get_yaxis_transform())
    headline(figure, f"{_message(windows)}, in the {NOISES[noise]}")
    return figure


def _message(windows: pd.DataFrame) -> str:
    """Message on how the window changed; a title without numbers."""
    first, last = windows.iloc[0], windows.iloc[-1]
    if last["window_low"] > first["window_high"]:
        return "The window has grown"
    if last["window_high"] < first["window_low"]:
        return "The window has shrunk"
    return "Intervals of the first and the last window overlap" if len(windows) > 1 else "The first window"
