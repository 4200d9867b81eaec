"""What was asked of trials, what came out, and which setting would undo it; every number is one of a table."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from learnability.report.findings import Finding, listed, number, percent
from studies.ground_truth.contest import BASELINES, MOST_SEEDS, judged, winner
from studies.ground_truth.tables import last_look

INTRODUCTION = """
    Networks are trained from N sequences, for the same number of updates whatever N, and looked at on fresh ones. N₅₀
    is the N from which half of the seeds learn a lag, r/c > ½. Every number is one of the tables that are named below
    it; what was fixed before the trials stands at the head of `src/studies/ground_truth/contest.py`.
    `snakemake --configfile config/ground_truth.yaml` makes all of this.
    """
TEXT = "paper, start"
"""Candidate of the paper's text: its window at initialisation."""
GROWING = ("noise_scale, start", "gradient_step, start", "own_gradient_total, start", TEXT)
"""Candidates whose growth with the lag the page names."""
MORE = 0.1
"""Of r/c, beyond which a difference is told."""
Tables = Mapping[str, pd.DataFrame]


def thresholds(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """N₅₀ of each architecture."""
    found = last_look(tables["half_learned"])
    found = found[found["grid"] != "six_lags"]
    rows = {
        f"{grid}, lag {lag}": shown.set_index("architecture").apply(_n50, axis=1).rename(labels)
        for (grid, lag), shown in found.groupby(["grid", "lag"], sort=False)
    }
    reached = found[found["reachable"] >= MOST_SEEDS]
    inside = reached.loc[(reached["n50"] > 0) & np.isfinite(reached["n50"]), "n50"]
    below, beyond = (reached["n50"] == 0).sum(), np.isinf(reached["n50"]).sum()
    shares = tables["learned_share"]
    of_most = shares[_sizes(shares)[:-1]].ffill(axis=1).iloc[:, -1]
    repeated = shares[of_most - shares["N = ∞"] > MORE]
    named = [
        f"{labels[row['architecture']]} at lag {row['lag']} ({row['grid']})" for row in repeated.to_dict("records")
    ]
    return Finding(
        "From how many sequences is a lag learned?",
        f"""
            It is learned at all in {len(reached)} of {len(found)} settings: in {below} of them from less than the
            smallest N, in {beyond} from more than the largest, and in {len(inside)} from {number(inside.min())} to
            {number(inside.max())} sequences.
        """,
        f"""
            Of {number(found["seeds"].max())} seeds. A dash stands where less than half of them learn the lag from
            sequences none of which is shown twice, so that it is no matter of N. In brackets, a 95 % interval that
            resamples seeds; < and > are beyond the N that were tried.
            {_of_repetition(named)}
        """,
        rows,
        """
            `ground_truth.updates`: what is not learned may be not learned yet, from fresh sequences above all. The
            table has N₅₀ after half of them, too.
        """,
        ("", "phases_dense"),
    )


def _of_repetition(settings: Sequence[str]) -> str:
    if not settings:
        return ""
    return f"""
        In {len(settings)} settings, {listed(settings)}, the largest N, shown again and again, teaches at least
        {MORE:g} of c more than fresh sequences in as many updates: training on these is on a plateau still, which says
        nothing of what they teach in the end.
    """


def _sizes(shares: pd.DataFrame) -> list[str]:
    """Columns of `learned_share` that are an N, increasing."""
    named = [name for name in map(str, shares.dropna(axis=1, how="all")) if name.startswith("N = ")]
    return sorted(named, key=lambda name: float(name.removeprefix("N = ").replace("∞", "inf")))


def _n50(row: "pd.Series[Any]") -> str:
    if row["reachable"] < MOST_SEEDS:
        return "–"
    ends = f" [{_end(row['n50_low'])}, {_end(row['n50_high'])}]"
    return _end(row["n50"]) + ends


def _end(size: float) -> str:
    return "<" if size == 0 else ">" if np.isinf(size) else number(size)


def foretold(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """The contest, and the paper's window in it."""
    table = tables["contest"]
    held_out = {row["candidate"]: row for row in table[table["half"] == "held_out"].to_dict("records")}
    chosen, found = judged(table), winner(table)
    verdict = "foretells" if found else "does not foretell"
    shown = dict.fromkeys([chosen, *(name for name in (TEXT,) if name in held_out), *BASELINES])
    errors, correlations = (
        listed(f"{_interval(held_out[name], score)} by {_words(name)}" for name in shown)
        for score in ("error", "correlation")
    )
    choices = tables["contest_by_choice"]
    others = choices[choices["choice"] != "as fixed"]
    foretelling = others[others["foretells"]]
    deals = tables["random_halves"]
    ratio = deals["error"] / deals["error_of_lag"]
    low, high = ratio.quantile([0.025, 0.975])
    row = held_out[chosen]
    falling = " It falls where N₅₀ rises, and so could not win at any error." if row["correlation_high"] < 0 else ""
    better = [f"{percent(row['better_than_' + name])} than by the {name}" for name in BASELINES]
    return Finding(
        "Does a number of gradients foretell it?",
        f"""
            The one that does best on one half of the settings, {_words(chosen)}, {verdict} it on the other half, by
            what was asked beforehand.
        """,
        f"""
            The error of log₁₀ N₅₀ on the held-out half, by a line fitted on the other, is {errors}; Spearman's
            correlation {correlations}. The first is infinite in {percent(row["infinite"])} of the settings.{falling}
            The error had to be smaller than by the lag alone and by the number of parameters alone in 95 % of resamples
            of architectures and seeds; it is in {listed(better)}. With one choice made otherwise the best one foretells
            it in {len(foretelling)} of {len(others)}
            cases{f" ({listed(foretelling['choice'])})" if len(foretelling) else ""}. Of settings dealt into halves at
            random, {len(deals)} times, the error of whichever did best on one half is {ratio.median():.2f} [{low:.2f},
            {high:.2f}] times that of the lag on the other, and the smaller one in {percent((ratio < 1).mean())}.
        """,
        {},
        "How settings fall into halves: who does best, and whether it does better than the lag, depends on it.",
        ("", "contest"),
    )


def _words(candidate: str) -> str:
    return candidate.replace("_", " ").replace(", start", " at the start")


def _interval(row: Mapping[Any, Any], score: str) -> str:
    if np.isnan(row[score]):
        return "no number"
    return f"{row[score]:.2f} [{row[f'{score}_low']:.2f}, {row[f'{score}_high']:.2f}]"


def ordered(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Whether candidates order architectures as N₅₀ does."""
    table = tables["contest"]
    every = {
        row["candidate"]: row for row in table[table["half"] == "all"].to_dict("records") if "start" in row["candidate"]
    }
    told = listed(f"{_words(name)} {row['order']:.2f}" for name, row in every.items())
    best = max(every, key=lambda name: np.nan_to_num(every[name]["order"], nan=-2))
    text = f"; by the paper's window it is {_interval(every[TEXT], 'order')}" if TEXT in every else ""
    return Finding(
        "Are architectures in the order in which they learn?",
        f"""
            Over architectures at one lag, the rank correlation with N₅₀ is at most {_interval(every[best], "order")},
            by {_words(best)}{text}.
        """,
        f"""
            These are numbers at initialisation, means over grids and lags, over all settings that are learned:
            {told}. 1 is the same order, -1 the reverse.
        """,
        {},
        "Which architectures take part: a correlation over nine of them is one of chance's favourites.",
        ("", "contest"),
    )


def grown(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """How N₅₀ grows with the lag, beside the candidates."""
    table = tables["growth"]
    laws = ["logarithm", "power", "exponential"]
    n50 = table[table["quantity"] == "n50"]
    parts = [
        f"by {number(10 ** row['decades'])} times in the grid {row['grid']} (R² of {_laws(row, laws)})"
        for row in n50.to_dict("records")
    ]
    first = table[table["quantity"].isin(GROWING) & (table["grid"] == n50["grid"].iloc[0])]
    others = [
        f"{_words(row['quantity'].partition(',')[0])} grows {number(10 ** row['decades'])} times ({_laws(row, laws)})"
        for row in first.to_dict("records")
    ]
    return Finding(
        "Does N₅₀ grow with the lag as the sample complexity does?",
        f"From the shortest to the longest lag N₅₀ grows {listed(parts)}.",
        f"""
            In the grid {n50["grid"].iloc[0]}, at initialisation, {listed(others)}. In brackets, R² of a power of the
            lag's logarithm, a power of the lag, and an exponential, within architectures.
        """,
        {},
        "The range of lags: three, within a factor of four.",
        ("", "contest"),
    )


def _laws(row: Mapping[Any, Any], laws: Iterable[str]) -> str:
    return ", ".join(f"{law} {row[law]:.2f}" for law in laws)


def larger(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Whether small networks speak for larger ones, at equal units and at equal parameters."""
    found = last_look(tables["half_learned"])
    lags = found.loc[found["grid"] == "larger", "lag"].unique()
    small = found[(found["grid"] == "sparse") & found["lag"].isin(lags)].set_index("architecture")
    large = found[found["grid"] == "larger"].set_index("architecture")
    equal = found[found["grid"] == "equal_parameters"].set_index("architecture")
    units = found[(found["grid"] == "sparse") & found["lag"].isin(equal["lag"])].set_index("architecture")
    rows = {
        f"sparse, lag {listed(map(str, lags))}": small.apply(_n50, axis=1).rename(labels),
        "twice the units, twice the steps": large.apply(_n50, axis=1).rename(labels),
        "at equal units": units.apply(_n50, axis=1).rename(labels),
        "at equal parameters": equal.apply(_n50, axis=1).rename(labels),
    }
    sizes = [
        table.loc[table["reachable"] >= MOST_SEEDS, "n50"].replace([0, np.inf], np.nan) for table in (large, small)
    ]
    ratio = sizes[0].div(sizes[1]).dropna()
    ratios = [f"{number(value)} times as large in {labels[str(name)]}" for name, value in ratio.items()]
    return Finding(
        "Do the small networks speak for larger ones?",
        f"In the larger networks N₅₀ is {listed(ratios)}." if ratios else "Of none is there an N₅₀ in both grids.",
        """
            The same task with twice the units and twice the duration; and, at another lag, as many units as give each
            architecture the same number of parameters.
        """,
        rows,
        "`grids.larger`: three architectures at one lag.",
        ("", "phases_larger"),
    )


def together(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """What was learned of the six lags of the paper's task."""
    table = tables["learned_share"]
    own = table[table["grid"] == "six_lags"]
    sizes = _sizes(own)
    rows = {
        f"{size}, lag {lag}": of_lag.set_index("architecture")[size].map("{:.2f}".format).rename(labels)
        for size in sizes
        for lag, of_lag in own.groupby("lag", sort=False)
    }
    first, last = sizes[0], sizes[-1]
    return Finding(
        "And when a task asks for six lags at once?",
        f"The mean share learned goes from {own[first].mean():.2f} at {first} to {own[last].mean():.2f} at {last}.",
        """
            Medians over seeds of r/c, as in the paper's task at a smaller scale, where far lags can be learned as
            echoes of near ones.
        """,
        rows,
        "`grids.six_lags`: lags that are multiples of the first.",
        ("", "phases_six_lags"),
    )


QUESTIONS = {
    thresholds: ["half_learned", "learned_share"],
    foretold: ["contest", "contest_by_choice", "random_halves"],
    ordered: ["contest"],
    grown: ["growth"],
    larger: ["half_learned"],
    together: ["learned_share"],
}
"""Each question, and the tables that answer it."""


def answer(tables: Tables, labels: Mapping[str, str]) -> list[Finding]:
    """All findings.

    Args:
        tables: of `studies.ground_truth.tables.tabulate`.
        labels: names of architectures.
    """
    return [
        question(tables, labels)._replace(tables=[("", name) for name in named])
        for question, named in QUESTIONS.items()
    ]
