"""Questions of the study and their answers; every number is in a table."""

from collections.abc import Callable, Hashable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from learnability.report.findings import Finding, listed, number, percent, percents, power_of_ten, spread
from learnability.report.sensitive import with_searched
from studies.learnability_window.opening import SETTLED
from studies.learnability_window.paper import TIME_CONSTANTS, WINDOWS, in_words
from studies.learnability_window.tables.resonances import SEVERAL

FEWEST = 4
"""Harmonics below which a comb is none."""
HALTED = 0.999
"""Ratio of the loss at the end of training to that at half of it. A network with more learns no more."""
OPTIMIZERS = {"adamw": "AdamW", "sgd": "SGD", "sgd_momentum": "SGD with momentum"}


class Evidence:
    """Tables of the study, and which architectures take the paper's three roles.

    Args:
        tables: by reading and name; the reading is empty where a table is of none.
        groups: role → architecture of each group of architectures, as in `config/config.yaml`.
        labels: names of architectures in tables, in their order.
    """

    def __init__(
        self,
        tables: Mapping[tuple[str, str], pd.DataFrame],
        groups: Mapping[str, Mapping[str, str]],
        labels: Mapping[str, str],
    ) -> None:
        self.tables, self.groups, self.labels = tables, groups, labels
        self.roles = {role: labels[name] for role, name in groups["main"].items()}

    @property
    def three(self) -> list[str]:
        """Labels of the three roles."""
        return list(self.roles.values())

    def table(self, reading: str, name: str) -> pd.DataFrame:
        return self.tables[reading, name]

    def adamw(self, reading: str, name: str) -> pd.DataFrame:
        """Rows of AdamW, by architecture, in the order of the labels, of architectures that are in a group."""
        grouped = {self.labels[member] for members in self.groups.values() for member in members.values()}
        found = self.all_adamw(reading, name)
        return found[found.index.isin(grouped)]

    def all_adamw(self, reading: str, name: str) -> pd.DataFrame:
        """Rows of AdamW, by architecture, in the order of the labels."""
        table = self.table(reading, name)
        own = table[table["optimizer"] == "adamw"].set_index("architecture")
        return own.sort_index(key=lambda names: names.map(list(self.labels.values()).index), kind="stable")

    def of_roles(self, values: Mapping[str, object]) -> "pd.Series[str]":
        """What the paper prints of its roles."""
        return pd.Series({self.roles[role]: str(value) for role, value in values.items()})


def sequences(log_size: float) -> str:
    """10^x sequences, as a number where one can count them."""
    if log_size < 0:
        return "below 1"
    return number(10**log_size) if log_size < 4 else "∞" if np.isposinf(log_size) else power_of_ten(log_size)


