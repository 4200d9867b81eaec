"""Theorem 1: predicted and fitted powers of T, for the page."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from learnability.report.style import Tables


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: powers of eigenvalues in the unit disc, on the real axis, and of whole spectra."""
    table = tables["theory_exponents"]
    inside = table[np.hypot(table["real"], table["imaginary"]) < 1 - 1e-9]
    inside = inside[~inside[["mix", "real", "imaginary"]].round(9).duplicated()]  # circle and axis cross
    of_sum = inside[inside["mix"] == "sum"]
    real = of_sum[of_sum["imaginary"].abs() < 1e-9].round({"real": 9}).drop_duplicates("real").set_index("real")
    errors = inside["error"].abs()
    networks = tables["theory_networks"].query("gain > 0")
    return {
        "tried": len(of_sum),
        "faster": of_sum[~of_sum["holds"]],
        "growing": of_sum[of_sum["grows"]],
        "errors": errors,
        "worst": inside["predicted"].iloc[int(errors.argmax())],
        "real": real,
        "spectra": tables["theory_spectra"].query("mix == 'sum'").set_index("spectrum"),
        "departing": (networks["fitted"] - networks["by_recursion"]).abs().max(),
    }
