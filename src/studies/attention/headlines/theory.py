"""Numbers behind the headlines on the appendix: the statements again at other lags, orders, sizes and eigenvalues."""

import math
from collections.abc import Callable, Mapping
from functools import cache
from json import dumps, loads
from typing import Any

import numpy as np
import pandas as pd

from learnability.core.streams import numpy_generator
from learnability.core.variation import Headline
from studies.attention.theory import parameters, paths, sparse, sums, uniform
from studies.attention.theory_measures import FITTED_TO, RIM

Numbers = dict[str, float]
Settings = Mapping[str, Any]

DIGITS = 9
"""Decimal digits from which on a statement is said to hold, of sums in float64, which have 16."""
FLOOR = 1e-16
"""No error is told smaller, for it is rounding."""
SLOWEST, STEEPEST = -1.0, -1.5
"""Powers of T: of the theorem as printed, and of the bound that holds in the whole unit disc."""
RETENTION = 0.9
"""Share of what arrives at the shortest T from which it counts as kept at the longest."""
FAILURE_FACTOR = 2.0
"""Factor between what a proof sums and what it stands for, from which the step is said to fail."""
RECURSIVE, TUPLES = "Lemmas 9, 10 and 11", "Proposition 3 as printed"

HEADLINES = {
    "expansions": Headline(
        ("digits to which the sum over paths agrees",),
        lambda digits: "yes" if digits > DIGITS else "no",
        ("paths",),
    ),
    "uniform_attention": Headline(
        ("share of eigenvalues at which the gradient falls faster than 1/T", "steepest power of T"),
        lambda faster, steepest: (
            "yes"
            if faster == 0
            else "not for every V"
            if steepest >= STEEPEST - FITTED_TO
            else "not even as a weaker power"
        ),
        ("uniform",),
    ),
    "proof": Headline(
        ("coefficient of Proposition 4 over the constant it is taken for",),
        lambda ratio: "fails" if ratio > FAILURE_FACTOR else "holds",
        ("proof",),
    ),
    "sparse_attention": Headline(
        ("share of the gradient kept at the longest T",),
        lambda share: "yes" if share >= RETENTION else "no",
        ("sparse",),
    ),
    "lemmas": Headline(
        (
            f"cases in which {RECURSIVE} fail",
            f"share of cases in which {TUPLES} fails",
            "error of Lemma 8 as printed",
            "digits to which Lemmas 7 and 8 hold as proved",
        ),
        lambda failures, _share, _error, digits: "hold once corrected" if failures == 0 and digits > DIGITS else "fail",
        ("lemmas",),
    ),
}
"""Headlines by the question that they answer."""


def numbers(settings: Settings, root_seed: int, seed: int) -> Numbers:
    """All numbers behind the headlines.

    Args:
        settings: `paths`, arguments of `path_table`; `uniform`, of `exponent_table`; `proof`, with `largest`, the
            highest order of a coefficient, `terms` and `eigenvalue`; `sparse`, of `length_table`; `lemmas`, with
            `enumeration`, of `exact_table`, and `network`, of `parameter_table`.
    """
    results: Numbers = {}
    for part, compute in PARTS.items():
        results |= compute(dumps(settings[part]), root_seed)
    return results


@cache
def _of_paths(text: str, root_seed: int) -> Numbers:
    generator = numpy_generator(root_seed, 0, "theory", "paths")
    table = pd.concat([paths.path_table(name, generator, **loads(text)) for name in paths.NETWORKS])
    return {"digits to which the sum over paths agrees": _digits((table["by_paths"] / table["total"]).max())}


def _digits(error: float) -> float:
    return -math.log10(max(error, FLOOR))


@cache
def _of_uniform(text: str, root_seed: int) -> Numbers:
    """Powers of T by the recursion, of eigenvalues of modulus below 1."""
    table = uniform.exponent_table(**loads(text))
    inside = table[(table["mix"] == "sum") & (np.hypot(table["real"], table["imaginary"]) < 1 - RIM)]
    return {
        "share of eigenvalues at which the gradient falls faster than 1/T": float(
            (inside["fitted"] < SLOWEST - FITTED_TO).mean()
        ),
        "steepest power of T": float(inside["fitted"].min()),
    }


@cache
def _of_proof(text: str, root_seed: int) -> Numbers:
    settings = loads(text)
    coefficients = sums.coefficient_table([settings["eigenvalue"]], settings["largest"], settings["terms"])
    ratio = coefficients["coefficient"] / coefficients["as_printed"]
    return {"coefficient of Proposition 4 over the constant it is taken for": float(np.maximum(ratio, 1 / ratio).max())}


@cache
def _of_sparse(text: str, root_seed: int) -> Numbers:
    table = sparse.length_table(numpy_generator(root_seed, 0, "theory", "sparse"), **loads(text))
    rows = table[table["attention"].str.startswith(("held", "cancelling")) & (table["eigenvalue"] > 0)]
    sizes = rows.sort_values("length").groupby(["attention", "eigenvalue"])["size"]
    return {"share of the gradient kept at the longest T": float((sizes.last() / sizes.first()).min())}


@cache
def _of_lemmas(text: str, root_seed: int) -> Numbers:
    settings = loads(text)
    exact = sums.exact_table(**settings["enumeration"]).set_index("statement")
    recursive = exact.loc[["Lemma 9", "Lemma 10", "Lemma 11"], "fail"].sum()
    failure_shares = (exact["fail"] / exact["cases"]).to_dict()
    table = parameters.parameter_table(numpy_generator(root_seed, 0, "theory", "parameters"), **settings["network"])
    return {
        f"cases in which {RECURSIVE} fail": float(recursive),
        f"share of cases in which {TUPLES} fails": failure_shares[TUPLES],
        "error of Lemma 8 as printed": float(table.loc[table["lemma"] == 8, "error_as_printed"].min()),
        "digits to which Lemmas 7 and 8 hold as proved": _digits(table["error"].max()),
    }


PARTS: dict[str, Callable[[str, int], Numbers]] = {
    "paths": _of_paths,
    "uniform": _of_uniform,
    "proof": _of_proof,
    "sparse": _of_sparse,
    "lemmas": _of_lemmas,
}
"""Functions that compute the numbers of each part of the settings, these in JSON."""
