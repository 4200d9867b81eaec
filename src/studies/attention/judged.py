"""What the scorecard is made of: the paper's claims, and the measures that they are judged by."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from learnability.claims import SHARE
from studies.attention.measures import MEASURES
from studies.attention.paper import OF_ALL_STEPS, OF_DELAYS

__all__ = ["MEASURES", "claims", "tables"]


def claims(paper: Mapping[str, Any], labels: Mapping[str, str]) -> list[dict[str, Any]]:
    """Those of the file, and one for each cell of the tables whose numbers `studies.attention.paper` has.

    Args:
        paper: the file; `cells` has `met` and `near`, how far a share may lie from the paper's, `tables`, with the
            `where` and the `claim` of each, and `seen`, delays and architectures whose shares had been seen.
        labels: names of architectures.
    """
    return [*paper["claims"], *_cells(paper["cells"], labels)]


def _cells(asked: Mapping[str, Any], labels: Mapping[str, str]) -> list[dict[str, Any]]:
    found = []
    for kind, (delays, shares) in OF_DELAYS.items():
        told = asked["tables"][kind]
        for name, printed in shares.items():
            for delay, percent in zip(delays, printed, strict=True):
                if percent is None:
                    continue
                seen = delay in told["seen"] and name in asked["seen"]
                condition: dict[str, Any] = {"measure": kind, "at": delay, "of": [name], "words": SHARE}
                for status in ("met", "near"):
                    low, high = percent / 100 - asked[status], percent / 100 + asked[status]
                    condition[status] = [max(0.0, low), min(1.0, high)]
                conditions, counted = [condition], ""
                if name in OF_ALL_STEPS.get(kind, ()):
                    both = (kind, "the last ten steps"), (f"{kind}_at_all_steps", "all steps")
                    conditions = [condition | {"measure": each, "words": f"at {steps}{SHARE}"} for each, steps in both]
                    counted = "; at the last ten steps, and at all steps as in expRNN's code"
                measures = [each["measure"] for each in conditions]
                found.append(
                    {
                        "id": f"{kind}_{name}_{delay}",
                        "where": told["where"],
                        "claim": f"{labels[name]}, T = {delay}: {told['claim']}{counted}",
                        "paper": f"{percent} %",
                        "artefact": f"tables/{kind}",
                        "tuned": {},
                        "after_results": [measure for measure in measures if seen or measure != kind],
                        "by_construction": [],
                        "conditions": conditions,
                    }
                )
    return found


def tables(measured: Mapping[str, pd.DataFrame], readings: Sequence[Mapping[str, Any]]) -> dict[str, pd.DataFrame]:
    """All of them; the study has no readings."""
    return dict(measured)
