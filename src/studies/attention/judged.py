"""Parts of the scorecard: the paper's claims, and the measures that they are judged by."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from learnability.claims import SHARE
from studies.attention.measures import MEASURES, RECALLS
from studies.attention.paper import OF_ALL_STEPS, OF_DELAYS

TRAINED_AT = OF_DELAYS["copy_transfer"][0][0]
"""Delay at which networks of Table 1 were trained; Table 5 has the same networks at it."""
__all__ = ["MEASURES", "all_counted", "claims", "tables"]


def claims(paper: Mapping[str, Any], labels: Mapping[str, str]) -> list[dict[str, Any]]:
    """Claims of the file, and one for each cell of the tables whose numbers `studies.attention.paper` has.

    Args:
        paper: the file; `cells` has `met` and `near`, how far a share may lie from the paper's, `tables`, with the
            `where` and the `claim` of each, and `seen`, delays and architectures whose shares had been seen.
        labels: names of architectures.
    """
    return [*paper["claims"], *_cells(paper["cells"], labels)]


def _cells(settings: Mapping[str, Any], labels: Mapping[str, str]) -> list[dict[str, Any]]:
    rows = []
    for kind, (delays, shares) in OF_DELAYS.items():
        table = settings["tables"][kind]
        for name, percents in shares.items():
            for delay, percent in zip(delays, percents, strict=True):
                if percent is None:
                    continue
                in_transfer = kind == "copied" and delay == TRAINED_AT and name in OF_DELAYS["copy_transfer"][1]
                is_seen = delay in table["seen"] and name in settings["seen"]
                condition: dict[str, Any] = {"measure": kind, "at": delay, "of": [name], "words": SHARE}
                for status in ("met", "near"):
                    low, high = percent / 100 - settings[status], percent / 100 + settings[status]
                    condition[status] = [max(0.0, low), min(1.0, high)]
                conditions, suffix = [condition], ""
                if name in OF_ALL_STEPS.get(kind, ()):
                    counts = (kind, "the last ten steps"), (f"{kind}_at_all_steps", "all steps")
                    conditions = [
                        condition | {"measure": measure, "words": f"at {steps}{SHARE}"} for measure, steps in counts
                    ]
                    suffix = "; at the last ten steps, and at all steps as in expRNN's code"
                measures = [entry["measure"] for entry in conditions]
                rows.append(
                    {
                        "id": f"{kind}_{name}_{delay}",
                        "where": table["where"],
                        "claim": f"{labels[name]}, T = {delay}: {table['claim']}{suffix}",
                        "paper": f"{percent} %",
                        "artefact": f"tables/{kind}",
                        "tuned": {},
                        "after_results": [measure for measure in measures if is_seen or measure != kind],
                        "by_construction": [],
                        "conditions": conditions,
                        **({"same_as": f"copy_transfer_{name}_{delay}"} if in_transfer else {}),
                    }
                )
    return rows


def tables(measurements: Mapping[str, pd.DataFrame], readings: Sequence[Mapping[str, Any]]) -> dict[str, pd.DataFrame]:
    """All tables by which claims are judged; the study has no readings."""
    return dict(measurements)


def all_counted(measurements: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """The tables as if every network had learned its task and none had overflowed, so that each counts.

    Verdicts by these tables say how many claims the rule leaves out, which was set when results had been seen.
    """
    conclusive = {name: table["seeds"] > 0 for name, table in measurements.items() if name in OF_DELAYS}
    learned = {name: measurements[name].assign(accuracy=1.0) for name in RECALLS if name in measurements}
    cells = {name: measurements[name].assign(conclusive=flags) for name, flags in conclusive.items()}
    return {**measurements, **cells, **learned}
