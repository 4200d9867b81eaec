"""Measures that claims about networks are about: each reads the study's tables, of all seeds, for one role.

A table, a delay or a network that is missing gives no number, and a note that says so.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from learnability.claims import Evidence, Found, Measures
from learnability.stats.fits import fit_line
from learnability.windows.scaling import rank_correlation
from studies.attention import theory_measures
from studies.attention.dense_tables import LIBRARY_DATA
from studies.attention.games.paper import FRAMES
from studies.attention.paper import OF_DELAYS
from studies.attention.sizes.tables import AT_EACH
from studies.attention.trained_tables import (
    BY,
    LONGER,
    MOST,
    NAME,
    NEARLY_ALL,
    PRINTED,
    QUARTERS,
    RECIPES,
    RISE,
    in_words,
    of_copying,
)

OF_SHARES, OF_ALL_STEPS = ("measured", "low", "high"), ("all_steps", "all_low", "all_high")
"""Columns of a share, with its range over seeds: of right answers where symbols are asked for, and at all steps."""
ROLES = (
    *("rnn", "orth_rnn", "exp_rnn", "lstm", "goru", "h_detach", "sab", "mem_rnn", "mem_lstm", "rel_rnn", "rel_lstm"),
    "theory",
)
"""Architectures by the names that the configuration has, and what is computed without any."""
RECURRENT = ("orth_rnn", "exp_rnn", "lstm", "goru")
"""Networks without attention."""
BASE = {"mem_rnn": "rnn", "rel_rnn": "rnn", "mem_lstm": "lstm", "rel_lstm": "lstm", "sab": "lstm"}
"""Network to which an architecture adds attention."""
NOT_TRAINED = "not trained"
NOT_LEARNED = "not learned"
"""Reason why a number is no evidence, for the paper or against it: the network recalls less than `MOST`."""
OVERFLOWS = "state overflows"
"""Another reason: in some sequence a score is not finite, so that there is no answer."""
RECALLS = ("learning_speed", "screening")
"""Tables whose `accuracy` says whether a network has learned; shares by delay say so by `conclusive`."""
FROM_TRIALS = ("sab",)
"""Architectures whose recipe by public code has a part that trials replaced, see `docs/recipes_attention.md`."""
AHEAD = 0.05
"""Difference from which a mean return is said to be higher than another."""


def of_range(median: float, low: float, high: float, seeds: int) -> list[float]:
    """A number for each seed, of which a table has median and range; beyond three, the others count as the median."""
    return [median] * seeds if seeds < 2 else [low, *[median] * (seeds - 2), high]


def _of_row(row: "pd.Series[float]", note: str = "", columns: Sequence[str] = OF_SHARES) -> Found:
    median, low, high = (float(row[column]) for column in columns)
    return Found(of_range(median, low, high, int(row["seeds"])), note, tuned_for([row]))


def tuned_for(rows: "Iterable[Mapping[Any, Any] | pd.Series[Any]]") -> str:
    """What was tuned for networks, see `learnability.claims.SETTINGS`: the paper's claims were judged before by others.

    Args:
        rows: each with the `architecture` and the `experiment` of a network.

    Example:
        >>> tuned_for([{"architecture": "sab", "experiment": "copy_100_by_authors_code"}])
        'start'
    """
    settings = []
    for row in rows:
        match = NAME.fullmatch(str(row["experiment"]))
        if match and match["recipe"]:
            settings.append("start" if row["architecture"] in FROM_TRIALS else "recipe")
        elif match and match["variant"] == LONGER:
            settings.append("updates")
    return ", ".join(dict.fromkeys(settings))


def _has_learned(evidence: Evidence, experiment: str) -> bool:
    """True if the network of an experiment on copy or denoise recalls `MOST` at the end; of others nothing is asked."""
    if NAME.fullmatch(experiment) is None:
        return True
    rows = evidence.table("learning_speed")
    return bool((rows.loc[rows["experiment"] == experiment, "accuracy"] >= MOST).any())


def cell(kind: str, by: str, columns: Sequence[str] = OF_SHARES) -> Callable[..., Found]:
    """The measure that reads a cell of a table: the row of the role's architecture in which the column `by` is `at`.

    Args:
        kind: a table with columns architecture, `by`, seeds, and `columns`.
        columns: median over seeds, least and greatest seed.
    """

    def measure(evidence: Evidence, at: float | str) -> Found:
        if kind not in evidence.tables:
            return Found([], f"no table {kind}")
        rows = evidence.table(kind)
        rows = rows[rows[by] == at]
        return _of_row(rows.iloc[0], columns=columns) if len(rows) else Found([], f"not in the table {kind}")

    return measure


def attended_states(evidence: Evidence, at: str) -> Found:
    """Number of states that a network attends to in the experiment `at`, if its data are the paper's.

    By the recipe of public code where there is a network of it.
    """
    experiments = evidence.tables.get("attended", pd.DataFrame({"experiment": []}))["experiment"]
    by_code = [name for recipe in RECIPES if (name := f"{at}_{BY}_{recipe}") in set(experiments)]
    result = cell("attended", "experiment")(evidence, at)
    if by_code and not result.values:
        (at,) = by_code
        result = cell("attended", "experiment")(evidence, at)
        note = f"trained{_by_recipe(at, evidence.roles[evidence.role])}"
        result = result._replace(note=note) if result.values else result
    if result.values and not _has_learned(evidence, at):
        return Found([], f"{np.median(result.values):.3g} states; {NOT_LEARNED}")
    if not result.values or at not in LIBRARY_DATA:
        return result
    data = evidence.table(at)["data"].iloc[0]
    if data == LIBRARY_DATA[at]:
        return Found([], f"{np.median(result.values):.3g} states; {_of_other_data(data)}")
    return Found(result.values, str(data))


def _of_other_data(data: str) -> str:
    return f"trained on '{data}', not on the paper's data"


def answer(experiment: str, median: str, low: str, high: str) -> Callable[..., Found]:
    """The measure of answers on pixels or characters, if their data are not those that come with the library.

    Args:
        median, low, high: columns of the experiment's table, over seeds.
    """

    def measure(evidence: Evidence) -> Found:
        rows = evidence.table(experiment)
        rows = rows[rows["seeds"] > 0]
        if rows.empty:
            return Found([], NOT_TRAINED)
        row = rows.iloc[0]
        if row["data"] == LIBRARY_DATA[experiment]:
            return Found([], _of_other_data(row["data"]))
        values = of_range(float(row[median]), float(row[low]), float(row[high]), int(row["seeds"]))
        return Found(values, str(row["data"]))

    return measure


def reward(evidence: Evidence, at: str) -> Found:
    """The mean return of an agent in an environment: of its training, or the larger one.

    Agents that saw fewer frames than the paper prints give no number: a short training cannot miss a published return.
    """
    rows = evidence.table("games")
    for on in ("train", "test"):
        for row in rows[rows[f"{on}ed_on"] == at].to_dict("records"):
            if row["seeds"] == 0:
                return Found([], NOT_TRAINED)
            if row["frames"] < FRAMES:
                return Found([], f"{row[on]:.3g} {_of_few_frames(float(row['frames']))}")
            return Found([row[on]], f"after {row['frames']:,.0f} frames, the mean over seeds")
    return Found([], f"not in the table games: '{at}'")


def _of_few_frames(frames: float) -> str:
    return f"after {frames:,.0f} of the paper's {FRAMES:,} frames"


def grids_ahead(evidence: Evidence, at: str) -> Found:
    """Number of larger grids on which the mean return is that of the role `at` and `AHEAD` more, or beyond.

    No number for agents that saw fewer frames than the paper prints.
    """
    tables = [role.table("games").set_index("tested_on") for role in (evidence, evidence.of(at))]
    returns, other_returns = (table["test"] for table in tables)
    leads = (returns - other_returns).dropna()
    if leads.empty:
        return Found([], "not both trained")
    ahead = (leads >= AHEAD).sum()
    frames = min(table.loc[leads.index, "frames"].min() for table in tables)
    if frames < FRAMES:
        return Found([], f"{ahead} of {len(leads)} {_of_few_frames(float(frames))}")
    return Found([float(ahead)], f"of {len(leads)}")


def size(size_name: str) -> Callable[..., Found]:
    """The measure of decades, up or down, between the gradient at the last step and in the farthest quarter.

    Args:
        size_name: the size that is `at` in training: `relevant`, ρ, or `short_term`, ν.
    """

    def measure(evidence: Evidence, at: int) -> Found:
        rows = evidence.table("screening")
        rows = rows[(rows["trained_on"] == AT_EACH) & (rows["varied"] == size_name) & (rows["size"] == at)]
        if rows.empty:
            return Found([], NOT_TRAINED)
        row = rows.iloc[0]
        note = f"{row['steps']} steps, recalls {row['accuracy']:.0%}"
        if row["accuracy"] < MOST:
            return Found([], f"{abs(row['farthest']):.3g}; {note}; {NOT_LEARNED}")
        return Found([abs(row["farthest"])], note)

    return measure


def share(kind: str, columns: Sequence[str] = OF_SHARES) -> Callable[..., Found]:
    """The measure of a share of right answers in one of `TABLES`, at a delay; with the number of updates.

    A share that is not conclusive, see `studies.attention.trained_tables.tabulate`, is no number.

    Args:
        columns: of the share and its range: `OF_SHARES` or, of `copy_transfer`, `OF_ALL_STEPS`.
    """

    def measure(evidence: Evidence, at: int) -> Found:
        result = cell(kind, "delay", columns)(evidence, at)
        if result.values:
            rows = evidence.table(kind)
            place = rows["delay"].tolist().index(at)
            training = _trained_for(evidence, rows["experiment"].iloc[place])
            if rows["conclusive"].iloc[place]:
                return result._replace(note=training)
            reason = NOT_LEARNED if rows["finite"].iloc[place] == 1 else OVERFLOWS
            return Found([], f"{100 * np.median(result.values):.3g} % {training}; {reason}")
        rows = evidence.table(kind)
        hours = rows.loc[rows["delay"] == at, "core_hours"].max()
        cost = f"no trained network; about {hours:.2g} core hours"
        return Found([], "not run" if np.isnan(hours) else cost)

    return measure


def _trained_for(evidence: Evidence, experiment: str) -> str:
    rows = evidence.table("learning_speed")
    rows = rows[rows["experiment"] == experiment]
    if rows.empty:
        return ""
    row = rows.iloc[0]
    divergence = f"; {row['diverged']} of {row['seeds']} seeds diverged" if row["diverged"] else ""
    rise = "; still rising" if row["late_gain"] >= RISE and row["accuracy"] < NEARLY_ALL else ""
    recipe = _by_recipe(experiment, evidence.roles[evidence.role])
    return f"after {row['all_updates']:,.0f} updates{recipe}{divergence}{rise}"


def _by_recipe(experiment: str, architecture: str) -> str:
    match = NAME.fullmatch(experiment)
    if match is None or not match["recipe"]:
        return ""
    but = " but for part of its start" if architecture in FROM_TRIALS else ""
    return f" by {RECIPES.get(match['recipe'], match['recipe'])}{but}"


def _shares(evidence: Evidence, kind: str) -> pd.DataFrame:
    """Cells that were measured and are conclusive, by delay."""
    rows = evidence.table(kind)
    return rows[(rows["seeds"] > 0) & rows["conclusive"].eq(True)].set_index("delay").sort_index()


def _no_share(evidence: Evidence, *kinds: str) -> Found:
    """No number, with the reason: there is no network, or none whose share is conclusive."""
    is_measured = any((evidence.table(kind)["seeds"] > 0).any() for kind in kinds)
    return Found([], NOT_LEARNED if is_measured else NOT_TRAINED)


def _at_delays(delays: "pd.Index[int]") -> str:
    return f"T = {', '.join(f'{delay:g}' for delay in delays)}"


def _over(delays: "pd.Index[int]", shares: Sequence[pd.DataFrame]) -> str:
    """Delays, and for how long networks were trained that are compared there."""
    updates = pd.concat([rows["updates"].reindex(delays) for rows in shares]).dropna()
    longest = f" to {updates.max():,.0f}" if updates.max() > updates.min() else ""
    return f"over {_at_delays(delays)}, {updates.min():,.0f}{longest} updates"


def _extreme(evidence: Evidence, kind: str, of: str) -> Found:
    rows = _shares(evidence, kind)
    if rows.empty:
        return _no_share(evidence, kind)
    worst = getattr(rows["measured"], of)()
    table = evidence.table(kind).set_index("delay")
    open_delays = table.index[(table["seeds"] > 0) & table["conclusive"].eq(False)]
    also = f"; open at {_at_delays(open_delays)}" if len(open_delays) else ""
    result = _of_row(rows.loc[worst], f"over {_at_delays(rows.index)}{also}")
    return result._replace(tuned=tuned_for(rows.to_dict("records")), is_partial=len(open_delays) > 0)


def least_share(evidence: Evidence, at: str) -> Found:
    """Least share over the delays that were measured, of the table `at`."""
    return _extreme(evidence, at, "idxmin")


def largest_share(evidence: Evidence, at: str) -> Found:
    """Largest share over the delays that were measured."""
    return _extreme(evidence, at, "idxmax")


def _least_lead(evidence: Evidence, kind: str, roles: Sequence[str]) -> Found:
    """Least lead, over delays at which both were measured, of the share over the best of others."""
    shares = _shares(evidence, kind)
    rivals = [_shares(evidence.of(role), kind) for role in roles if role != evidence.role]
    leads = (shares["measured"] - pd.concat([rows["measured"] for rows in rivals], axis=1).max(axis=1)).dropna()
    return _compared(leads.min(), leads.index, [shares, *rivals]) if len(leads) else _no_share(evidence, kind)


def _compared(value: float, delays: "pd.Index[int]", shares: Sequence[pd.DataFrame]) -> Found:
    """A number of a comparison at some delays, with what was tuned for either side."""
    networks = [row for rows in shares for row in rows[rows.index.isin(delays)].to_dict("records")]
    return Found([value], _over(delays, shares), tuned_for(networks))


def lead_over_recurrent(evidence: Evidence, at: str) -> Found:
    """Least lead over the best network without attention."""
    return _least_lead(evidence, at, RECURRENT)


def lead_over_lstm(evidence: Evidence, at: str) -> Found:
    """Least lead over the LSTM."""
    return _least_lead(evidence, at, ["lstm"])


def lead_over_memory(evidence: Evidence, at: str) -> Found:
    """Least lead over the better of MemRNN and SAB."""
    return _least_lead(evidence, at, ["mem_rnn", "sab"])


def distance_from_rel_rnn(evidence: Evidence, at: str) -> Found:
    """Largest difference from RelRNN's share, over delays at which both were measured."""
    shares, rel_rnn = (_shares(role, at) for role in (evidence, evidence.of("rel_rnn")))
    gaps = (shares["measured"] - rel_rnn["measured"]).abs().dropna()
    return _compared(gaps.max(), gaps.index, [shares, rel_rnn]) if len(gaps) else _no_share(evidence, at)


