"""The contest, by its rule and by other tests."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from learnability.report.findings import Finding, listed, percent
from learnability.report.style import Tables
from studies.ground_truth.answers import TEXT, interval, words
from studies.ground_truth.contest import ALL, BASELINES, judged, winner


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """The contest as its rule was fixed, and what was added when results were known."""
    table, of_architectures = tables["contest"], tables["left_out"]
    held_out = _by_candidate(table[table["half"] == "held_out"])
    alone = _by_candidate(of_architectures[of_architectures["architecture"] == ALL])
    chosen, found, best = judged(table), winner(table), _best_at_start(held_out)
    verdict = "Yes. " if found else "No. "
    shown = dict.fromkeys([best, chosen, *(name for name in (TEXT,) if name in held_out), *BASELINES])
    rows = {
        f"left out, by {words(str(name))}": own.set_index("architecture")["error"].map("{:.2f}".format).rename(labels)
        for name, own in of_architectures[of_architectures["architecture"] != ALL].groupby("candidate", sort=False)
        if name in shown
    }
    errors = listed(f"{words(name)} {interval(alone[name], 'error')}" for name in shown)
    return Finding(
        "Does any quantity computed from gradients predict N₅₀?",
        f"{verdict}The candidate that the rule judges has an error of {held_out[chosen]['error']:.2f} in log₁₀ N₅₀, "
        f"the lag alone {held_out['lag']['error']:.2f}.",
        f"""
            *The rule, fixed beforehand.* It judges the candidate with the least error on one half of the settings, on
            the other half: {words(chosen)}, with an error of {interval(held_out[chosen], "error")} against
            {interval(held_out["lag"], "error")} by the lag and {interval(held_out["parameters"], "error")} by the
            number of parameters. {_of_judged(table, chosen)} {_of_seeds(tables["contest_by_seeds"])}

            *The best at initialisation, chosen after results were known,* is {words(best)}: its rank correlation with
            N₅₀ on the held-out half is {interval(held_out[best], "correlation")}, its error
            {interval(held_out[best], "error")}. The error is below that of the lag in
            {percent(held_out[best]["better_than_lag"])} of resamples; the rule required 95 %.

            *A fairer test.* Both halves hold every architecture. If each architecture is predicted by the line of all
            others, errors are {errors}. {words(best).capitalize()} does better than the lag in
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
    names = listed(f"{words(str(name))} in {count}" for name, count in counts.items())
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
