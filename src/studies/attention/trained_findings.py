"""Questions of which trained networks are the answer; every number is one of a table."""

from collections.abc import Mapping

import pandas as pd

from learnability.report.findings import Finding, listed, number, percent
from studies.attention.trained_tables import MOST, in_words

Tables = Mapping[str, pd.DataFrame]
NEAR = 0.05
"""Difference of shares up to which one agrees with the paper's."""
GUESS = 1 / 8
"""Share of symbols that a guess names."""


def learning(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Which networks learn copy and denoise, and after how many updates."""
    table = tables["learning_speed"].assign(model=lambda rows: rows["architecture"].map(labels))
    reached = table.dropna(subset="updates").sort_values("updates", kind="stable")
    order = {
        in_words(str(name)): [f"{row['model']} {row['updates']:,.0f}" for row in rows.to_dict("records")]
        for name, rows in reached.groupby("experiment", sort=False)
    }
    without = table[table["updates"].isna()].sort_values("accuracy", kind="stable")
    ends = table.groupby("experiment")["all_updates"].transform("max")
    diverged = [
        f"{row['model']} on {in_words(row['experiment'])} after {row['all_updates']:,.0f} updates"
        for row in table[table["all_updates"] < ends].to_dict("records")
    ]
    nearest = ""
    if len(without):
        row = without.iloc[-1]
        nearest = f"""
            Of the others {row["model"]} comes nearest: it names {percent(row["accuracy"])} at the end of training
            ({in_words(row["experiment"])}).
        """
    return Finding(
        "Which networks learn to copy and to denoise, and how fast?",
        f"""
            {len(reached)} of {len(table)} name {percent(MOST)} of the symbols: first are
            {listed(f"{told[0]} updates ({task})" for task, told in order.items()) if order else "none"}.
        """,
        f"""
            Updates until then are
            {"; ".join(f"{listed(told)} on {task}" for task, told in order.items()) if order else "none"}.
            {nearest}
            {f"Training diverged of {listed(diverged)}: each is kept as it was before." if diverged else ""}
            Each update is of ten sequences that are never shown again. In Mem and Rel networks state and context are
            averaged, as in the authors' code. The paper does not print for how long it trains: what has not learned
            here may learn there.
        """,
        {},
        f"`epochs`: what has not learned after {table['all_updates'].max():,.0f} updates counts as what never does.",
        ("", "learning_speed"),
    )


def reaching(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Over which delays networks copy and denoise, each trained at its delay, beside what the paper prints."""
    both = {"copy": tables["copied"], "denoise": tables["denoised"]}
    cells = pd.concat([table.assign(task=task) for task, table in both.items()], ignore_index=True)
    cells = cells.assign(model=cells["architecture"].map(labels))
    measured, blank = cells[cells["seeds"] > 0], cells[cells["core_hours"].notna()]
    learned = measured[measured["measured"] >= MOST]
    longest = {
        task: [f"{name} T = {delay}" for name, delay in rows.groupby("model", sort=False)["delay"].max().items()]
        for task, rows in learned.groupby("task")
    }
    reach = "; ".join(f"{task}: {listed(longest[task]) if task in longest else 'none'}" for task in ("copy", "denoise"))
    beside = measured.dropna(subset="paper")
    near = ((beside["measured"] - beside["paper"]).abs() <= NEAR).sum()
    several = measured[measured["seeds"] > 1]
    spread = "Each is of one seed."
    if len(several):
        ranges = several.assign(width=several["high"] - several["low"])
        row = ranges.sort_values("width").iloc[-1]
        spread = f"""
            {len(several)} of them are of several seeds; the widest range is {percent(row["low"])} to
            {percent(row["high"])}, of {row["model"]} ({row["task"]}, T = {row["delay"]}).
        """
    cost = ""
    if len(blank):
        dearest = blank.sort_values("core_hours").iloc[-1]
        cost = f"""
            Beside {len(blank)} of the paper's shares there is none of ours: they would take
            {number(blank["core_hours"].sum())} hours of one core, {number(dearest["core_hours"])} of them for
            {dearest["model"]} at T = {dearest["delay"]}.
        """
    return Finding(
        "Over how many steps do networks copy and denoise?",
        f"The longest delay at which {percent(MOST)} of the symbols are named is, of what was trained, for {reach}.",
        f"""
            Of {len(beside)} shares beside those of the paper {near} lie within {percent(NEAR)} of them. {spread} {cost}
        """,
        {},
        "The seed: at delays that cost most there is one.",
        ("", "copied"),
    )


def transfer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Networks that copy over one delay at longer ones, beside what the paper prints."""
    table = (
        tables["copy_transfer"].dropna(subset="measured").assign(model=lambda rows: rows["architecture"].map(labels))
    )
    first, last = table["delay"].min(), table["delay"].max()
    at = {delay: table[table["delay"] == delay].set_index("model") for delay in (first, last)}
    learned = at[first].index[at[first]["measured"] >= MOST]
    kept = at[last]["measured"].reindex(learned).dropna().sort_values(ascending=False)
    gaps = (at[last]["measured"] - at[last]["paper"]).reindex(learned).dropna()
    shares = listed(f"{percent(share)} for {name}" for name, share in kept.items()) if len(kept) else "–"
    beyond = {delay: rows["measured"] - GUESS for delay, rows in at.items()}
    told = beyond[first][beyond[first] >= GUESS]
    carried = (beyond[last].reindex(told.index).dropna() / told).clip(0, 1).sort_values(ascending=False, kind="stable")
    best = ""
    if len(carried):
        named = percent(at[first]["measured"][carried.index[0]])
        best = (
            f"; {carried.index[0]}, which names {named}, keeps {percent(carried.iloc[0])} of what goes beyond a guess"
        )
    widest = ""
    if len(gaps):
        name = gaps.abs().idxmax()
        widest = f"The largest difference from the paper there is {gaps[name]:+.2f}, of {name}."
    return Finding(
        "Do networks that copy over one delay copy over longer ones?",
        f"""
            Of the {len(learned)} that name {percent(MOST)} at T = {first},
            {(kept >= MOST).sum()} still do at T = {last:,}{best}.
        """,
        f"""
            At T = {last:,} the share is {shares}; a guess has one eighth. {widest} Of networks that name at T = {first}
            twice as much as a guess, what goes beyond a guess is kept to
            {listed(f"{percent(share)} by {name}" for name, share in carried.items()) if len(carried) else "–"}.
        """,
        {},
        "The length of training: a network that has just learned its delay may transfer worse than one that has long.",
        ("", "copy_transfer"),
    )


def arriving_trained(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """‖∂L/∂h_t‖ after training, of denoise."""
    norms = tables["trained_gradients"].set_index("architecture").rename(labels)
    *_, farthest, _ = norms.columns
    lost = norms[farthest].sort_values()
    start, end = farthest.split("_")[1:]
    return Finding(
        "What of a gradient arrives at early steps, after training?",
        f"""
            {start} to {end} steps before the last it is 10 to the {lost.iloc[0]:.1f} ({lost.index[0]}) to 10 to the
            {lost.iloc[-1]:.1f} ({lost.index[-1]}) times that at the last step.
        """,
        f"""
            log₁₀ of that factor, the median over these steps, is
            {listed(f"{number(value)} for {name}" for name, value in lost.items())}. The paper draws sequences of 1000
            steps, where the gradients of its RNN explode and those of its LSTM vanish.
        """,
        {},
        "Which networks have learned: in one that has not, the gradient of the answers is of errors that stay.",
        ("", "trained_gradients"),
    )


def attending(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """How many states a trained network attends to."""
    table = tables["attended"].sort_values("measured", kind="stable")
    told = [
        f"{number(row['measured'])} for {labels[row['architecture']]} ({in_words(row['experiment'])})"
        for row in table.to_dict("records")
    ]
    listing = f": {listed(told)}" if told else ""
    ends = f"{number(table['measured'].min())} to {number(table['measured'].max())}"
    return Finding(
        "To how many states does a trained network attend?",
        f"To {ends} states at most steps of the second half of a sequence, of up to {table['steps'].max():,} steps."
        if told
        else "None with attention was trained.",
        f"""
            The number is one over the sum of squared weights, the median over these steps{listing}. The paper
            draws few relevant states in a network that attends to all, and allows 20 where they are screened.
        """,
        {},
        "Which networks have learned: attention that serves nothing may lie anywhere.",
        ("", "attention_maps"),
    )


QUESTIONS = {
    learning: ["learning_speed"],
    reaching: ["copied", "denoised"],
    transfer: ["copy_transfer"],
    arriving_trained: ["trained_gradients"],
    attending: ["attended"],
}
"""Each question, and the tables that answer it."""