def _measure_transfer(evidence: Evidence, column: str, of: Callable[["pd.Series[float]"], tuple[float, str]]) -> Found:
    """A number, and a note, from the shares by delay of a network that has learned the first and was put to others.

    Args:
        column: of `copy_transfer`, the count of right answers: at the last steps, `measured`, or at `all_steps`.
    """
    rows = _shares(evidence, "copy_transfer")
    if len(rows) < 2 or rows.index[0] != evidence.tables["copy_transfer"]["delay"].min():
        return _no_share(evidence, "copy_transfer")
    value, note = of(rows[column])
    return Found([value], note, tuned_for(rows.to_dict("records")))


def transfer_loss(evidence: Evidence, at: str = OF_SHARES[0]) -> Found:
    """Share at the first delay less that at the longest, of what has learned the first, by the count `at`."""
    return _measure_transfer(
        evidence, at, lambda shares: (shares.iloc[0] - shares.iloc[-1], f"at {_at_delays(shares.index[-1:])}")
    )


def transfer_trend(evidence: Evidence, at: str = OF_SHARES[0]) -> Found:
    """Spearman's correlation of share and delay, of what has learned the first, by the count `at`."""
    return _measure_transfer(evidence, at, lambda shares: (_trend(shares), ""))


def _trend(shares: "pd.Series[float]") -> float:
    """Rank correlation with the delay, which is the index."""
    return rank_correlation(shares.index.to_numpy(float), shares.to_numpy())


