"""Headlines of trials that are there, from choices of the analysis: what a search over these choices computes.

Where a headline compares many architectures, lags and seeds, trials at other settings would take hours for each of
them. What can be varied in minutes is what is made of the trials: what counts as learned, which seeds, updates, N, lags
and architectures count. Each is another number, or left out, in turn.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from learnability.core.errors import require
from learnability.core.streams import numpy_generator
from learnability.core.variation import ROOT_SEED, Headline, Statements
from learnability.stats.thresholds import LEARNED
from studies.ground_truth.contest import ALL, MOST_SEEDS, contest, half_learned, judged, sizes_of, winner
from studies.ground_truth.grids import TOGETHER
from studies.ground_truth.growth import compare_sizes, growth, size_ratios

FACTORS = (0.5, 1.5)
"""Factors by which a search multiplies each choice."""
TEXT = "paper, start"
"""The sample complexity of the paper's text before training."""
LEFT_OUT = ("architectures",)
"""Lists of which a search leaves out each member."""
TOP_OF_VARIANCE = "upper end of the rank correlation of the total variance"
POWERS = {grid: f"power of the lag by which N₅₀ grows, {grid}" for grid in ("dense", "sparse")}
EXCESSES = {grid: f"orders by which N₅₀ grows more than the paper's N̂, {grid}" for grid in ("dense", "sparse")}
"""Numbers of the two grids of the contest: a lower bound with dense inputs, and an upper bound with sparse ones."""

HEADLINES = {
    "foretold": Headline(
        ("judged candidate's error divided by the lag's", "candidates that predict"),
        lambda _, candidates: "yes" if candidates else "no",
    ),
    "ordered": Headline(
        ("best rank correlation over architectures", "lower end of its interval", TOP_OF_VARIANCE),
        lambda _, low, top: "in part" if low > 0 else "reversed alone" if top < 0 else "not reliably",
    ),
    "grown": Headline(
        (*POWERS.values(), *EXCESSES.values()),
        lambda dense, sparse, *excesses: (
            f"{'' if min(dense, sparse) > 1 else 'not shown to be '}faster than the lag, "
            f"{' and '.join(map(_than_the_paper, EXCESSES, excesses))}"
        ),
    ),
    "larger": Headline(
        tuple(f"{end} ratio in {unit}" for unit in ("sequences", "usable steps") for end in ("smallest", "largest")),
        lambda *ratios: compare_sizes(list(ratios[:2]), list(ratios[2:])),
    ),
}
"""Headlines by the question that they answer."""


def _than_the_paper(grid: str, excess: float) -> str:
    """More or less than the paper's sample complexity, where the bound of a grid shows it."""
    is_more, word = (excess > 0, "more") if grid == "dense" else (excess < 0, "less")
    return f"{word if is_more else f'not shown to be {word}'} than the paper, {grid}"


def choices(trials: pd.DataFrame, root_seed: int) -> dict[str, Any]:
    """Choices of the analysis as they were made, which a search varies one by one, with the root seed of resamples."""
    apart = trials[trials["grid"] != TOGETHER]
    sizes, lags = sizes_of(apart), apart["lag"]
    return {
        "learned": LEARNED,
        "seeds": int(trials["seed"].nunique()),
        "updates": int(trials["updates"].max()),
        "smallest_size": int(sizes.min()),
        "largest_size": int(sizes.max()),
        "shortest_lag": int(lags.min()),
        "longest_lag": int(lags.max()),
        "architectures": apart["architecture"].unique().tolist(),
        ROOT_SEED: root_seed,
    }


