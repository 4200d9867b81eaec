"""What was asked, what came out, and which setting would undo it; every number is one of a table."""

from collections.abc import Callable, Hashable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from learnability.report.findings import Finding, listed, number, percent, power_of_ten, spread
from studies.learnability_window.paper import GAUSSIAN, TIME_CONSTANTS, WINDOWS, in_words

FEWEST = 4
"""Harmonics below which a comb is none."""
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
    three = listed(number(value) for value in shares[middle][evidence.three])
    gaps = (rates["validation loss"] / rates["training loss"] - 1).abs()[evidence.three]
    return Finding(
        "What did the networks learn?",
        f"{listed(evidence.three)} answer to {three} of the coefficient of lag {middle}.",
        f"""
            The predictions' response to the input ℓ steps before is held against the task's coefficient. A network
            that carries an input on passes it to itself again, and answers at lags that the task does not have: the
            three most at {spread(echoes["its lag"])} steps, by {spread(echoes["largest echo"])}. What is learned
            falls with the lag; it does not stop at one. Losses on training and validation sequences differ by at most
            {percent(gaps.max())} in these three, so it is not the number of sequences that holds them back; and the
            gradient of {spread(rates.loc[evidence.three, "clipped steps"], percent)} of their steps is clipped.
        """,
        {
            **{f"learned share of lag {lag}": share.map(number) for lag, share in shares.items()},
            "training loss": rates["training loss"].map(number),
            "seeds": rates["seeds"].map(number),
        },
        "`training.epochs`: where losses are large they still fall.",
        ("", "responses"),
    )