def printed_longest(evidence: Evidence, at: str) -> Found:
    """Longest delay at which the paper's table has a share."""
    rows = evidence.table(at).dropna(subset="paper")
    return Found([float(rows["delay"].max())], "the paper's own table")


def printed_trend(evidence: Evidence, at: str) -> Found:
    """Spearman's correlation of share and delay in the paper's table."""
    rows = evidence.table(at).dropna(subset="paper").sort_values("delay")
    return Found([_trend(rows.set_index("delay")["paper"])], "the paper's own table")


def updates_over_others(evidence: Evidence, at: str) -> Found:
    """Updates until learned, over the fewest of the other networks; the largest over delays of the task `at`.

    The others learn by any recipe, the role's architecture by another than `PRINTED` where it does by one. A delay at
    which it has not learned, or none of the others, is left out: a network that has not learned may have been trained
    too briefly.
    """
    speed = of_copying(evidence.tables["learning_speed"], "", BY).query("task == @at")
    is_own = speed["architecture"] == evidence.roles[evidence.role]
    runs, rivals = speed[is_own], speed[~is_own].groupby("at_delay")["updates"].min()
    if runs.empty:
        return Found([], NOT_TRAINED)
    runs = runs.dropna(subset="updates").sort_values("variant")  # of another recipe last
    runs = runs.groupby("at_delay").tail(1).set_index("at_delay")
    rows = runs.assign(ratio=runs["updates"] / rivals.reindex(runs.index)).dropna(subset="ratio")
    if rows.empty:
        return Found([], NOT_LEARNED)
    worst = rows.sort_values("ratio").iloc[-1].to_dict()
    name = str(worst["experiment"])
    return Found([worst["ratio"]], f"{in_words(name)}, {_trained_for(evidence, name)}", tuned_for([worst]))


