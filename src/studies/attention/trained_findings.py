"""Questions of which trained networks are the answer; every number is one of a table."""

from collections.abc import Mapping

import pandas as pd

from learnability.report.findings import Finding, listed, number, percent, spread
from studies.attention.paper import HYPERPARAMETERS, OF_ALL_STEPS, OF_TRAINING, UPDATES_OF_CODE
from studies.attention.trained_tables import MOST, NAME, QUARTERS, RISING, by_delay, in_words, of_copying

Tables = Mapping[str, pd.DataFrame]
NEAR = 0.05
"""Difference of shares up to which one agrees with the paper's."""


def learning(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Which networks learn copy and denoise, and after how many updates."""
    table = of_copying(tables["learning_speed"]).assign(model=lambda rows: rows["architecture"].map(labels))
    reached = table.dropna(subset="updates").sort_values("updates", kind="stable")
    learned = by_delay(set(reached["experiment"]))
    of_tasks = [(in_words(name), reached[reached["experiment"] == name]) for name in learned]
    first = [f"{_by_updates(rows[rows['updates'] == rows['updates'].min()])} ({task})" for task, rows in of_tasks]
    without = table[table["updates"].isna()].sort_values("accuracy", kind="stable")
    stopped = table[table["diverged"] > 0]
    diverged = [
        f"{row['model']} on {in_words(row['experiment'])} ({row['diverged']} of {row['seeds']})"
        for name in by_delay(set(stopped["experiment"]))
        for row in stopped[stopped["experiment"] == name].to_dict("records")
    ]
    nearest = rising = ""
    if len(without):
        row = without.iloc[-1]
        nearest = f"""
            Of the others {row["model"]} comes nearest: it names {percent(row["accuracy"])} at the end of training
            ({in_words(row["experiment"])}).
        """
        by_gain = without[without["late_gain"] >= RISING].sort_values("late_gain", ascending=False, kind="stable")
        told = [
            f"{row['model']} by {100 * row['late_gain']:.0f} ({in_words(row['experiment'])})"
            for row in by_gain.to_dict("records")
        ]
        rising = f"""
            {len(by_gain)} of these {len(without)} still rise in the last quarter of training, by {100 * RISING:.0f}
            percentage points or more{f": {listed(told)}" if told else ""}.
        """
    return Finding(
        "Which networks learn to copy and to denoise, and how fast?",
        f"""
            {len(reached)} of {len(table)} networks name {percent(MOST)} of the symbols: first, by updates, are
            {listed(first) if first else "none"}.
        """,
        f"""
            Updates until then, counted in whole epochs, are
            {"; ".join(f"{_by_updates(rows)} on {task}" for task, rows in of_tasks) if of_tasks else "none"}. {nearest}
            {rising} {f"Training diverged, in so many seeds, of {listed(diverged)}: " if diverged else ""}
            {"each is kept as it was before." if diverged else ""} The paper does not print for how long it trains, and
            its authors' code trains for {UPDATES_OF_CODE:,} updates, from another start: what has not learned here may
            learn there. The next question trains some for longer.
        """,
        {},
        f"""
            `epochs`: what has not learned after {table["all_updates"].max():,.0f} updates counts as what never does.
        """,
        ("", "learning_speed"),
    )


def longer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Networks that are trained for more updates than the others, when these end and at their own end."""
    table = tables["longer_training"].assign(model=lambda rows: rows["architecture"].map(labels))
    of_tasks = [(in_words(name), table[table["experiment"] == name]) for name in by_delay(set(table["experiment"]))]
    early, late = table[table["early"] >= MOST], table[table["late"] >= MOST]
    told = [
        f"{_from_to(rows)} on {task} (after {spread(rows['early_updates'])} and {spread(rows['late_updates'])})"
        for task, rows in of_tasks
    ]
    beside = table.dropna(subset="paper")
    near = [((beside[when] - beside["paper"]).abs() <= NEAR).sum() for when in ("early", "late")]
    rising = table[(table["late"] < MOST) & (table["late_gain"] >= RISING)]
    gains = [
        f"{row['model']} by {100 * row['late_gain']:.0f} ({in_words(row['experiment'])})"
        for row in rising.to_dict("records")
    ]
    diverged = [
        f"{row['model']} on {in_words(row['experiment'])} ({row['diverged']} of {row['seeds']})"
        for row in table[table["diverged"] > 0].to_dict("records")
    ]
    answer, text = "No network was trained longer.", ""
    if len(table):
        updates = [spread(table[when]) for when in ("early_updates", "late_updates")]
        answer = f"""
            Of {len(table)} networks that are trained for {updates[1]} updates {len(late)} name {percent(MOST)} of the
            symbols at the end{f": {listed(_on(late))}" if len(late) else ""}; after {updates[0]}, when others end,
            {len(early)} did.
        """
        text = f"""
            Of the symbols of validation sequences they name {"; ".join(told)}. Of {len(beside)} shares that the paper
            prints, {near[0]} are within {100 * NEAR:.0f} percentage points of ours when others end, and {near[1]} at
            the end. {f"Still rising in the last quarter of it are {listed(gains)}." if gains else ""}
            {f"Training diverged, in so many seeds, of {listed(diverged)}." if diverged else ""} Tables 1, 2 and 5, and
            verdicts on them, take of each network the longest training.
        """
    single = (table["seeds"] == 1).sum()
    return Finding(
        "Does what has not learned learn with more updates?",
        answer,
        text,
        {},
        f"""
            The seed: {single} of these {len(table)} are of one. And the recipe. {_rates(table)} The authors' code
            trains for {UPDATES_OF_CODE:,} updates, by RMSprop at 0.001 where nothing else is asked for.
        """,
        ("", "longer_training"),
    )


def _rates(table: pd.DataFrame) -> str:
    """Networks whose learning rate the paper prints, and those whose rate is ours."""
    tasks = [match["task"] for name in table["experiment"] if (match := NAME.fullmatch(str(name)))]
    rate = HYPERPARAMETERS.index("learning_rate")
    known = [
        name in OF_TRAINING[task] and OF_TRAINING[task][name][rate] is not None
        for task, name in zip(tasks, table["architecture"], strict=True)
    ]
    models = {kind: sorted(set(table.loc[[each == kind for each in known], "model"])) for kind in (True, False)}
    parts = {True: "Tables 6 and 7 print the learning rates of {}", False: "the paper prints none for {}"}
    told = [parts[kind].format(listed(names)) for kind, names in models.items() if names]
    return f"{'; '.join(told)[:1].upper()}{'; '.join(told)[1:]}." if told else ""


def _on(rows: pd.DataFrame) -> list[str]:
    return [f"{row['model']} ({in_words(row['experiment']).rpartition(', ')[0]})" for row in rows.to_dict("records")]


def _from_to(rows: pd.DataFrame) -> str:
    named = rows.sort_values("late", ascending=False, kind="stable").to_dict("records")
    return listed(f"{percent(row['early'])} and then {percent(row['late'])} in {row['model']}" for row in named)


def _by_updates(rows: pd.DataFrame) -> str:
    """Networks by the updates that they took, those of as many together."""
    of_each = rows.groupby("updates")["model"]
    return listed(f"{listed(models)} {updates:,.0f}" for updates, models in of_each)


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
    missed = measured[measured["measured"] < MOST].merge(
        learned.groupby(["task", "model"])["delay"].max().rename("longest").reset_index()
    )
    short = [
        f"{name} on {task} at {listed(f'T = {delay}' for delay in rows['delay'])}"
        for (task, name), rows in missed[missed["delay"] < missed["longest"]].groupby(["task", "model"], sort=False)
    ]
    shorter = f"At a shorter one fewer are named by {listed(short)}." if short else ""
    reach = "; ".join(f"{task}: {listed(longest[task]) if task in longest else 'none'}" for task in ("copy", "denoise"))
    beside = measured.dropna(subset="paper")
    near = ((beside["measured"] - beside["paper"]).abs() <= NEAR).sum()
    several = beside[beside["seeds"] > 1]
    ranges = "Each is of one seed."
    if len(several):
        row = several.assign(width=several["high"] - several["low"]).sort_values("width").iloc[-1]
        ranges = f"""
            {len(several)} of them are of several seeds; the widest range is {percent(row["low"])} to
            {percent(row["high"])}, of {row["model"]} ({row["task"]}, T = {row["delay"]}).
        """
    cost = ""
    if len(blank):
        dearest = blank.sort_values("core_hours").iloc[-1]
        cost = f"""
            Beside {len(blank)} of the paper's shares there is none of ours: with one seed each they would take
            {number(blank["core_hours"].sum())} hours of one core, {number(dearest["core_hours"])} of them for
            {dearest["model"]} at T = {dearest["delay"]} ({dearest["task"]}).
        """
    single = beside[beside["seeds"] == 1]
    seeds = f"{len(single)} of these shares are of one" if len(single) else "each share is of several"
    return Finding(
        "Over how many steps do networks copy and denoise?",
        f"The longest delay at which {percent(MOST)} of the symbols are named is, of what was trained, for {reach}.",
        f"""
            {shorter} Of {len(beside)} shares beside those of the paper {near} lie within {100 * NEAR:.0f} percentage
            points of them. {ranges} {cost}
        """,
        {},
        f"The seed: {seeds}. And how long networks are trained (`epochs`).",
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
    kept = at[last]["measured"].reindex(learned).dropna().sort_values(ascending=False, kind="stable")
    gaps = (at[last]["measured"] - at[last]["paper"]).reindex(learned).dropna()
    shares = listed(f"{percent(share)} for {name}" for name, share in kept.items()) if len(kept) else "–"
    chance = table["chance"].iloc[0]
    beyond = {delay: rows["measured"] - chance for delay, rows in at.items()}
    told = beyond[first][beyond[first] >= chance]
    carried = (beyond[last].reindex(told.index) / told).dropna().clip(0, 1).sort_values(ascending=False, kind="stable")
    ends = table.loc[table.groupby("model", sort=False)["delay"].idxmax()]
    nearer = [
        f"{percent(row['measured'])} for {row['model']} at T = {row['delay']:,}"
        for row in ends[(ends["delay"] < last) & ends["model"].isin(told.index)].to_dict("records")
    ]
    widest = ""
    if len(gaps):
        name = gaps.abs().idxmax()
        widest = f"Of these {name} differs most from the paper, by {gaps[name]:+.2f}."
    everywhere = "".join(
        _at_all_steps(rows.sort_values("delay"))
        for architecture, rows in table.groupby("architecture", sort=False)
        if architecture in OF_ALL_STEPS["copy_transfer"]
    )
    still = kept.index[kept >= MOST]
    return Finding(
        "Do networks that copy over one delay copy over longer ones?",
        f"""
            Of the {len(kept)} that name {percent(MOST)} at T = {first} and were put to T = {last:,}, {len(still)} still
            {"does" if len(still) == 1 else "do"} there{f": {listed(still)}" if len(still) else ""}.
        """,
        f"""
            At T = {last:,} the share is {shares}; a guess names {percent(chance)}. {widest} Of networks that name at
            T = {first} twice as much as a guess, what goes beyond a guess is kept to
            {listed(f"{percent(share)} by {name}" for name, share in carried.items()) if len(carried) else "–"}.
            {f"Put to shorter ones alone, networks name {listed(nearer)}." if nearer else ""} {everywhere}
        """,
        {},
        """
            Which right answers count: here those at the last ten steps, as in the authors' code. And how long networks
            are trained: each is that of the longest training that was tried.
        """,
        ("", "copy_transfer"),
    )


def _at_all_steps(rows: pd.DataFrame) -> str:
    """What a network names by the other count of right answers, beside what the paper prints; rows are by delay."""
    rows = rows[rows["delay"] > rows["delay"].min()].dropna(subset=["paper", "all_steps"])
    if rows.empty:
        return ""
    told = [
        f"{percent(row['all_steps'])} at T = {row['delay']:,} ({percent(row['measured'])}; {percent(row['paper'])})"
        for row in rows.to_dict("records")
    ]
    near = ((rows["all_steps"] - rows["paper"]).abs() <= NEAR).sum()
    return f"""
        The code of {rows["model"].iloc[0]} counts all steps, blanks included, and the paper does not say how it counts.
        At all steps {rows["model"].iloc[0]} is right in (in brackets at the last ten, and in the paper) {listed(told)}:
        {near} of {len(rows)} within {100 * NEAR:.0f} percentage points of the paper. Blanks alone would be right in
        {percent(rows["all_chance"].min())} or more.
    """


def arriving_trained(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """‖∂L/∂h_t‖ after training, of denoise."""
    table = tables["trained_gradients"].assign(model=lambda rows: rows["architecture"].map(labels))
    farthest = QUARTERS[-1]
    of_delays = [(rows.sort_values(farthest), delay) for delay, rows in table.groupby("delay")]
    first, *others = of_delays
    told = [
        f"""at T = {delay} {listed(f"{number(row[farthest])} for {row['model']}" for row in rows.to_dict("records"))}"""
        for rows, delay in of_delays
    ]
    lost, delay = first
    least, most = (lost.iloc[place] for place in (0, -1))
    return Finding(
        "What of a gradient arrives at early steps, after training?",
        f"""
            In the farthest quarter of denoise sequences, T = {delay}, it is 10 to the {least[farthest]:.1f}
            ({least["model"]}) to 10 to the {most[farthest]:.1f} ({most["model"]}) times that at the last
            step{"".join(f"; {_ends(rows, farthest)} at T = {delay}" for rows, delay in others)}.
        """,
        f"""
            log₁₀ of that factor, the median over these steps, is {"; ".join(told)}. The paper draws sequences of 1000
            steps, where the gradients of its RNN explode and those of its LSTM vanish.
        """,
        {},
        "Which networks have learned: in one that has not, the gradient of the answers is of errors that stay.",
        ("", "trained_gradients"),
    )


def _ends(rows: pd.DataFrame, column: str) -> str:
    return f"10 to the {rows[column].iloc[0]:.1f} to 10 to the {rows[column].iloc[-1]:.1f}"


def attending(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """How many states a trained network attends to."""
    table = tables["attended"].sort_values("measured", kind="stable")
    told = [
        f"{spread(rows['measured'])} for {labels[str(name)]} ({len(rows)} {'task' if len(rows) == 1 else 'tasks'})"
        for name, rows in table.groupby("architecture", sort=False)
    ]
    listing = f": over tasks and delays, {listed(told)}" if told else ""
    return Finding(
        "To how many states does a trained network attend?",
        f"""
            To {spread(table["measured"])} states, at the median step of the second half of sequences of up to
            {table["steps"].max():,} steps.
        """
        if told
        else "None with attention was trained.",
        f"""
            The number is one over the sum of squared weights{listing}. The paper
            draws few relevant states in a network that attends to all, and allows 20 where they are screened.
        """,
        {},
        "Which networks have learned: attention that serves nothing may lie anywhere.",
        ("", "attention_maps"),
    )


QUESTIONS = {
    learning: ["learning_speed", "hyperparameters"],
    longer: ["longer_training"],
    reaching: ["copied", "denoised"],
    transfer: ["copy_transfer"],
    arriving_trained: ["trained_gradients"],
    attending: ["attended"],
}
"""Each question, and the tables that answer it."""
