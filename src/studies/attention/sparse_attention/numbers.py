"""Theorem 2: what arrives over T, its law in depth and sparsity, and the eigenvalue that it requires, for the page."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from learnability.report.style import Tables


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: what arrives through chains relative to laws, and over T by kind of attention."""
    chains, lengths, laws = (tables[f"theory_{name}"] for name in ("chains", "lengths", "laws"))
    visited_chains = chains[chains["layout"] == "visited"]
    share = visited_chains["size"] / visited_chains["printed"]
    positive = chains[(chains["real"] > 0) & (chains["imaginary"] == 0)]
    attending = positive.loc[positive["layout"] == "held", "size"] / positive["printed"]
    kind = lengths["attention"].str.split(",").str[0]
    over_length = lengths.assign(kind=kind).pivot(index=["kind", "eigenvalue"], columns="length", values="size")
    bounded_depth = over_length.loc[["held", "cancelling"]].query("eigenvalue > 0")
    short, long = lengths["length"].min(), lengths["length"].max()
    by_sparsity = laws[laws["by"] == "sparsity"]
    return {
        "short": short,
        "long": long,
        "kept": bounded_depth[long] / bounded_depth[short],
        "errors": (visited_chains["size"] / visited_chains["bound"] - 1).abs(),
        "positive": positive["size"] / positive["bound"],
        "attending": attending.dropna(),
        "above": (attending >= 1).sum(),
        "powers": by_sparsity["measured"] + by_sparsity["at"],
        "share": share.min(),
        "worst": visited_chains.assign(modulus=np.hypot(visited_chains["real"], visited_chains["imaginary"])).iloc[
            int(share.argmin())
        ],
        "by_chance": over_length.xs("random"),
        "cancelling": over_length.xs("cancelling")[long],
    }