def arriving_trained(evidence: Evidence) -> Found:
    """log₁₀ of ‖∂L/∂h_t‖ of denoise in the farthest quarter over that at the last step, after training.

    It is taken at the longest delay that the network has learned, the nearest to the paper's. The gradient of a
    network that has not learned is of errors that stay large.
    """
    rows = _gradients(evidence)
    return _arrival(evidence, int(rows.index.max())) if len(rows) else _no_gradient(evidence)


def _gradients(evidence: Evidence) -> pd.DataFrame:
    """Rows of `trained_gradients` of networks that have learned, by delay, with their `experiment`."""
    rows = evidence.table("trained_gradients")
    suffixes = [f"_{BY}_{recipe}" if recipe != PRINTED else "" for recipe in rows["recipe"]]
    names = [f"denoise_{delay}{suffix}" for delay, suffix in zip(rows["delay"], suffixes, strict=True)]
    rows = rows.assign(experiment=names)
    learned = np.array([_has_learned(evidence, name) for name in names], bool)
    return rows[learned].set_index("delay").sort_index()


def _no_gradient(*sides: Evidence) -> Found:
    """No number, with the reason: a side was not trained, or has not learned."""
    is_trained = all(len(side.table("trained_gradients")) for side in sides)
    return Found([], NOT_LEARNED if is_trained else NOT_TRAINED)


