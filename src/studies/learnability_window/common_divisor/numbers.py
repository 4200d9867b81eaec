"""Losses, responses and resonances with a common divisor and without, for the page."""

from typing import Any

from learnability.report.findings import number
from studies.learnability_window.evidence import Evidence


def numbers(evidence: Evidence) -> dict[str, Any]:
    """Numbers of `page.md.j2`: at the last common epoch, `with_one` and `without` a divisor, by architecture."""
    table = evidence.adamw("", "common_divisor")
    last, most, least = table["epoch"].max(), table["divisor"].max(), table["divisor"].min()
    ends = {each: table[(table["epoch"] == last) & (table["divisor"] == each)] for each in (most, least)}
    middle = table[table["epoch"] == table.loc[table["epoch"] <= last / 2, "epoch"].max()]
    half = middle[middle["divisor"] == least]["validation_loss"]
    shares = [name for name in map(str, table) if name.startswith("share ")]
    return {
        "divisor": most,
        "least": least,
        "epochs": last,
        "seeds": ends[most]["seeds"].min(),
        "with_one": ends[most],
        "without": ends[least],
        "ratio": ends[least]["validation_loss"] / ends[most]["validation_loss"],
        "falls": ends[least]["validation_loss"] / half,
        "rows": {
            **{f"loss, divisor {each}": end["validation_loss"].map(number) for each, end in ends.items()},
            **{
                f"share of the {place}. lag, divisor {each}": end[name].map(number)
                for place, name in enumerate(shares, 1)
                for each, end in ends.items()
            },
        },
    }
