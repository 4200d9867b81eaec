"""Changes that each refinement makes, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.findings import number, percent
from learnability.report.style import Tables
from studies.gated.refinements.measure import OF_THE_LSTM


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: changes by step, of seeds and their medians; `steps` are refinements of the LSTM."""
    steps, ends, rates = (tables[f"refinements_{kind}"] for kind in ("steps", "ends", "rates"))
    ends = ends.assign(name=ends["architecture"].map(labels))
    by_name, gains = ends.groupby("name"), steps.pivot(index="seed", columns="step", values="accuracy_gained")
    medians = by_name[["accuracy", "loss"]].median()
    count = rates.groupby("architecture")["rate"].nunique().max()
    return {
        "gains": gains,
        "gained": gains.median(),
        "steps": gains.median()[list(OF_THE_LSTM)],
        "loss_ratios": steps.pivot(index="seed", columns="step", values="loss_ratio"),
        "change": steps.groupby("step")[["size_ratio", "slope_ratio"]].median(),
        "recall": medians["accuracy"],
        "parameters": ends["parameters"],
        "count": count,
        "at_edge": rates.loc[rates["chosen"] & rates["edge"], "architecture"].map(labels).tolist(),
        "rows": {
            "recall": medians["accuracy"].map(percent),
            "lowest loss, nats": medians["loss"].map(number),
            "seeds that learn": by_name["learned_after"].count().map(str) + " of " + by_name.size().map(str),
            "parameters": by_name["parameters"].first().map("{:,}".format),
            f"learning rate, chosen of {count}": by_name["rate"].first().map("{:g}".format),
            "updates until then": by_name["learned_after"].median().map(number),
        },
    }