def _arrival(evidence: Evidence, delay: int) -> Found:
    row = _gradients(evidence).loc[delay].to_dict()
    training = _trained_for(evidence, str(row["experiment"]))
    note = f"of {row['steps']:.0f} steps{f', {training}' if training else ''}"
    return Found([float(row[QUARTERS[-1]])], note, tuned_for([row]))


def arriving_untrained(evidence: Evidence) -> Found:
    """The same before training."""
    rows = evidence.table("gradient_norms")
    if rows.empty:
        return Found([], "not measured")
    column = rows.columns[-2]
    start, end = column.split("_")[1:]
    return Found([float(rows[column].iloc[0])], f"{start} to {end} steps back")


def _difference(first: Found, second: Found) -> Found:
    values = [first.values[0] - second.values[0]] if first.values and second.values else []
    tuned = ", ".join(filter(None, dict.fromkeys([first.tuned, second.tuned])))
    return Found(values, first.note if values else "not both measured", tuned)


def arriving_beside_base(evidence: Evidence) -> Found:
    """`arriving_untrained` less that of the network without attention, of `BASE`: decades."""
    return _difference(arriving_untrained(evidence), arriving_untrained(evidence.of(BASE[evidence.role])))


def arriving_beside(evidence: Evidence, at: str) -> Found:
    """Lead in `arriving_trained` over the role `at`, at the longest delay that both have learned: decades."""
    rival = evidence.of(at)
    delays = _gradients(evidence).index.intersection(_gradients(rival).index)
    if delays.empty:
        return _no_gradient(evidence, rival)
    return _difference(*(_arrival(role, int(delays.max())) for role in (evidence, rival)))


