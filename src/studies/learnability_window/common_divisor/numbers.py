"""Losses, responses and resonances with a common divisor and without, for the page."""

from typing import Any

from learnability.report.findings import number
from studies.learnability_window.evidence import Evidence

LAGS = {32: (32, 64, 128, 192, 256, 512), 1: (31, 61, 127, 191, 257, 509)}
"""Lags of the task with the divisor and without one, as the configuration and `config/coprime_lags.yaml` have them."""


def numbers(evidence: Evidence) -> dict[str, Any]:
    """Numbers of `page.md.j2`: rows of the last epoch, `common` with the divisor and `without` one.

    `stands` are losses without one from a fourth of training on, by epoch and architecture; `lags` are by divisor.
    `falling` is the loss at the end over the loss at half of training, by architecture and divisor.
    """
    table = evidence.adamw("", "common_divisor")
    last, divisor, least = table["epoch"].max(), table["divisor"].max(), table["divisor"].min()
    losses = table.set_index(["divisor", "epoch"], append=True)["validation_loss"].unstack()
    ends = {factor: table[(table["epoch"] == last) & (table["divisor"] == factor)] for factor in (divisor, least)}
    shares = [name for name in map(str, table) if name.startswith("share ")]
    return {
        "epochs": last,
        "lags": LAGS,
        "stands": losses.xs(least, level="divisor").T.loc[last / 4 :],
        "divisor": divisor,
        "common": ends[divisor],
        "without": ends[least],
        "times": ends[least]["validation_loss"] / ends[divisor]["validation_loss"],
        "falling": losses[last] / losses[losses.columns[losses.columns <= last / 2].max()],
        "rows": {
            **{f"loss, divisor {factor}": end["validation_loss"].map(number) for factor, end in ends.items()},
            **{
                f"learned share of lag {LAGS[factor][place]}, divisor {factor}": end[name].map(number)
                for place, name in enumerate(shares)
                for factor, end in ends.items()
            },
        },
    }
