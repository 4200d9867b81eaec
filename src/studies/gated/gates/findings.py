"""Do gates learn what to write?"""

from collections.abc import Mapping

import pandas as pd

from learnability.report.findings import Finding, listed, number, percent, spread
from learnability.report.style import Tables
from studies.gated.gates.measure import MEMORY, OUTPUT, SHOWN, apart

SELECTIVE = 0.3
"""Distance between blanks and symbols from which a unit counts as selective."""


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """From `gates_units`, `gates_held` and `gates_written`."""
    units, held, written, probes = (tables[f"gates_{kind}"] for kind in ("units", "held", "written", "probes"))
    names = ["architecture", "gate"]
    distances = apart(units).groupby(names)[["largest", "median"]].median().to_dict("index")
    shares = held.groupby([*names, "held"])["accuracy"].median().unstack("held").to_dict("index")
    moved, lost = [], []
    for key in SHOWN:
        if key in distances:
            gate, distance, share = f"{key[1]} gate of {labels[key[0]]}", distances[key], shares[key]
            moved.append({**distance, "told": f"{gate} {distance['largest']:.2f} and {distance['median']:.2f}"})
            lost.append(
                f"{percent(share['constant'])}, {percent(share['of_input'])} and {percent(share['learned'])} ({gate})"
            )
    moves = pd.DataFrame(moved, columns=["largest", "median", "told"])
    selective = "Yes, in few units" if moves["largest"].median() >= SELECTIVE else "No"
    return Finding(
        "Do gates learn when to write and when to forget?",
        f"""
            {selective}: the most selective unit moves by {spread(moves["largest"].round(2))}, the median unit by
            {spread(moves["median"].round(2))}.
        """
        if moved
        else "No network with gates was trained.",
        f"""
            {_moved(moves["told"])} {_held(lost)}
            {_scaled(written, labels)} {_exposed(units, labels)} {_probed(probes, labels)}
        """,
        {
            f"{gate} gate held": rows.groupby("architecture")["accuracy"].median().map(percent).rename(labels)
            for gate, rows in held[held["held"] == "constant"].groupby("gate", sort=False)
        },
        """
            the task: if every input must be kept, there is nothing to select. Gates start at the same value for every
            input (`gate_init`), so what they distinguish was learned.
        """,
        ("", "gates"),
        [("", "gates_held"), ("", "gates_units"), ("", "gates_written"), ("", "gates_switch"), ("", "gates_probes")],
    )


def _moved(units: "pd.Series[str]") -> str:
    """How far the most selective and the median unit of each gate move."""
    of_units = "From blanks to symbols the most selective unit and the median unit of a gate move by"
    return f"{of_units} {'; '.join(units)}." if len(units) else ""


def _held(recall: list[str]) -> str:
    """What is recalled with gates that are held."""
    return (
        f"""
        Recall with the gate at its mean, with a gate that sees the input alone, and with the learned gate is
        {listed(recall)}; the rest of the network was trained with the gate and is not trained again.
    """
        if recall
        else ""
    )


def _scaled(written: pd.DataFrame, labels: Mapping[str, str]) -> str:
    """What input gates do to what is written."""
    medians = written.groupby("architecture", sort=False)[["written", "proposed"]].median()
    told = [
        f"{number(row['written'])} and {number(row['proposed'])} in {labels[str(name)]}"
        for name, row in medians.to_dict("index").items()
    ]
    return f"At a symbol over a blank is written and proposed, |i ⊙ g| and |g|: {listed(told)}." if told else ""


def _probed(probes: pd.DataFrame, labels: Mapping[str, str]) -> str:
    """What linear probes read from the output and from the memory before anything is asked for."""
    medians = probes.groupby(["architecture", "reads"], sort=False)["accuracy"].median().unstack("reads")
    told = [
        f"{percent(row[OUTPUT])} from the output h and {percent(row[MEMORY])} from the memory c of {labels[str(name)]}"
        for name, row in medians.to_dict("index").items()
    ]
    return f"Just before the marker a linear probe names {listed(told)}." if told else ""


def _exposed(units: pd.DataFrame, labels: Mapping[str, str]) -> str:
    """Whether output gates are shut until something is asked for."""
    means = units[units["gate"] == "output"].groupby("architecture")[["symbol", "blank", "asked"]].mean()
    told = [
        f"of {labels[str(name)]} is {row['asked']:.2f} where symbols are named and"
        f" {(row['symbol'] + row['blank']) / 2:.2f} before"
        for name, row in means.to_dict("index").items()
    ]
    return f"The mean output gate {listed(told)}." if told else ""