def first_order(evidence: Evidence) -> Finding:
    """First-order beside exact transport."""
    by_lag, one = evidence.adamw("", "transport_by_lag"), evidence.three[0]
    lag = by_lag["lag"].max()
    at = by_lag[by_lag["lag"] == lag]
    three = at.loc[evidence.three].select_dtypes("number")
    ratios = three.max() / three.min()
    check = evidence.adamw("", "transport_check")
    of_networks = check[check["gru_rates"] != "eq26"].groupby(level=0, sort=False)["Spearman"].median()
    return Finding(
        "Does first order describe gradients?",
        f"""
            Across {lag} steps of {one} the diagonal of gradient transport sums to
            {number(at.loc[one, "first_order"])} by first order, and to {number(at.loc[one, "exact"])} exactly.
        """,
        f"""
            That sum over units, Σ_q ⟨|(M_{{t,ℓ}})_{{qq}}|⟩, is what the paper's rates stand for. Among
            {listed(evidence.three)} the exact sums are within a factor of {number(ratios["exact"])} of each other,
            the first-order ones {np.log10(ratios["first_order"]):.0f} decades apart.
            {spread(three["off_diagonal"], percent)} of the squared norm of the product of Jacobians lies off its
            diagonal: gradients pass from unit to unit, which first order leaves out.
        """,
        {
            "exact": at["exact"].map(number),
            "first order": at["first_order"].map(number),
            "rank correlation over lags; 0.972 in the author's check": of_networks.map(number),
        },
        "`transport`: with `first_order` networks are apart by these decades in all that follows.",
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
    ordered = "in" if adamw[evidence.three].is_monotonic_increasing else "not in"
    return Finding(
        "What decides how fast first-order envelopes fall?",
        f"Where gates start, and the optimiser: the time constant of {name} is {of_one}.",
        f"""
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
        ("paper", "figure_01"),
    )


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
    papers = f"""
        The floor is where these windows end, not where the paper's do: {name}, whose envelope is set to the paper's,
        has its longest window there at {end:g} steps, where the spread is still {above:.1f} decades above the floor.
    """
    return Finding(
        "Do the windows of the author's code come out?",
        f"""
            At {number(size)} sequences they are {listed(number(value) for value in found[evidence.three])} steps for
            {listed(evidence.three)}; a numerical floor takes lags away from
            {listed(number(value) for value in floor.loc[evidence.three, "first floored"])} on.
        """,
        f"""
            The code calls a lag undetectable where the spread of the statistic is below 10⁻¹², and just above that
            its estimate of the tail index makes windows. Errors of another sequence hold nothing to find, yet
            {nulls["permuted"]:.0f} of {nulls["networks"]:.0f} networks have a window with them, and
            {nulls["random signs"]:.0f} have one under random signs more often than the stated level.
            {papers if np.isfinite(above) else ""}
        """,
        {
            "paper, steps": evidence.of_roles({role: in_words(ranges) for role, ranges in WINDOWS.items()}),
            "first order, median over seeds": found.map(number),
            "first lag below the floor in any seed": floor["first floored"].map(number),
            "exact transport, far above the floor": exact.map(number),
        },
        "`numerical_floor`: see `windows_by_option`. And the random direction: along others windows differ.",
        ("published_code", "figure_02"),
    )


def tails(evidence: Evidence) -> Finding:
    """Tail indices by what counts as a draw (Figure 5)."""
    pairs, code, means = (evidence.adamw(reading, "floor") for reading in ("paper", "published_code", "gradient_step"))
    return Finding(
        "Is the noise of gradients heavy-tailed?",
        f"""
            The tail index of pairs of a sequence and a t is {spread(pairs["α̂ without"])}, that of sequences' means
            {spread(means["α̂ without"])}; {GAUSSIAN} is a normal law.
        """,
        """
            The paper pools pairs, which are no independent draws, and the product of two normal numbers has as low an
            index. What a batch averages is sequences. Where the spread of a lag is below the floor of the author's
            code, the code says 2, whatever the draws.
        """,
        {
            "pairs": pairs["α̂ without"].map(number),
            "pairs, by the author's code": code["α̂ with"].map(number),
            "means of sequences": means["α̂ without"].map(number),
        },
        "`sampling`: what counts as one draw.",
        ("published_code", "figure_05"),
    )


def detected(evidence: Evidence) -> Finding:
    """Sample complexity of the farthest lag early in training, and windows at its end."""
    early = evidence.adamw("", "through_training")
    lag = early["lag"].max()
    at = early[early["lag"] == lag]
    complexity = {name.removeprefix("log₁₀ N̂, "): at[name] for name in map(str, at) if name.startswith("log₁₀ N̂, ")}
    first, first_matched, later, _ = complexity
    windows = evidence.adamw("gradient_step", "windows_by_direction").query("transport == 'exact'")
    before, after = (complexity[name][evidence.three] for name in (first, later))
    return Finding(
        "What can a gradient detect, and when?",
        f"""
            Of {listed(evidence.three)} lag {lag} asks for {listed(map(sequences, before))} sequences before training,
            and for {listed(map(sequences, after))} at {later.removesuffix(", total")}.
        """,
        f"""
            Each lag is held against its own gradient. The noise is that of the whole gradient, of which an update is
            made; in the noise of the lag's own part (`matched`) the same lag asks for
            {spread(complexity[first_matched], sequences)} before training, whatever the gates, since signal and noise
            cross the same steps and fade alike. At the end of training windows are measured along random directions,
            too.
        """,
        {
            **{f"sequences for lag {lag}: {name}": values.map(sequences) for name, values in complexity.items()},
            **{
                f"open at the end, N = {size}": windows.loc[windows["N"] == size, "open"].map(percent)
                for size in (400, 1600)
                if size in set(windows["N"])
            },
        },
        "`noise`: with `matched` a lag is detected before training, and gates make no difference.",
        ("", f"through_training_{evidence.groups['main']['diag_gate']}"),
    )


def learned_after(evidence: Evidence) -> Finding:
    """Whether lags are detected before they are learned."""
    table = evidence.table("", "detected_before_learned")
    rows = {(row["noise"], row["N"], row["r/c"]): row for row in table.to_dict("records")}
    least, most = table["N"].min(), table["N"].max()
    tenth, half = (rows["total", most, share] for share in (0.1, 0.5))
    permuted, few = rows["permuted", most, 0.1], rows["total", least, 0.1]
    ends = evidence.table("gradient_step", "complexity_and_share").set_index("lag")["Spearman"]
    slow, drawn = evidence.groups["slow"]["shared_gate"], evidence.adamw("", "through_training").index
    return Finding(
        "Does a longer window mean that more is learned?",
        f"""
            As far as the stored epochs tell, {tenth["after"]:.0f} of {tenth["learned"]:.0f} lags are learned to a
            tenth before {most} sequences detect them; {half["detected, not learned"]:.0f} are detected and never half
            learned.
        """,
        f"""
            There are {tenth["lags"]:.0f} lags of {tenth["networks"]:.0f} networks. Of those learned to a tenth of
            their coefficient {tenth["detected before"]:.0f} were detected at an earlier stored epoch,
            {tenth["same"]:.0f} at the same one; of the {half["learned"]:.0f} that are half learned,
            {half["detected before"]:.0f} before and {half["same"]:.0f} at the same one. With errors of another
            sequence {permuted["detected before"]:.0f} are. Both epochs have a rank correlation of
            {_with_interval(tenth)} for a tenth and {_with_interval(half)} for one half. At the end of training N̂(ℓ)
            is no measure of what was learned: its rank correlation with the learned share, over networks, is
            {listed(f"{rho:.2f} at lag {lag}" for lag, rho in ends.items())}.
        """,
        {},
        f"""
            N, and the share that counts as learned: with N = {least}, {few["after"]:.0f} lags are learned to a tenth
            before they are detected.
        """,
        ("", f"through_training_{slow if evidence.labels[slow] in drawn else evidence.groups['main']['shared_gate']}"),
    )


def resonances(evidence: Evidence) -> Finding | None:
    """How networks answer at the lags of the task; nothing where these have no divisor to speak of."""
    found, both = evidence.adamw("", "resonances"), evidence.table("", "harmonics_and_loss").set_index("counted")
    period, possible = found["period"].iloc[0], found["harmonics"].iloc[0]
    if possible < FEWEST:
        return None
    at, beside = (both.loc[counted].to_dict() for counted in ("at harmonics", "a quarter beside"))
    carried = found["at harmonics"]
    return Finding(
        "How do they answer at several lags?",
        f"""
            As a comb: {listed(evidence.three)} end with resonances at
            {listed(map(number, carried[evidence.three]))} of the {possible} harmonics of {period} steps, which divide
            every lag of the task.
        """,
        f"""
            Eigenvalues of the mean one-step Jacobian, resonances, come to lie at whole numbers of cycles in {period}
            steps. A filter that answers at all multiples of {period} steps and nowhere else has one at each, and each
            pair carries an equal part of the answer: the loss falls by one step with each, and a plateau of the
            learning curve is a number of harmonics. Over {number(at["epochs"])} stored epochs of
            {number(at["networks"])} networks the rank correlation of their number with the validation loss is
            {_with_interval(at)}; that of resonances a
            quarter beside, a control, is {_with_interval(beside)}. In the median the loss is
            {number(at["from the comb"])} from that of the best comb with as many, which has no free parameter. So lags
            are not learned one by one, and that far lags are learned less is the damping of the comb; it says nothing
            of how far a gradient reaches. The mean Jacobian misses most of what {evidence.roles["diag_gate"]} from a
            slow start does, whose gates differ between units and follow the input.
        """,
        {
            "harmonics": carried.map(number),
            "places a quarter beside": found["a quarter beside"].map(number),
            "validation loss": found["validation loss"].map(number),
            "loss of a comb of as many": found["loss of such a comb"].map(number),
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
            {listed(evidence.three)} end at a training loss of {listed(map(number, losses[evidence.three]))},
            {listed(slow)} at {listed(map(number, losses[slow]))}.
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
        ("", "learning_curves_slow"),
    )


def _with_interval(row: Mapping[Hashable, Any]) -> str:
    return f"{row['Spearman']:.2f} [{row['low']:.2f}, {row['high']:.2f}]"


INTRODUCTION = """
    Networks are those of AdamW, and numbers medians or means over their seeds, unless said otherwise; ranges are over
    seeds. Every number is one of the tables that are named below it. `snakemake findings` writes this page; with
    `--configfile config/reference.yaml`, from the stored networks of the paper's scale.
    """
READINGS = ("paper", "published_code", "gradient_step")
QUESTIONS: dict[Callable[[Evidence], Finding | None], list[tuple[str, str]]] = {
    what_is_learned: [("", "learned"), ("gradient_step", "learning_rates")],
    first_order: [("", "transport_by_lag"), ("", "transport_check")],
    envelopes: [("paper", "learning_rates")],
    authors_windows: [("published_code", name) for name in ("windows", "floor", "null_control")],
    tails: [(reading, "floor") for reading in READINGS],
    detected: [("", "through_training"), ("gradient_step", "windows_by_direction")],
    learned_after: [
        ("", "through_training"),
        ("", "detected_before_learned"),
        ("gradient_step", "complexity_and_share"),
    ],
    resonances: [("", "resonances"), ("", "harmonics_and_loss")],
    starts: [("", "learned"), ("", "through_training"), ("gradient_step", "learning_rates")],
}
"""Each question, and the tables that answer it, by reading and name."""


def answer(evidence: Evidence) -> list[Finding]:
    """Every question for which there are tables and networks."""
    return [
        found._replace(tables=tables)
        for question, tables in QUESTIONS.items()
        if set(tables) <= set(evidence.tables) and (found := question(evidence))
    ]
