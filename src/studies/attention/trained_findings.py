"""Questions that trained networks answer; every number is in a table."""

from collections.abc import Mapping

import pandas as pd

from learnability.report.findings import Finding, listed, number, percent, spread
from studies.attention.paper import HYPERPARAMETERS, OF_ALL_STEPS, OF_TRAINING, UPDATES_OF_CODE
from studies.attention.trained_tables import (
    BY,
    LONGER,
    MOST,
    NAME,
    PRINTED,
    QUARTERS,
    RISING,
    best_founded,
    by_delay,
    in_words,
    of_copying,
)

Tables = Mapping[str, pd.DataFrame]
OF_SAB = """
    SAB takes the rate, the sizes and the start of the LSTM from its authors' code. Its readout and its alignment start
    as those of our other networks do, because training diverges with the start of the code.
    """
"""What SAB's recipe has from its code, and what not."""
NEAR = 0.05
"""Difference of shares up to which one agrees with the paper's."""


def learning(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Which networks learn copy and denoise, and after how many updates."""
    speed = tables["learning_speed"]
    table = of_copying(best_founded(speed), "", BY).assign(model=lambda rows: rows["architecture"].map(labels))
    reached = table.dropna(subset="updates").sort_values("updates", kind="stable")
    without = table[table["updates"].isna()].sort_values("accuracy", kind="stable")
    by_code = table[table["recipe"] != PRINTED]
    nearest = rising = diverged = both = ""
    if stopped := table["diverged"].sum():
        diverged = f"""
            Training diverged in {stopped} of {table["seeds"].sum()} trainings; such a network is kept as it was before.
        """
    if len(without):
        row = without.iloc[-1]
        nearest = f"""
            Of the others {row["model"]} comes nearest, with {percent(row["accuracy"])} at the end of training
            ({in_words(row["experiment"])}).
        """
        rising = f"""
            Of the {len(without)} that do not, {(without["late_gain"] >= RISING).sum()} still rise in the last quarter
            of training, by {100 * RISING:.0f} percentage points or more.
        """
    if len(by_code):
        network = ["task", "at_delay", "architecture"]
        as_printed = of_copying(speed, "", LONGER).groupby(network)["updates"].min()
        twice = by_code.set_index(network).join(as_printed.rename("printed"), how="inner")
        both = f"""
            The {len(by_code)} networks that were trained by the recipe of public code, for up to {UPDATES_OF_CODE:,}
            updates, are shown by that. Of {len(twice)} that were trained by both recipes
            {(twice["updates"].notna() & twice["printed"].isna()).sum()} learn by the recipe of public code alone, so
            others that have not learned as printed may, too.
        """
    return Finding(
        "Which networks learn to copy and to denoise, and how fast?",
        f"{len(reached)} of {len(table)} networks learn{_fastest(reached)}.",
        f"""
            A network is trained for each task and delay, and has learned when it recalls {percent(MOST)} of the
            symbols. The table has the number of updates until then, in whole epochs. {both} {nearest} {rising}
            {diverged} The paper does not print how long it trains. The next question trains some networks for longer.
        """,
        {},
        f"""
            `epochs`: a network as printed that has not learned after
            {table.loc[table["recipe"] == PRINTED, "all_updates"].max():,.0f} updates counts as one that never does.
        """,
        ("", "learning_speed"),
    )


def _fastest(reached: pd.DataFrame) -> str:
    """Which networks are the first at some delay of each task."""
    of_delay = reached.groupby(["task", "at_delay"])["updates"]
    first = reached[reached["updates"] == of_delay.transform("min")].sort_values("at_delay", kind="stable")
    told = [f"{listed(rows['model'].unique().tolist())} on {task}" for task, rows in first.groupby("task")]
    verb = "are" if len(first) > 1 else "is"
    return f"; the fastest {verb} {', '.join(told)}" if told else ""


def longer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Networks that are trained for more updates than the others, when these end and at their own end."""
    table = tables["longer_training"].assign(model=lambda rows: rows["architecture"].map(labels))
    of_tasks = [(in_words(name), table[table["experiment"] == name]) for name in by_delay(set(table["experiment"]))]
    early, late = table[table["early"] >= MOST], table[table["late"] >= MOST]
    told = [f"{_from_to(rows)} on {task}" for task, rows in of_tasks]
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
        verdict = "No" if len(late) == len(early) else "Yes" if len(late) == len(table) else "In part"
        updates = [spread(table[when]) for when in ("early_updates", "late_updates")]
        longer = spread((table["late_updates"] / table["early_updates"]).round(1))
        answer = f"""
            {verdict}. With {longer} times the updates the networks that learn rise from {len(early)} to {len(late)} of
            {len(table)}.
        """
        text = f"""
            A network has learned if it recalls {percent(MOST)} of the symbols of validation sequences:
            {f"at the end {listed(_on(late))} have" if len(late) else "none has"}. The recall after {updates[0]}
            updates, when the other networks end, and after {updates[1]} is {"; ".join(told)}. Of {len(beside)} values
            that the paper prints, {near[0]} are within {100 * NEAR:.0f} percentage points of ours when the other
            networks end, and {near[1]} at the end.
            {f"Still rising in the last quarter of training are {listed(gains)}." if gains else ""}
            {f"Training diverged for {listed(diverged)}." if diverged else ""} Tables 1, 2 and 5 and their verdicts use
            the longest training of each network, where there is none by the recipe of the authors' code.
        """
    single = (table["seeds"] == 1).sum()
    return Finding(
        "Do networks that have not learned learn with more updates?",
        answer,
        text,
        {},
        f"""
            the recipe and the seed: {single} of these {len(table)} networks have one seed. {_rates(table)} The authors'
            code trains for {UPDATES_OF_CODE:,} updates, by default with RMSprop at a rate of 0.001.
        """,
        ("", "longer_training"),
    )


def recipes(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Networks that are trained by the recipe of public code too, beside the printed recipe and the paper."""
    table = tables["recipes"].assign(model=lambda rows: rows["architecture"].map(labels))
    cell = ["task", "delay", "architecture"]
    both = table.pivot(index=cell, columns="recipe", values="measured")
    printed = table[table["recipe"] == PRINTED].set_index(cell)[["measured", "all_updates"]].add_suffix("_printed")
    learned = {str(name): int((both[name] >= MOST).sum()) for name in both}
    by_code = table[table["recipe"] != PRINTED].merge(printed.reset_index(), on=cell)
    told = [
        f"{percent(row['measured'])} for {row['model']} on {row['task']} at T = {row['delay']}, after "
        f"{row['all_updates']:,.0f} updates (as printed {percent(row['measured_printed'])} after "
        f"{row['all_updates_printed']:,.0f}, {percent(row['paper'])} in the paper)"
        for row in by_code.to_dict("records")
    ]
    near = ((by_code["measured"] - by_code["paper"]).abs() <= NEAR).sum()
    diverged = by_code[by_code["diverged"] > 0]
    names = [
        f"{row['model']} on {row['task']} ({row['diverged']} of {row['seeds']})" for row in diverged.to_dict("records")
    ]
    ended = f"Training diverged for {listed(names)}." if names else ""
    cells = pd.concat([tables[name] for name in ("copied", "denoised")])
    measured = cells[(cells["seeds"] > 0) & cells["paper"].notna()]
    still = (~measured["conclusive"].eq(True)).sum()
    start = OF_SAB if (by_code["architecture"] == "sab").any() else ""
    answer = "No network was trained by it."
    if len(by_code):
        others = sum(count for name, count in learned.items() if name != PRINTED)
        verdict = "No" if others <= learned[PRINTED] else "Yes" if others == len(by_code) else "In part"
        answer = f"{verdict}. The networks that learn rise from {learned[PRINTED]} to {others} of {len(by_code)}."
    return Finding(
        "Does the recipe of the authors' code train better than what the paper prints?",
        answer,
        f"""
            The paper's tables leave starts, updates and some rates open, and its authors' code has them. To learn is to
            recall {percent(MOST)} of the symbols. The recall of networks that were trained by both is
            {listed(told) if told else "–"}. By the code {near} of {len(by_code)} are within {100 * NEAR:.0f} percentage
            points of the paper. {start} {ended} Tables 1, 2 and 5 and their verdicts take the recipe of the code where
            there is a network of it. Of the {len(measured)} values of Tables 2 and 5 that were measured, {still} are of
            networks that have not learned and were not trained by the code: these are neither held for the paper nor
            against it.
        """,
        {},
        f"""
            the seed: {(by_code["seeds"] == 1).sum()} of these {len(by_code)} values are of one; the number of updates,
            which is part of a recipe; and what no public code says, which is listed with the recipes.
        """,
        ("", "recipes"),
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
    return listed(f"{percent(row['early'])} and {percent(row['late'])} ({row['model']})" for row in named)


def reaching(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Over which delays networks copy and denoise, each trained at its delay, beside what the paper prints."""
    both = {"copy": tables["copied"], "denoise": tables["denoised"]}
    cells = pd.concat([table.assign(task=task) for task, table in both.items()], ignore_index=True)
    cells = cells.assign(model=cells["architecture"].map(labels))
    measured, blank = cells[cells["seeds"] > 0], cells[cells["core_hours"].notna()]
    learned = measured[measured["measured"] >= MOST]
    longest = {task: rows.groupby("model", sort=False)["delay"].max() for task, rows in learned.groupby("task")}
    missed = measured[measured["measured"] < MOST].merge(
        learned.groupby(["task", "model"])["delay"].max().rename("longest").reset_index()
    )
    short = [
        f"{name} on {task} at {listed(f'T = {delay}' for delay in rows['delay'])}"
        for (task, name), rows in missed[missed["delay"] < missed["longest"]].groupby(["task", "model"], sort=False)
    ]
    shorter = f"At a shorter delay {listed(short)} recalls less." if short else ""
    denoised = f"the longest is {_longest(longest['denoise'])}" if "denoise" in longest else "no network does"
    told = [
        f"{listed(f'{name!s} {delay:,}' for name, delay in delays.items())} for {task!s}"
        for task, delays in longest.items()
    ]
    beside = measured.dropna(subset="paper")
    near = ((beside["measured"] - beside["paper"]).abs() <= NEAR).sum()
    several = beside[beside["seeds"] > 1]
    ranges = "Each is of one seed."
    if len(several):
        row = several.assign(width=several["high"] - several["low"]).sort_values("width").iloc[-1]
        ranges = f"""
            {len(several)} of them have several seeds; the widest range is {percent(row["low"])} to
            {percent(row["high"])}, for {row["model"]} ({row["task"]}, T = {row["delay"]}).
        """
    cost = ""
    if len(blank):
        dearest = blank.sort_values("core_hours").iloc[-1]
        cost = f"""
            {len(blank)} values of the paper are not measured here: one seed of each would take
            {number(blank["core_hours"].sum())} hours of one core, {number(dearest["core_hours"])} of them for
            {dearest["model"]} at T = {dearest["delay"]} ({dearest["task"]}).
        """
    single = beside[beside["seeds"] == 1]
    seeds = f"{len(single)} of these values have one" if len(single) else "each value has several"
    return Finding(
        "Over how many steps do networks copy, and denoise?",
        _reached(longest.get("copy")),
        f"""
            Delays that were not trained are blank. When denoising {denoised}
            ([figure](figures/denoised.png)). The longest delays at which networks recall {percent(MOST)} of the symbols
            are {"; ".join(told) or "none"}. {shorter} Of {len(beside)} values that the paper prints too, {near} lie
            within {100 * NEAR:.0f} percentage points of the paper. {ranges} {cost}
        """,
        {},
        f"""
            how long networks are trained (`epochs`), and the seed: {seeds}. A search at a small size would say
            nothing, for there orth-RNN copies over 320 steps as expRNN does.
        """,
        ("", "copied"),
    )


def _reached(delays: "pd.Series[int] | None") -> str:
    """The networks that copy over the longest delay, and how far all others come."""
    if delays is None:
        return f"No network that was trained here copies {percent(MOST)} of the symbols."
    most = delays.max()
    names, others = listed(map(str, delays.index[delays == most])), delays[delays < most]
    further = f", every other network that was tried over at most {others.max():,}" if len(others) else ""
    return f"Trained at the delay, {names} copies over {most:,} steps{further}."


def _longest(delays: "pd.Series[int]") -> str:
    """The longest delay, and the network that reaches it."""
    name, delay = max(delays.items(), key=lambda item: item[1])
    return f"{delay:,} ({name!s})"


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
    does, it = (
        (f"Of those measured only {listed(still)} does", "it recalls")
        if len(still) == 1
        else (f"{listed(still)} do", "they recall")
        if len(still)
        else ("", "")
    )
    return Finding(
        "Do networks that copy over one delay copy over longer ones?",
        f"{does}: trained on delays of {first} steps, {it} the symbols over {last:,}."
        if len(still)
        else f"None of {len(kept)} networks that copy over {first} steps does so over {last:,}.",
        f"""
            To copy is to recall {percent(MOST)} of the symbols. At T = {last:,} the recall is {shares}; the chance
            level is {percent(chance)}. {widest} Of networks with twice the chance level at T = {first}, the share of
            the recall above chance that is kept is
            {listed(f"{percent(share)} for {name}" for name, share in carried.items()) if len(carried) else "–"}.
            {f"Networks that were tried at shorter delays recall {listed(nearer)}." if nearer else ""} {everywhere}
        """,
        {},
        """
            the steps that are counted (here the last ten, as in the authors' code), and how long networks are trained
            (here by the recipe of the authors' code where there is a network of it, else the longest that was tried).
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
        The code of {rows["model"].iloc[0]} counts all steps, blanks included; the paper does not say how it counts.
        The accuracy of {rows["model"].iloc[0]} at all steps (and in brackets at the last ten, and in the paper) is
        {listed(told)}: {near} of {len(rows)} are within {100 * NEAR:.0f} percentage points of the paper. Blanks alone
        would be right at {percent(rows["all_chance"].min())} of the steps or more.
    """


def arriving_trained(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """‖∂L/∂h_t‖ after training, of denoise."""
    table = tables["trained_gradients"].assign(model=lambda rows: rows["architecture"].map(labels))
    farthest = QUARTERS[-1]
    least, most = (table.sort_values(farthest).iloc[place] for place in (0, -1))
    told = [
        f"{rows[farthest].min():.1f} to {rows[farthest].max():.1f} at T = {delay} ({len(rows)} networks)"
        for delay, rows in table.groupby("delay")
    ]
    by_code = table[table["recipe"] != PRINTED]
    of_them = [f"{listed(rows['model'])} at T = {delay}" for delay, rows in by_code.groupby("delay")]
    return Finding(
        "How much of the gradient arrives at early steps, after training?",
        f"""
            Between {number(10.0 ** least[farthest])} ({least["model"]}) and {number(10.0 ** most[farthest])}
            ({most["model"]}) times the gradient at the last step.
        """,
        f"""
            The early steps are the farthest quarter of denoise sequences. log₁₀ of the factor, the median over these
            steps, is {"; ".join(told)}. {f"By the recipe of public code are {listed(of_them)}." if of_them else ""} The
            paper shows sequences of 1,000 steps, where the gradients of its RNN
            explode and those of its LSTM vanish.
        """,
        {},
        "the networks that have learned: in one that has not, the gradient is of errors that stay large.",
        ("", "trained_gradients"),
    )


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
            To {spread(table["measured"])} of up to {table["steps"].max():,} past states, depending on network and task.
        """
        if told
        else "None with attention was trained.",
        f"""
            The number is one over the sum of squared weights, at the median step of the second half of the
            sequence{listing}. The paper shows few relevant states in a network that attends to all states, and allows
            20 with relevancy screening.
        """,
        {},
        "the networks that have learned: attention that does not help may lie anywhere.",
        ("", "attention_maps"),
    )


QUESTIONS = {
    learning: ["learning_speed", "hyperparameters"],
    longer: ["longer_training"],
    recipes: ["recipes"],
    reaching: ["copied", "denoised"],
    transfer: ["copy_transfer"],
    arriving_trained: ["trained_gradients"],
    attending: ["attended"],
}
"""Each question, and the tables that answer it."""
