"""Parts of the scorecard: the paper's claims, and the measures that they are judged by."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from learnability.claims import SHARE
from studies.attention.measures import MEASURES
from studies.attention.paper import OF_ALL_STEPS, OF_DELAYS

__all__ = ["MEASURES", "claims", "tables"]


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
                    }
                )
    return rows


def tables(measurements: Mapping[str, pd.DataFrame], readings: Sequence[Mapping[str, Any]]) -> dict[str, pd.DataFrame]:
    """All tables by which claims are judged; the study has no readings."""
    return dict(measurements)
