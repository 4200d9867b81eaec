"""Theorem 2: what arrives over T, and its law in depth and sparsity, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: chains whose links are used once, and the share that is `kept` to the longest T."""
    chains, lengths = tables["theory_chains"], tables["theory_lengths"]
    visited = chains[chains["layout"] == "visited"]
    visited = visited.assign(share=visited["size"] / visited["printed"])
    positive = chains[(chains["real"] > 0) & (chains["imaginary"] == 0)]
    bounded = lengths[lengths["attention"].str.startswith(("held", "cancelling")) & (lengths["eigenvalue"] > 0)]
    kept = bounded.groupby(["attention", "eigenvalue"])["size"].agg(lambda size: size.iloc[-1] / size.iloc[0])
    at_longest = lengths[lengths["length"] == lengths["length"].max()]
    cancelling = at_longest[at_longest["attention"].str.startswith("cancelling")]
    by_chance = lengths[lengths["attention"].str.startswith("random")]
    return {
        "short": lengths["length"].min(),
        "long": lengths["length"].max(),
        "kept": kept.min(),
        "differing": (visited["size"] / visited["bound"] - 1).abs().max(),
        "hold": (positive["size"] >= positive["bound"] * (1 - 1e-6)).sum(),
        "chains": len(positive),
        "worst": visited.sort_values("share").iloc[0],
        "by_chance": by_chance.set_index(["eigenvalue", "length"])["size"],
        "cancelling": cancelling.sort_values("eigenvalue")["size"].tolist(),
    }