def what_is_learned(evidence: Evidence) -> Finding:
    """What the networks learned of each lag."""
    learned = evidence.adamw("", "learned")
    shares = {int(name.split()[-1]): learned[name] for name in map(str, learned) if name.startswith("r/c at ")}
    lags, rates = list(shares), evidence.adamw("gradient_step", "learning_rates")
    middle, echoes = lags[(len(lags) - 1) // 2], learned.loc[evidence.three]
    three = spread(shares[middle][evidence.three])
    gaps = (rates["validation loss"] / rates["training loss"] - 1).abs()[evidence.three]
    return Finding(
        "What did the networks learn?",
        f"Part of the task: the three gates respond with {three} of the coefficient at lag {middle}.",
        f"""
            The response of a prediction to the input ℓ steps before is compared with the task's coefficient, for
            {listed(evidence.three)}. The learned share falls with the lag, and does not end at one lag. A network
            that carries an input on also responds at lags that the task does not have, an echo: the strongest is at
            {spread(echoes["its lag"])} steps ({spread(echoes["largest echo"])}). The parts of the loss in the figure
            are of the steps after the longest lag; over all steps the loss is smaller, because early targets have fewer
            terms. Losses on training and validation sequences differ by at most {percent(gaps.max())} in these three,
            so the number of sequences does not limit them; the gradient is clipped in
            {percents(rates.loc[evidence.three, "clipped steps"])} of their steps.
        """,
        {
            **{f"learned share of lag {lag}": share.map(number) for lag, share in shares.items()},
            "training loss": rates["training loss"].map(number),
            "seeds": rates["seeds"].map(number),
        },
        "`training.epochs`: large losses still fall at the end.",
        ("", "responses"),
    )


def first_order(evidence: Evidence) -> Finding:
    """First-order beside exact transport, at the last lag and at the last that is no multiple of the lags' divisor."""
    by_lag, period = evidence.adamw("", "transport_by_lag"), evidence.adamw("", "resonances")["period"].iloc[0]
    lags = by_lag["lag"].unique()
    last, between = lags.max(), lags[lags % period != 0].max() if period > 1 else lags.max()
    at, beside = (by_lag[by_lag["lag"] == lag] for lag in (last, between))
    three, others = (table.loc[evidence.three].select_dtypes("number") for table in (at, beside))
    missed = np.log10(three["exact"] / three["first_order"])
    ratios = three.max() / three.min()
    usual = by_lag.groupby(level=0)["off_diagonal"].median()[evidence.three]
    check = evidence.adamw("", "transport_check")
    of_networks = check[check["gru_rates"] != "eq26"].groupby(level=0, sort=False)["Spearman"].median()
    return Finding(
        "Does first order describe gradients?",
        f"""
            No. At lag {last} the first-order formula underestimates the exact gradient by
            {missed.min():.0f} to {missed.max():.0f} orders of magnitude.
        """,
        f"""
            The paper's rates say how much of the gradient at a unit reaches the same unit ℓ steps earlier, summed over
            units. For the trained {listed(evidence.three)} at lag {last}, the exact sums are within a factor of
            {number(ratios["exact"])} of each other, and the first-order sums are
            {np.log10(ratios["first_order"]):.0f} orders of magnitude apart. Trained networks answer most at multiples
            of {period}. At lag {last}, which is one, the exact sums are {spread(three["exact"])}; at lag {between},
            which is none, they are {spread(others["exact"])}. The share of
            the squared norm of the product of Jacobians that lies off its diagonal is {percents(usual)} in the
            median over lags, and {percents(three["off_diagonal"])} at lag {last}. Gradients pass from unit to
            unit, which first order leaves out.
        """,
        {
            f"exact, lag {last}": at["exact"].map(number),
            f"exact, lag {between}": beside["exact"].map(number),
            f"first order, lag {last}": at["first_order"].map(number),
            "rank correlation over lags; 0.972 in the author's check": of_networks.map(number),
        },
        "`transport`: with `first_order` networks are apart by these orders of magnitude in all that follows.",
        ("gradient_step", "transport"),
    )


def envelopes(evidence: Evidence) -> Finding:
    """Time constants of first-order envelopes by optimiser and start (Figure 1)."""
    rates = evidence.table("paper", "learning_rates").set_index(["optimizer", "architecture"])
    ends = [f"τ_env, {end}" for end in ("smallest", "largest")]
    ranges = {
        said: rates.loc[name, ends].apply(spread, axis=1) for name, said in OPTIMIZERS.items() if name in rates.index
    }
    name, adamw = evidence.roles["diag_gate"], evidence.adamw("paper", "learning_rates")["τ_env"]
    of_one = listed(f"{found[name]} steps under {said}" for said, found in ranges.items() if name in found)
    slow = evidence.groups.get("slow", {}).get("diag_gate", "")
    ordered = "in" if adamw[evidence.three].is_monotonic_increasing else "not in"
    return Finding(
        "What decides how fast first-order envelopes fall?",
        f"""
            Mostly where gates start: from a slow start {name}'s time constant is
            {number(adamw[evidence.labels[slow]] / adamw[name])} times as long.
        """
        if slow in evidence.labels and evidence.labels[slow] in ranges["AdamW"]
        else f"The optimiser: the time constant of {name} is {of_one}.",
        f"""
            By optimiser the time constant of {name} is {of_one}.
            {_from_a_slow_start(ranges["AdamW"], evidence.labels.get(slow, ""))}
            The values of {listed(evidence.three)} under AdamW are {ordered} the paper's order. ConstGate's is the
            paper's because its gate, which the paper does not print, is set to give it. From a slow start, and under
            another optimiser, the same cells have others.
        """,
        {
            "paper, AdamW": evidence.of_roles(TIME_CONSTANTS["adamw"]),
            "paper, SGD": evidence.of_roles(TIME_CONSTANTS["sgd"]),
            **{f"measured, {said}": found for said, found in ranges.items()},
        },
        "`gate_init`: where gates start.",
        ("paper", "time_constants"),
    )


def _from_a_slow_start(ranges: "pd.Series[str]", slow: str) -> str:
    return f"From a slow start it is {ranges[slow]} steps under AdamW." if slow in ranges else ""


def authors_windows(evidence: Evidence) -> Finding:
    """Windows by the rules of the author's code (Figure 2)."""
    windows, floor = (evidence.adamw("published_code", name) for name in ("windows", "floor"))
    control = evidence.table("published_code", "null_control")
    nulls, measured = control[control["transport"] == "first_order"].sum(numeric_only=True), control["sequences"].max()
    sizes = [int(name.removeprefix("N = ")) for name in map(str, windows) if name.startswith("N = ")]
    size = min(sizes, key=lambda size: abs(np.log(size / measured)))
    found, exact = (windows.loc[windows["transport"] == kind, f"N = {size}"] for kind in ("first_order", "exact"))
    name, (*_, (_, end)) = evidence.roles["const_gate"], WINDOWS["const_gate"]
    above = floor[f"decades above at {end:g}"][name]
    published = pd.Series([end for ranges in WINDOWS.values() for end in (ranges[0][0], ranges[-1][1])])
    papers = f"""
        The floor ends these windows, but not the paper's. {name} has the paper's envelope, and in the paper its longest
        window is {end:g} steps; there the spread is still {above:.1f} orders of magnitude above the floor.
    """
    return Finding(
        "Do the windows of the author's code come out?",
        f"""
            No. The windows of the three gates are {spread(found[evidence.three])} steps, in the paper
            {spread(published)}.
        """,
        f"""
            At {number(size)} sequences they are {listed(number(value) for value in found[evidence.three])} steps for
            {listed(evidence.three)}. The
            code calls a lag undetectable where the spread of the statistic is below 10⁻¹², a numerical floor: it
            removes all lags from {listed(number(value) for value in floor.loc[evidence.three, "first floored"])} steps
            on, and just above it the estimate of the tail index makes windows. Two controls hold
            no signal. With errors of another sequence {nulls["permuted"]:.0f} of {nulls["networks"]:.0f} networks have
            a window all the same; with random signs {nulls["random signs"]:.0f} have one more often than the stated
            level.
            {papers if np.isfinite(above) else ""}
        """,
        {
            "paper, steps": evidence.of_roles({role: in_words(ranges) for role, ranges in WINDOWS.items()}),
            "first order, median over seeds": found.map(number),
            "first lag below the floor in any seed": floor["first floored"].map(number),
            "exact transport, far above the floor": exact.map(number),
        },
        "`numerical_floor` (see `windows_by_option`), and the random direction: along others windows differ.",
        ("published_code", "figure_02"),
    )


def tails(evidence: Evidence) -> Finding:
    """Tail indices by what counts as a draw (Figure 5)."""
    pairs, code, means = (evidence.adamw(reading, "floor") for reading in ("paper", "published_code", "gradient_step"))
    three = pairs.loc[evidence.three, "α̂ without"]
    return Finding(
        "Is the noise of gradients heavy-tailed?",
        f"""
            Only pairs of a sequence and a step look it: the median tail index is {spread(three)}.
        """,
        f"""
            A normal law has an index of 2. With a draw for each sequence the index is
            {spread(means["α̂ without"])} ([figure](gradient_step/figures/figure_05.png)). The paper pools pairs, which
            are not independent draws; the product of two normal numbers has as low an index. A batch averages over
            sequences. Where the spread of a lag is below the floor of the author's code, the code reports 2 for any
            draws.
        """,
        {
            "pairs": pairs["α̂ without"].map(number),
            "pairs, by the author's code": code["α̂ with"].map(number),
            "means of sequences": means["α̂ without"].map(number),
        },
        "`sampling`: what counts as one draw.",
        ("paper", "figure_05"),
    )


def detected(evidence: Evidence) -> Finding:
    """Sample complexity of the farthest lag through training, by gate, and windows at its end."""
    early = evidence.adamw("", "through_training")
    order = evidence.table("", "detection_order").set_index("epoch")
    lag = early["lag"].max()
    at = early[early["lag"] == lag]
    complexity = {name.removeprefix("log₁₀ N̂, "): at[name] for name in map(str, at) if name.startswith("log₁₀ N̂, ")}
    _, first_matched, _, _ = complexity
    windows = evidence.adamw("gradient_step", "windows_by_direction").query("transport == 'exact'")
    const, shared, diag = evidence.three
    below = order[f"{diag} below {shared}"]
    sharpest, start = int(str(order["all in order"].idxmax())), int(order.index[0])
    later = order[order.index >= min(SETTLED, order.index[-1])]
    seeds = order["seeds"].max()
    sizes = {name: order[f"log₁₀ N̂, {name}"] for name in evidence.three}
    index = order[f"α̂, {diag}"][start]
    of_tail = sizes[diag][start] * (1 - 2 * (index - 1) / index)
    return Finding(
        "What can a gradient detect, and when?",
        f"""
            The published order of gates is sharpest at epoch {sharpest}; before training {shared} and {diag} do not
            differ.
        """,
        f"""
            {const}, {shared} and {diag} have the published order if they need the most, fewer and the fewest sequences
            to detect a lag. The table has what lag {lag} requires, medians over seeds, of these gates over {seeds}.
            Before training {const} needs
            {sequences(sizes[const][start])}; {shared} with {sequences(sizes[shared][start])} and {diag} with
            {sequences(sizes[diag][start])} do not differ: {diag} needs fewer in {below[start]} of {seeds} seeds. Of
            the orders of magnitude of {diag} {of_tail:.1f} come from a tail index of {index:.2f} in place of 2. At
            epoch {sharpest} the order is sharpest:
            {listed(sequences(sizes[name][sharpest]) for name in evidence.three)} for {listed(evidence.three)}. From
            epoch {later.index[0]} on the largest median is at most
            {number(later["factor of medians"].max())} times the smallest, and the order holds in at most
            {later["all in order"].max()} of {seeds} seeds. Exact gradients of untrained gates thus differ by many
            orders of magnitude; those of trained gates hardly do. Each lag is judged along its own gradient, in the
            noise of the whole gradient, of which an update is made. In the noise of the lag's own part (`matched`)
            the lag
            requires {spread(complexity[first_matched], sequences)} before training, whatever the gates: signal and
            noise cross the same steps and fade alike. Windows at the end of training are along random directions.
        """,
        {
            **{f"sequences for lag {lag}: {name}": values.map(sequences) for name, values in complexity.items()},
            **{
                f"networks with a window at the end, N = {size}": windows.loc[windows["N"] == size, "open"].map(percent)
                for size in (400, 1600)
                if size in set(windows["N"])
            },
        },
        "`noise`: with `matched` a lag is detected before training, and gates make no difference.",
        ("", "detection_order"),
    )


def learned_after(evidence: Evidence) -> Finding:
    """Whether lags are detected before they are learned."""
    table = evidence.table("", "detected_before_learned")
    rows = {(row["noise"], row["N"], row["r/c"]): row for row in table.to_dict("records")}
    most = table["N"].max()
    tenth, half = (rows["total", most, share] for share in (0.1, 0.5))
    permuted = rows["permuted", most, 0.1]
    ends = evidence.table("gradient_step", "complexity_and_share").set_index("lag")["Spearman"]
    total = table[table["noise"] == "total"]
    hardest = total.iloc[int((total["after"] / total["learned"]).fillna(0).to_numpy().argmax())]
    ever = half["detected, not learned"] + half["detected before"] + half["same"]
    return Finding(
        "Is a lag that can be detected also learned?",
        f"""
            Often not. Nearly every lag becomes detectable, at least {ever:.0f} of {half["lags"]:.0f}; only
            {half["learned"]:.0f} are ever half learned.
        """,
        f"""
            Each of {tenth["networks"]:.0f} networks is measured at {tenth["lags"] / tenth["networks"]:.0f} lags of the
            task, and a lag is detectable if {most} sequences are enough at some stored epoch. A lag is half learned if
            the response reaches half of its coefficient. Lags that are learned before they are detected do not count
            as detectable. Nearly all lags are detected, so detection before learning is weak evidence. Of
            the {tenth["learned"]:.0f} learned to a tenth of their coefficient {tenth["detected before"]:.0f} were
            detected at an earlier stored epoch, {tenth["same"]:.0f} at the same one and {tenth["after"]:.0f} later.
            With errors of another sequence {permuted["detected before"]:.0f} are detected. The epochs of detection and
            of learning have a rank correlation of {_with_interval(tenth)} for a tenth and {_with_interval(half)} for
            one half. At the end of training N̂(ℓ) is no measure of what was learned: its rank correlation with the
            learned share, over networks, is {listed(f"{rho:.2f} at lag {lag}" for lag, rho in ends.items())}.
        """,
        {},
        f"""
            N, and the share that counts as learned: the least favourable setting of the table is N =
            {hardest["N"]:.0f} and a share of {hardest["r/c"]:g}: {hardest["detected before"]:.0f} lags are detected
            before they are learned, {hardest["same"]:.0f} at the same stored epoch, {hardest["after"]:.0f} after.
        """,
        ("", "detected_before_learned"),
    )


def resonances(evidence: Evidence) -> Finding | None:
    """How networks answer at the lags of the task; nothing where these have no divisor to speak of."""
    found, both = evidence.adamw("", "resonances"), evidence.table("", "harmonics_and_loss").set_index("counted")
    period, possible = found["period"].iloc[0], found["harmonics"].iloc[0]
    if possible < FEWEST:
        return None
    distance = evidence.table("", "distance_from_comb").set_index("of")
    every, last = distance.iloc[0].to_dict(), distance.loc["last epoch"].to_dict()
    several = distance.loc[next(name for name in distance.index if str(name).endswith("or more"))].to_dict()
    at, between = (both.loc[name].to_dict() for name in (f"harmonics of {period}", "half-way between"))
    names = [name for name in map(str, found) if name.startswith("at harmonics of ")]
    wrong = {name.removeprefix("at "): both.loc[name.removeprefix("at ")].to_dict() for name in names}
    near = [name for name in names if abs(int(name.split()[-1]) - period) == 1]
    three = found.loc[evidence.three]
    carried, apart = found["at harmonics"], three["validation loss"] - three["loss of such a comb"]
    slow = [
        name
        for name in (evidence.labels[each] for each in evidence.groups.get("slow", {}).values())
        if name in found.index and name not in evidence.three
    ]
    of_slow = f" From slow starts they are {listed(number(value) for value in carried[slow])}." if slow else ""
    return Finding(
        "How do networks respond at several lags?",
        f"""
            As comb filters: from ordinary starts {spread(carried[evidence.three])} of {possible} harmonics of the lags'
            common divisor have a resonance.
        """,
        f"""
            Resonances are eigenvalues of the mean one-step Jacobian. They move to whole numbers of cycles in {period}
            steps: {listed(evidence.three)} end with {listed(map(number, three["at harmonics"]))}.{of_slow} A filter
            with a resonance at each harmonic, a comb, responds at all multiples of {period} steps. Evidence that
            {period} steps are special: at wrong periods, {listed(name.split()[-1] for name in near)} steps, only
            {spread(pd.Series(three[near].to_numpy().ravel()))} harmonics have a resonance at the end. The rank
            correlation with the loss is no such evidence: over {number(at["epochs"])} stored epochs of
            {number(at["networks"])} networks it is {_with_interval(at)} for harmonics of {period}, and
            {listed(f"{row['Spearman']:.2f} for {name}" for name, row in wrong.items())}. The three gates also have
            {spread(three["half-way between"])} resonances half-way between, harmonics of {2 * period} (rank correlation
            {_with_interval(between)}); they cancel responses at odd multiples of {period} that are no lags. The loss is
            not that of a comb of as many harmonics whose teeth fall geometrically. The median distance from that loss
            is {number(every["magnitude"])} over all stored epochs, many of which have no harmonic,
            {number(several["magnitude"])} from {SEVERAL} harmonics on, and {number(last["magnitude"])} at the last
            epoch, where {three["below the comb"].sum():.0f} of {three["seeds"].sum():.0f} networks are below it, by
            {spread(apart.abs())}. If the resonances half-way between are added to the comb, the median distance at the
            last epoch is {number(last["its magnitude"])}. The mean Jacobian misses most of what
            {evidence.roles["diag_gate"]} from a slow start does, whose gates differ between units and follow the input.
        """,
        {
            "harmonics": carried.map(number),
            "half-way between": found["half-way between"].map(number),
            **{name: found[name].map(number) for name in names},
            "validation loss": found["validation loss"].map(number),
            "loss of a comb of as many": found["loss of such a comb"].map(number),
            "with those half-way between": found["with those between"].map(number),
        },
        f"`task.lags`: all are multiples of {period}; without a common divisor there is no comb to find.",
        ("", "resonances"),
    )


def starts(evidence: Evidence) -> Finding | None:
    """What is learned by where gates start; nothing without networks of slow gates beside others."""
    slow = [evidence.labels[name] for name in evidence.groups.get("slow", {}).values()]
    early, rates = evidence.all_adamw("", "through_training"), evidence.all_adamw("gradient_step", "learning_rates")
    if not set(slow) <= set(rates.index) or slow == evidence.three:
        return None
    lags = sorted(early["lag"].unique())
    farthest, middle = early[early["lag"] == lags[-1]], lags[(len(lags) - 1) // 2]
    before = farthest["log₁₀ N̂, epoch 0, total"]
    losses, shares = rates["training loss"], evidence.all_adamw("", "learned")[f"r/c at {middle}"]
    return Finding(
        "Does it matter where gates start?",
        f"""
            Yes. From ordinary starts training losses end at {spread(losses[evidence.three])}, from slow starts at
            {spread(losses[slow])}.
        """,
        f"""
            Task, sizes and epochs are the same. Before training lag {lags[-1]} asks for
            {listed(map(sequences, before[slow]))} sequences under the slow gates, against
            {listed(map(sequences, before[evidence.three]))}. At the end the learned share of lag {middle} is
            {listed(map(number, shares[slow]))}, against {listed(map(number, shares[evidence.three]))}. A gate that
            cannot move shows what its value alone does; {listed(evidence.three[1:])} have to open theirs first.
        """,
        {
            "training loss": losses.map(number),
            "mean gate at the end": rates["mean gate"].map(number),
            f"learned share of lag {middle}": shares.map(number),
            f"sequences for lag {lags[-1]}: epoch 0, total": before.map(sequences),
            "seeds": rates["seeds"].map(number),
        },
        "`training.epochs`: losses of slow gates that move still fall at the end.",
        ("", "starts"),
    )


def _halted(table: pd.DataFrame) -> str:
    """The sentence on losses that no longer fall in the second half of training."""
    last = table["epoch"].max()
    half = table.loc[table["epoch"] <= last / 2, "epoch"].max()
    middle, end = (
        table[table["epoch"] == epoch].set_index("divisor", append=True)["validation_loss"] for epoch in (half, last)
    )
    told = [f"that of {name} {_with_divisor(divisor)}" for name, divisor in end.index[end > HALTED * middle]]
    return f"all losses still fall but {listed(told)}" if told else "all losses still fall"


def _with_divisor(divisor: int) -> str:
    return "without a divisor" if divisor == 1 else f"with the divisor {divisor}"


def common_divisor(evidence: Evidence) -> Finding | None:
    """How much easier a common divisor makes the task; nothing where both tasks have the same."""
    table = evidence.adamw("", "common_divisor")
    last, most, least = table["epoch"].max(), table["divisor"].max(), table["divisor"].min()
    if most == least:
        return None
    ends = [table[(table["epoch"] == last) & (table["divisor"] == each)] for each in (most, least)]
    names = listed(ends[0].index)
    shares = [name for name in map(str, table) if name.startswith("share ")]
    losses, resonant, detected = ([end[name] for end in ends] for name in ("validation_loss", "resonances", "detected"))
    return Finding(
        "How much easier does a common divisor make the task?",
        f"""
            At equal epochs the loss {"without a common divisor" if least == 1 else f"with the divisor {least}"} is
            {spread(losses[1] / losses[0])} times as large.
        """,
        f"""
            The paper's lags have the common divisor {most}; the other task has lags close to them
            {"without one" if least == 1 else f"of divisor {least}"}. Networks are {names}, {spread(ends[0]["seeds"])}
            seeds of each on either task. At epoch {last} the loss is {spread(losses[0])} with the divisor and
            {spread(losses[1])} without. At that epoch {spread(resonant[0])} resonances last with the divisor and
            {spread(resonant[1])} without; {spread(ends[0]["at harmonics"])} and {spread(ends[1]["at harmonics"])}
            harmonics of {most} steps have one. Of the measured lags {spread(detected[0])} are detected
            with the divisor and {spread(detected[1])} without.
        """,
        {
            **{
                f"loss, divisor {each}": end["validation_loss"].map(number)
                for each, end in zip((most, least), ends, strict=True)
            },
            **{
                f"share of the {place}. lag, divisor {each}": end[name].map(number)
                for place, name in enumerate(shares, 1)
                for each, end in zip((most, least), ends, strict=True)
            },
        },
        f"""
            `training.epochs`: {_halted(table)}. A search at the quick size would say nothing, for a common divisor does
            not help there yet, after 30 epochs.
        """,
        ("", "common_divisor"),
    )


def _with_interval(row: Mapping[Hashable, Any]) -> str:
    return f"{row['Spearman']:.2f} [{row['low']:.2f}, {row['high']:.2f}]"


INTRODUCTION = """
    The task: at each step, predict a weighted sum of inputs some steps before, the lags; the weights are its
    coefficients. ConstGate has one fixed gate, SharedGate one learned gate for all units, DiagGate one for each unit.
    The method is read in three ways: `paper` is the paper's text, `published_code` its author's code, `gradient_step`
    ours, with exact gradients and one draw for each sequence. Networks are trained by AdamW, numbers are medians over
    seeds and ranges are over seeds, unless stated otherwise. The [scorecard](paper/scorecard.md) has the verdicts on
    the paper's claims. `snakemake findings` writes this page; with `--configfile config/reference.yaml`, from the
    stored networks of the paper's scale.
    """
READINGS = ("paper", "published_code", "gradient_step")
QUESTIONS: dict[Callable[[Evidence], Finding | None], list[tuple[str, str]]] = {
    what_is_learned: [("", "learned"), ("gradient_step", "learning_rates")],
    first_order: [("", "transport_by_lag"), ("", "transport_check"), ("", "resonances")],
    envelopes: [("paper", "learning_rates")],
    authors_windows: [("published_code", name) for name in ("windows", "floor", "null_control")],
    tails: [(reading, "floor") for reading in READINGS],
    detected: [("", "detection_order"), ("", "through_training"), ("gradient_step", "windows_by_direction")],
    learned_after: [
        ("", "through_training"),
        ("", "detected_before_learned"),
        ("gradient_step", "complexity_and_share"),
    ],
    resonances: [("", "resonances"), ("", "harmonics_and_loss"), ("", "distance_from_comb")],
    common_divisor: [("", "common_divisor")],
    starts: [("", "learned"), ("", "through_training"), ("gradient_step", "learning_rates")],
}
"""Each question, and the tables that answer it, by reading and name."""


def answer(evidence: Evidence, searched: pd.DataFrame | None = None) -> list[Finding]:
    """Every question for which there are tables and networks.

    Args:
        searched: rows of a search over `studies.learnability_window.headlines.HEADLINES`. A finding with such rows
            names the two settings that change its answer most.
    """
    findings = {
        question.__name__: found._replace(tables=tables)
        for question, tables in QUESTIONS.items()
        if set(tables) <= set(evidence.tables) and (found := question(evidence))
    }
    return list(with_searched(findings, searched).values())
