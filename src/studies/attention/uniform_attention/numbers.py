"""Theorem 1: predicted and fitted powers of T, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.attention.theory.exponents import WITHOUT_ZERO
from studies.attention.theory.uniform import LARGEST_LAG
from studies.attention.theory_measures import inside


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: powers of eigenvalues in the unit disc and of whole spectra."""
    eigenvalues = inside(tables["theory_exponents"])
    of_sum = eigenvalues[eigenvalues["mix"] == "sum"]
    errors = eigenvalues["error"].abs()
    spectra = tables["theory_spectra"].query("mix == 'sum'").set_index("spectrum")
    networks = tables["theory_networks"].query("gain > 0")
    return {
        "tried": len(of_sum),
        "lag": LARGEST_LAG,
        "faster": of_sum[~of_sum["holds"]],
        "growing": of_sum[of_sum["grows"]],
        "errors": errors,
        "spectra": spectra,
        "steep": spectra[~spectra["holds"]],
        "without_zero": WITHOUT_ZERO,
        "departing": (networks["fitted"] - networks["by_recursion"]).abs().max(),
    }