def exponential_in_time(evidence: Evidence) -> Found:
    """R² of a line through the logarithms of `trained_gradients` by quarters, at the longest delay that was learned."""
    rows = _gradients(evidence)
    if rows.empty:
        return _no_gradient(evidence)
    norms = rows[QUARTERS].iloc[-1].to_numpy(float)
    value = fit_line(np.arange(len(QUARTERS)), norms).r_squared
    return Found([value], f"of {rows['steps'].iloc[-1]:.0f} steps", tuned_for([rows.iloc[-1]]))


def memory_power(evidence: Evidence) -> Found:
    """Power of T with which memory kept for the backward pass grows."""
    return Found(evidence.table("backward_growth")["exponent_kept"].tolist())


def _memory(evidence: Evidence) -> "pd.Series[float]":
    """MiB by steps."""
    rows = evidence.table("backward_costs")
    return rows.set_index("steps")["kept_mib"].sort_index()


def memory_beside(evidence: Evidence, at: str) -> Found:
    """Memory kept at the longest T, over that of the role `at`."""
    memory, rival_memory = _memory(evidence), _memory(evidence.of(at))
    if memory.empty or rival_memory.empty:
        return Found([], "not both measured")
    return Found([memory.iloc[-1] / rival_memory.iloc[-1]], f"{memory.index[-1]} steps")


def rise_beside(evidence: Evidence, at: str) -> Found:
    """Memory kept at the longest T less that at the T before, over the same of the role `at`."""
    rises, rival_rises = _memory(evidence).diff(), _memory(evidence.of(at)).diff()
    if rises.empty or rival_rises.empty:
        return Found([], "not both measured")
    return Found([rises.iloc[-1] / rival_rises.iloc[-1]], f"to {rises.index[-1]} steps")


def gib_kept(evidence: Evidence, at: int) -> Found:
    """GiB kept for a gradient at delay `at`, along powers of T through what was measured, the last one beyond it."""
    return _gib_kept(evidence, at + 20, 1)


def gib_by_hundred(evidence: Evidence, at: int) -> Found:
    """The same for a gradient on a hundred sequences of `at` steps, each of which keeps its own."""
    rows = evidence.table("backward_costs")
    return _gib_kept(evidence, at, 100 / rows["batch_size"].iloc[0]) if len(rows) else Found([], "not measured")


def _gib_kept(evidence: Evidence, steps: int, batches: float) -> Found:
    memory = _memory(evidence)
    if len(memory) < 2:
        return Found([], "not measured")
    x, y, target = np.log(memory.index.to_numpy(float)), np.log(memory.to_numpy() / 1024), np.log(steps)
    slope = (y[-1] - y[-2]) / (x[-1] - x[-2])
    beyond = target > x[-1]
    value = y[-1] + slope * (target - x[-1]) if beyond else np.interp(target, x, y)
    times = "" if batches == 1 else f"{batches:g} times what is kept of a batch"
    return Found([batches * float(np.exp(value))], ", ".join(filter(None, ["extrapolated" if beyond else "", times])))


FUNCTIONS: dict[str, Callable[..., Found]] = {
    **{kind: share(kind) for kind in OF_DELAYS},
    "copy_transfer_at_all_steps": share("copy_transfer", OF_ALL_STEPS),
    "pixels": answer("pixels", "accuracy", "lowest", "highest"),
    "characters": answer("characters", "accuracy", "lowest", "highest"),
    "bits": answer("characters", "bits", "lowest_bits", "highest_bits"),
    "minigrid": reward,
    "gradients_by_rho": size("relevant"),
    "gradients_by_nu": size("short_term"),
    **{
        function.__name__: function
        for function in (
            *(least_share, largest_share, lead_over_recurrent, lead_over_lstm, lead_over_memory, distance_from_rel_rnn),
            *(attended_states, transfer_loss, transfer_trend, printed_longest, printed_trend, updates_over_others),
            *(arriving_trained, arriving_untrained, arriving_beside_base, arriving_beside, exponential_in_time),
            *(memory_power, memory_beside, rise_beside, gib_kept, gib_by_hundred, grids_ahead),
        )
    },
    **theory_measures.FUNCTIONS,
}
COMPARISONS = (
    *("lead_over_recurrent", "lead_over_lstm", "lead_over_memory", "distance_from_rel_rnn", "updates_over_others"),
    *("arriving_beside_base", "arriving_beside", "memory_beside", "rise_beside", "grids_ahead"),
)
"""Measures that compare a role with others."""
MEASURES = Measures(FUNCTIONS, ROLES, COMPARISONS, nameless=["theory"])
