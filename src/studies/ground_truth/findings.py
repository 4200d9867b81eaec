"""Questions about trials and their answers; every number is in a table."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from learnability.report.findings import Finding, listed, number, percent
from learnability.report.sensitive import with_searched
from studies.ground_truth import analysed
from studies.ground_truth.contest import ALL, BASELINES, MOST_SEEDS, SETTING, judged, winner
from studies.ground_truth.growth import compare_sizes
from studies.ground_truth.tables import last_look

INTRODUCTION = """
    Networks learn to sum their inputs from ℓ steps before. They are trained from N sequences, for the same number of
    updates whatever N, and looked at on fresh ones. A lag ℓ is learned if r/c > ½: r is the response of the predictions
    to an input ℓ steps before, c the coefficient that the task has there. N₅₀ is the least N from which at least half
    of the seeds learn a lag. In the grid `dense` each step has an input, in `sparse` one in twenty; `larger` is
    `sparse` with twice the units and steps. Every number is one of the tables that are named below it; what was fixed
    before the trials stands at the head of
    `src/studies/ground_truth/contest.py`.
    `snakemake --configfile config/ground_truth.yaml` makes all of this.
    """
TEXT = "paper, start"
"""Candidate of the paper's text: its sample complexity N̂ at initialisation."""
GROWING = ("noise_scale, start", "gradient_step, start", "own_gradient_total, start", TEXT)
"""Candidates whose growth with the lag the page names."""
MORE = 0.1
"""Of r/c, beyond which the page names a difference."""
RISING = 0.05
"""Of r/c over the second half of the updates, beyond which a training still rises."""
TRAINED_AGAIN, SAME_TRIALS = "at a small size, of one seed and 100 updates", "of the analysis, of the same trials"
"""Where `workflow/rules/ground_truth/search.smk` varies settings."""
Tables = Mapping[str, pd.DataFrame]