class Analysis(NamedTuple):
    """Headlines of trials.

    Args:
        trials, candidates: as of `studies.ground_truth.tables.tabulate`.
        grids: those over which the contest is held.
        durations: T of every grid.
    """

    trials: pd.DataFrame
    candidates: pd.DataFrame
    grids: Sequence[str]
    durations: Mapping[str, int]

    def numbers(self, settings: Mapping[str, Any]) -> Statements:
        """Return the numbers behind the headlines.

        Args:
            settings: of `choices`: what share r/c counts as learned; how many of the seeds, and how many updates, N,
                lags and which architectures count. The `root_seed` is that of the resamples.

        Raises:
            InputError: for more than the trials have, or too little to have an answer.
        """
        trials, candidates = self._of(settings)
        root_seed = settings[ROOT_SEED]
        last = trials[trials["updates"] == settings["updates"]]
        contest_trials, contest_candidates = (table[table["grid"].isin(self.grids)] for table in (last, candidates))
        standings = contest(contest_trials, contest_candidates, numpy_generator(root_seed, 0, "contest"))
        n50 = half_learned(contest_trials, numpy_generator(root_seed, 0, "seeds"))
        reachable = n50[n50["reachable"] >= MOST_SEEDS]
        names = candidates["candidate"].unique().tolist()
        growths = growth(reachable, contest_candidates, sizes_of(contest_trials), names)
        ratios = size_ratios(last, self.durations, numpy_generator(root_seed, 0, "sizes")).dropna()
        return {**_of_contest(standings), **_of_growth(growths, reachable, self.grids), **_of_ratios(ratios)}

    def _of(self, settings: Mapping[str, Any]) -> tuple[pd.DataFrame, pd.DataFrame]:
        """The rows that count, with r/c shifted by what counts as learned."""
        require(0 < settings["learned"] < 1, "learned", "above 0 and below 1", settings["learned"])
        seeds, updates = (sorted(self.trials[name].unique().tolist()) for name in ("seed", "updates"))
        require(settings["seeds"] <= len(seeds), "seeds", f"at most {len(seeds)}", settings["seeds"])
        require(settings["updates"] in updates, "updates", f"one of {updates}", settings["updates"])
        lags = {"shortest_lag": settings["shortest_lag"], "longest_lag": settings["longest_lag"]}
        require(lags["shortest_lag"] <= lags["longest_lag"], "shortest_lag", "at most longest_lag", lags)
        trials, candidates = (
            table[
                table["seed"].isin(seeds[: settings["seeds"]])
                & table["lag"].between(*lags.values())
                & table["architecture"].isin(settings["architectures"])
            ]
            for table in (self.trials, self.candidates)
        )
        size = trials["sample_size"]
        trials = trials[size.between(settings["smallest_size"], settings["largest_size"]) | np.isinf(size)]
        return trials.assign(share=trials["share"] + LEARNED - settings["learned"]), candidates


def _of_contest(table: pd.DataFrame) -> dict[str, float]:
    errors = table[table["half"] == "held_out"].set_index("candidate")["error"]
    at_start = table[(table["half"] == ALL) & table["candidate"].str.endswith(", start")]
    best = at_start.sort_values("order", ascending=False).iloc[0]
    tops = at_start.set_index("candidate")["order_high"]
    return {
        "judged candidate's error divided by the lag's": float(errors[judged(table)] / errors["lag"]),
        "candidates that predict": float(winner(table) != ""),
        "best rank correlation over architectures": float(best["order"]),
        "lower end of its interval": float(best["order_low"]),
        TOP_OF_VARIANCE: float(tops["total_variance, start"]),
    }


def _of_growth(table: pd.DataFrame, reachable: pd.DataFrame, grids: Sequence[str]) -> dict[str, float]:
    """Growth of N₅₀ compared with the lag, from its lower bound, and with the paper's sample complexity.

    NaN of a grid with one lag.
    """
    lows, highs = (
        dict(zip(zip(table["quantity"], table["grid"], strict=True), table[f"decades_{end}"], strict=True))
        for end in ("low", "high")
    )
    numbers: dict[str, float] = {}
    for grid in grids:
        lags = reachable.loc[reachable["grid"] == grid, "lag"]
        if lags.nunique() > 1:
            power = lows["n50", grid] / np.log10(lags.max() / lags.min())
            excess = (lows if grid == "dense" else highs)["n50", grid] - lows[TEXT, grid]
        else:
            power, excess = np.nan, np.nan
        numbers |= {POWERS[grid]: float(power), EXCESSES[grid]: float(excess)}
    return numbers


def _of_ratios(ratios: pd.DataFrame) -> dict[str, float]:
    columns = {"sequences": "ratio", "usable steps": "steps_ratio"}
    ends = {"smallest": "min", "largest": "max"}
    return {
        f"{end} ratio in {unit}": float(getattr(ratios[column], method)())
        for unit, column in columns.items()
        for end, method in ends.items()
    }