def thresholds(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """N₅₀ of each architecture."""
    of_grids = tables["half_learned"][tables["half_learned"]["grid"] != "six_lags"]
    last = last_look(of_grids)
    rows = {
        f"{grid}, lag {lag}": shown.set_index("architecture").apply(_n50, axis=1).rename(labels)
        for (grid, lag), shown in last.groupby(["grid", "lag"], sort=False)
    }
    learned = last[last["learned"] >= MOST_SEEDS]
    inside = learned.loc[(learned["n50"] > 0) & np.isfinite(learned["n50"]), "n50"]
    below, beyond = (learned["n50"] == 0).sum(), np.isinf(learned["n50"]).sum()
    shares = tables["learned_share"]
    of_most = shares[_sizes(shares)[:-1]].ffill(axis=1).iloc[:, -1]
    repeated = shares[of_most - shares["N = ∞"] > MORE]
    updates = int(last["updates"].max())
    seeds, fewer = last["seeds"].max(), last["seeds"].min()
    return Finding(
        "From how many sequences is a lag learned?",
        f"From {_range(learned['n50'], _tried(shares))} sequences, in the {len(learned)} of {len(last)} settings that "
        "learn at all.",
        f"""
            A setting is a grid, an architecture and a lag; training takes {updates:,} updates. A lag is learned at all
            if at least half of the seeds learn it from sequences none of which is shown twice (N = ∞), or from any N
            that was tried. Of the {len(learned)} settings in which it is, {below} need less than the smallest N,
            {beyond} more than the largest, and {len(inside)} have an N₅₀ between, of {number(inside.min())} to
            {number(inside.max())}. A dash stands for the others. {_of_rising(of_grids)}
            {_of_repetition([_named(row, labels) for row in repeated.to_dict("records")])}
            {f"There are {seeds} seeds." if seeds == fewer else f"There are {fewer} to {seeds} seeds."} In brackets, a
            95 % interval that resamples seeds; < and > are beyond the N that were tried.
        """,
        rows,
        """
            `ground_truth.updates`: what is not learned may be not learned yet, from fresh sequences above all. The
            table has N₅₀ after half of them, too.
        """,
        ("", "phases_dense"),
    )


def _tried(shares: pd.DataFrame) -> tuple[float, float]:
    """The smallest and the largest N that were tried, but for ∞, in grids of one lag at a time."""
    sizes = [float(name.removeprefix("N = ")) for name in _sizes(shares[shares["grid"] != "six_lags"])[:-1]]
    return min(sizes), max(sizes)


def _range(n50: "pd.Series[float]", tried: tuple[float, float]) -> str:
    """From the least to the greatest N₅₀, either of which may be beyond the N that were tried."""
    least = f"less than {tried[0]:g}" if (n50 == 0).any() else number(n50.min())
    return f"{least} to {f'more than {tried[1]:g}' if np.isinf(n50).any() else number(n50.max())}"


def _named(row: Mapping[Any, Any], labels: Mapping[str, str]) -> str:
    return f"{labels[row['architecture']]} at lag {row['lag']} ({row['grid']})"


def _of_rising(half_learned: pd.DataFrame) -> str:
    """What r/c from N = ∞ did over the second half of the updates, where a lag is not learned."""
    looks = half_learned.pivot(index=SETTING, columns="updates", values="fresh_share")
    never = last_look(half_learned).set_index(SETTING)["learned"] < MOST_SEEDS
    rises = (looks.iloc[:, -1] - looks.iloc[:, 0])[never.reindex(looks.index)]
    if rises.empty:
        return ""
    first, last = looks.columns.min(), looks.columns.max()
    return f"""
        In {(rises > RISING).sum()} of these {len(rises)} the response r/c from N = ∞ still rises by more than
        {RISING:g} from update {first:,} to update {last:,}: they are not learned yet, rather than not learned.
    """


def _of_repetition(settings: Sequence[str]) -> str:
    if not settings:
        return ""
    return f"""
        In {listed(settings)} the largest N teaches at least {MORE:g} of c more than fresh sequences in as many updates:
        training on fresh ones is still on a plateau.
    """


def _sizes(shares: pd.DataFrame) -> list[str]:
    """Columns of `learned_share` that are an N, increasing."""
    named = [name for name in map(str, shares.dropna(axis=1, how="all")) if name.startswith("N = ")]
    return sorted(named, key=lambda name: float(name.removeprefix("N = ").replace("∞", "inf")))


def _n50(row: "pd.Series[Any]") -> str:
    if row["learned"] < MOST_SEEDS:
        return "–"
    return f"{_end(row['n50'])} [{_end(row['n50_low'])}, {_end(row['n50_high'])}]"


def _n50_steps(row: "pd.Series[Any]") -> str:
    """N₅₀ in steps at which the lag can be learned; a dash where N₅₀ is beyond the N that were tried."""
    known = row["learned"] >= MOST_SEEDS and row["n50"] > 0 and np.isfinite(row["n50"])
    return number(row["n50_steps"]) if known else "–"


def _end(size: float) -> str:
    return "<" if size == 0 else ">" if np.isinf(size) else number(size)


def foretold(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """The contest as its rule was fixed, and what was added when results were known."""
    table, of_architectures = tables["contest"], tables["left_out"]
    held_out = _by_candidate(table[table["half"] == "held_out"])
    alone = _by_candidate(of_architectures[of_architectures["architecture"] == ALL])
    chosen, found, best = judged(table), winner(table), _best_at_start(held_out)
    verdict = "Yes. " if found else "No. "
    shown = dict.fromkeys([best, chosen, *(name for name in (TEXT,) if name in held_out), *BASELINES])
    rows = {
        f"left out, by {_words(str(name))}": own.set_index("architecture")["error"].map("{:.2f}".format).rename(labels)
        for name, own in of_architectures[of_architectures["architecture"] != ALL].groupby("candidate", sort=False)
        if name in shown
    }
    errors = listed(f"{_words(name)} {_interval(alone[name], 'error')}" for name in shown)
    return Finding(
        "Does any quantity computed from gradients predict N₅₀?",
        f"{verdict}The candidate that the rule judges has an error of {held_out[chosen]['error']:.2f} in log₁₀ N₅₀, "
        f"the lag alone {held_out['lag']['error']:.2f}.",
        f"""
            *The rule, fixed beforehand.* It judges the candidate with the least error on one half of the settings, on
            the other half: {_words(chosen)}, with an error of {_interval(held_out[chosen], "error")} against
            {_interval(held_out["lag"], "error")} by the lag and {_interval(held_out["parameters"], "error")} by the
            number of parameters. {_of_judged(table, chosen)} {_of_seeds(tables["contest_by_seeds"])}

            *The best at initialisation, chosen after results were known,* is {_words(best)}: its rank correlation with
            N₅₀ on the held-out half is {_interval(held_out[best], "correlation")}, its error
            {_interval(held_out[best], "error")}. The error is below that of the lag in
            {percent(held_out[best]["better_than_lag"])} of resamples; the rule required 95 %.

            *A fairer test.* Both halves hold every architecture. If each architecture is predicted by the line of all
            others, errors are {errors}. {_words(best).capitalize()} does better than the lag in
            {percent(alone[best]["better_than_lag"])} of resamples of architectures and seeds. The rows have the error
            of each architecture.

            {_of_choices(tables)}
        """,
        rows,
        "the halves of the settings, and the seeds: both change which candidate is judged.",
        ("", "contest"),
    )


def _by_candidate(table: pd.DataFrame) -> dict[str, dict[Any, Any]]:
    return {row["candidate"]: row for row in table.to_dict("records")}


def _best_at_start(rows: Mapping[str, Mapping[Any, Any]]) -> str:
    """The candidate at initialisation with the least error."""
    return min((name for name in rows if name.endswith(", start")), key=lambda name: float(rows[name]["error"]))


def _of_judged(contest: pd.DataFrame, name: str) -> str:
    """How often the judged candidate is infinite, and whether it falls where N₅₀ rises."""
    own = contest[contest["candidate"] == name].set_index("half")
    falling = " and its line falls: a larger value predicts a smaller N₅₀" if own["slope"]["development"] < 0 else ""
    return f"This candidate is infinite in {percent(own['infinite'][ALL])} of the settings{falling}."


def _of_seeds(by_seeds: pd.DataFrame) -> str:
    """Whom the rule would have judged with fewer seeds."""
    counts = by_seeds["judged"].value_counts()
    if counts.empty:
        return ""
    names = listed(f"{_words(str(name))} in {count}" for name, count in counts.items())
    return f"With three of the seeds, of which there are {len(by_seeds)} choices, it judges {names}."


def _of_choices(tables: Tables) -> str:
    choices, deals = tables["contest_by_choice"], tables["random_halves"]
    others = choices[choices["choice"] != "as fixed"]
    foretelling = others[others["foretells"]]
    named = f" ({listed(foretelling['choice'])})" if len(foretelling) else ""
    ratio = deals["error"] / deals["error_of_lag"]
    low, high = ratio.quantile([0.025, 0.975])
    return f"""
        *Other choices.* With one choice made otherwise the rule finds a winner in {len(foretelling)} of {len(others)}
        cases{named}. With halves dealt at random ({len(deals)} times) the error of the judged candidate is
        {ratio.median():.2f} [{low:.2f}, {high:.2f}] times that of the lag, and the smaller one in
        {percent((ratio < 1).mean())}.
    """


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
    orders = listed(f"{_words(name)} {row['order']:.2f}" for name, row in every.items())
    best = max(every, key=lambda name: np.nan_to_num(every[name]["order"], nan=-2))
    verdict = "In part" if every[best]["order_low"] > 0 else "Not reliably"
    text = f"; of the paper's sample complexity it is {every[TEXT]['order']:.2f}" if TEXT in every else ""
    intervals = [f"{_interval(every[name], 'order')} for {_words(name)}" for name in (best, TEXT) if name in every]
    return Finding(
        "Does any such quantity order architectures as they learn?",
        f"{verdict}. The best rank correlation with N₅₀ over architectures is {every[best]['order']:.2f}{text}.",
        f"""
            Numbers are at initialisation, means over grids and lags, over all settings that are learned from N = ∞:
            {orders}. 1 is the same order, -1 the reverse. Which one is best was seen after results were known. With
            95 % intervals: {listed(intervals)}.
        """,
        {},
        "the architectures: at most eight have a lag in common, so chance alone gives large correlations.",
        ("", "contest"),
    )


def grown(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """How N₅₀ grows with the lag, beside the candidates."""
    table = tables["growth"]
    laws = ["logarithm", "power", "exponential"]
    n50 = table[table["quantity"] == "n50"].to_dict("records")
    bounds = listed(f"{_growth(row)} ({row['grid']})" for row in n50)
    censored = listed(f"{row['censored']} of {row['architectures']} ({row['grid']})" for row in n50)
    fits = listed(f"{_laws(row, laws)} ({row['grid']})" for row in n50)
    first = table[table["quantity"].isin(GROWING) & (table["grid"] == n50[0]["grid"])].to_dict("records")
    others = [f"{_words(row['quantity'].partition(',')[0])} {_growth(row)} ({_laws(row, laws)})" for row in first]
    infinite = [
        f"{_words(row['quantity'].partition(',')[0])} in {row['infinite']}" for row in first if row["infinite"] > 0
    ]
    return Finding(
        "How does N₅₀ grow with the lag?",
        f"From the shortest to the longest lag, in the median architecture: {bounds}.",
        f"""
            N₅₀ beyond the N that were tried gives a bound of the growth alone: in {censored} architectures. R² of a
            power of the lag's logarithm, of a power of the lag and of an exponential, within architectures and on N₅₀
            inside the grid of N, is {fits}. In the grid {n50[0]["grid"]}, at initialisation, the candidates grow:
            {listed(others)}.{f" At the longest lag {listed(infinite)} architectures are infinite." if infinite else ""}
        """,
        {},
        "the range of lags, three within a factor of four, and the smallest N, which is enough for many architectures.",
        ("", "contest"),
    )


def _growth(row: Mapping[Any, Any]) -> str:
    """A ratio, or its bounds."""
    low, high = (number(10 ** row[f"decades_{end}"]) for end in ("low", "high"))
    if row["decades_low"] == row["decades_high"]:
        return f"{low}-fold"
    return f"at least {low}-fold" if np.isinf(row["decades_high"]) else f"{low}- to {high}-fold"


def _laws(row: Mapping[Any, Any], laws: Iterable[str]) -> str:
    return ", ".join(f"{law} {row[law]:.2f}" for law in laws)


def larger(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Whether small networks speak for larger ones, at equal units and at equal parameters."""
    last = last_look(tables["half_learned"])
    lags = last.loc[last["grid"] == "larger", "lag"].unique()
    small = last[(last["grid"] == "sparse") & last["lag"].isin(lags)].set_index("architecture")
    large = last[last["grid"] == "larger"].set_index("architecture")
    equal = last[last["grid"] == "equal_parameters"].set_index("architecture")
    units = last[(last["grid"] == "sparse") & last["lag"].isin(equal["lag"])].set_index("architecture")
    of_lags, of_equal = (f"lag {listed(map(str, each))}" for each in (lags, equal["lag"].unique()))
    rows = {
        f"sparse, {of_lags}": small.apply(_n50, axis=1).rename(labels),
        f"twice the units and steps, {of_lags}": large.apply(_n50, axis=1).rename(labels),
        f"sparse, {of_lags}, N₅₀ (T - ℓ)": small.apply(_n50_steps, axis=1).rename(labels),
        f"twice the units and steps, {of_lags}, N₅₀ (T - ℓ)": large.apply(_n50_steps, axis=1).rename(labels),
        f"equal units, {of_equal}": units.apply(_n50, axis=1).rename(labels),
        f"equal parameters, {of_equal}": equal.apply(_n50, axis=1).rename(labels),
    }
    known = tables["size_ratios"].dropna()
    return Finding(
        "Do the small networks speak for larger ones?",
        _of_sizes(known),
        f"""
            Units and duration were doubled together, so their effects cannot be told apart. A longer sequence has more
            steps from which a lag can be learned, T - ℓ of T. {_of_each(known, labels)} At another lag, networks have
            as many units as give each architecture the same number of parameters.
        """,
        rows,
        "`grids.larger`: three architectures at one lag, with twice the duration.",
        ("", "phases_larger"),
    )


def _of_sizes(ratios: pd.DataFrame) -> str:
    """Whether more sequences, and more usable steps, are needed in the larger networks."""
    if ratios.empty:
        return "Undecided: no architecture has an N₅₀ in both grids."
    verdict = compare_sizes(ratios["ratio"], ratios["steps_ratio"])
    alike = [(ratios[f"{name}_low"] <= 1) & (ratios[f"{name}_high"] >= 1) for name in ("ratio", "steps_ratio")]
    count = int(sum(each.sum() for each in alike))
    return f"""
        {verdict}. Intervals of {count} of {2 * len(ratios)} ratios of N₅₀, in sequences and in usable steps, contain 1.
    """


def _of_each(ratios: pd.DataFrame, labels: Mapping[str, str]) -> str:
    if ratios.empty:
        return ""
    sequences, steps = (
        listed(f"{_interval(row, name)} in {labels[row['architecture']]}" for row in ratios.to_dict("records"))
        for name in ("ratio", "steps_ratio")
    )
    return f"""
        In sequences the ratio of N₅₀ is {sequences}. In usable steps, N₅₀ (T - ℓ), it is {steps}. In brackets, 95 %
        intervals that resample the seeds of both.
    """


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
        "Are six lags learned if a task requires them at once?",
        f"They are learned in part: the mean r/c rises from {own[first].mean():.2f} to {own[last].mean():.2f} with the "
        "sequences.",
        f"""
            From {first} to {last}. Numbers are medians over seeds of r/c. The task is the paper's at a smaller scale,
            in which far lags can be learned as echoes of near ones.
        """,
        rows,
        "`grids.six_lags`: lags that are multiples of the first.",
        ("", "phases_six_lags"),
    )


QUESTIONS = {
    thresholds: ["half_learned", "learned_share"],
    foretold: ["contest", "left_out", "contest_by_choice", "contest_by_seeds", "random_halves"],
    ordered: ["contest"],
    grown: ["growth"],
    larger: ["half_learned", "size_ratios"],
    together: ["learned_share"],
}
"""Each question, and the tables that answer it."""


def answer(tables: Tables, labels: Mapping[str, str], searched: pd.DataFrame | None = None) -> list[Finding]:
    """All findings.

    Args:
        tables: of `studies.ground_truth.tables.tabulate`.
        labels: names of architectures.
        searched: rows of searches over `HEADLINES` of the study's modules `headlines` and `analysed`. A finding with
            such rows names the two settings that change its answer most.
    """
    findings = {
        question.__name__: question(tables, labels)._replace(tables=[("", name) for name in named])
        for question, named in QUESTIONS.items()
    }
    where = dict.fromkeys(findings, TRAINED_AGAIN) | dict.fromkeys(analysed.HEADLINES, SAME_TRIALS)
    return list(with_searched(findings, searched, where).values())
