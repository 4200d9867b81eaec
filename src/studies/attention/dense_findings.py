"""Questions of pixels and characters, and of the short-term buffer; every number is one of a table."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd

from learnability.report.findings import Finding, listed, percent
from studies.attention.dense_tables import EMBEDDED, OF_PAPER
from studies.attention.trained_tables import BUFFER_ALONE, MOST, in_words

Tables = Mapping[str, pd.DataFrame]
NONE = "No network was trained on them here."


def _beside_the_paper(table: pd.DataFrame, ours: str, theirs: str) -> str:
    """In how many pairs of networks the better one is the paper's better one; of equals neither is."""
    both = table.dropna(subset=[ours, theirs])
    pairs = [
        (one[ours] - other[ours]) * (one[theirs] - other[theirs])
        for one, other in combinations(both.to_dict("records"), 2)
        if one[theirs] != other[theirs]
    ]
    return (
        f"Of {len(pairs)} pairs of networks that differ in the paper {sum(pair > 0 for pair in pairs)} stand as there."
    )


def _of_data(table: pd.DataFrame, name: str) -> str:
    """Plainly, whether numbers can be held against the paper's."""
    (data, steps), *_ = table[["data", "steps"]].itertuples(index=False)
    if data == EMBEDDED[name]:
        return (
            f"These are '{data}', the small data that come with the library, in sequences of {steps:.0f} steps, not "
            f"{OF_PAPER[name]}: the numbers are not comparable with the paper's, only what differs between networks "
            f"is. `attention.experiments.{name}.task.source` takes the path or URL of others."
        )
    return f"The data are those of '{data}', in sequences of {steps:.0f} steps; the paper has {OF_PAPER[name]}."


def pixels(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Accuracy of permuted pixels."""
    table = _named(tables["pixels"], labels)
    answer, text = NONE, "The table has what the paper prints."
    if len(table):
        order = table.sort_values("accuracy", ascending=False, kind="stable")
        best, worst = order.iloc[0], order.iloc[-1]
        answer = f"""
            {best["model"]} names {percent(best["accuracy"])} of the images and {worst["model"]}
            {percent(worst["accuracy"])}; who always says the commonest class names {percent(best["majority"])}.
        """
        told = listed(
            f"{row['model']} {percent(row['accuracy'])}"
            + (f" ({percent(row['lowest'])} to {percent(row['highest'])})" if row["seeds"] > 1 else "")
            for row in order.to_dict("records")
        )
        text = f"""
            {_of_data(table, "pixels")} On test images it is {told}. Each seed draws its own order of pixels.
            {_beside_the_paper(table, "accuracy", "paper_accuracy")}
        """
    return Finding(
        "Which networks name an image from its pixels in a senseless order?",
        answer,
        text,
        {},
        "The data and the length of training: the paper does not print its batches and epochs.",
        ("", "pixels"),
    )


def characters(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Bits and accuracy of characters."""
    table = _named(tables["characters"], labels)
    answer, text = NONE, "The table has what the paper prints."
    if len(table):
        order = table.sort_values("bits", kind="stable")
        best, worst = order.iloc[0], order.iloc[-1]
        answer = f"""
            A character costs {best["model"]} {best["bits"]:.2f} bits and {worst["model"]} {worst["bits"]:.2f}; who
            knows how often each comes, and no more, pays {best["baseline_bits"]:.2f}.
        """
        told = listed(
            f"{row['model']} {row['bits']:.2f} ({percent(row['accuracy'])})" for row in order.to_dict("records")
        )
        text = f"""
            {_of_data(table, "characters")} Bits, and in brackets the share of characters that are named, are {told};
            the commonest character is {percent(best["majority"])} of the text.
            {_beside_the_paper(table, "bits", "paper_bits")} Memories are emptied at the start of each chunk over which
            a gradient goes back, states are carried on.
        """
    return Finding(
        "Which networks name the next character of a text?",
        answer,
        text,
        {},
        "The data and the length of training: the paper does not print its batches and epochs.",
        ("", "characters"),
    )


def buffer_alone(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """RelRNN without a relevant set, beside the one that has it."""
    learned = tables["learning_speed"].pivot_table("accuracy", "experiment", "architecture")
    both = learned.reindex(columns=["rel_rnn", BUFFER_ALONE]).dropna()
    able = both >= MOST
    answer = "No network without a relevant set was trained here."
    if len(both):
        answer = f"""
            Of {len(both)} tasks RelRNN learns {able["rel_rnn"].sum()} with a relevant set and
            {able[BUFFER_ALONE].sum()} without.
        """
    told = [
        f"{percent(row['rel_rnn'])} with and {percent(row[BUFFER_ALONE])} without on {in_words(str(name))}"
        for name, row in both.iterrows()
    ]
    return Finding(
        "Does attention to the short-term buffer alone do?",
        answer,
        f"""
            {f"At the end of training symbols are named, {listed(told)}." if told else ""} Without a relevant set
            (ρ = 0) a state is forgotten ν steps after it was made: a gradient then crosses more steps by recurrence
            alone, or by a chain of links of at most ν steps.
        """,
        {},
        "The length of training, and ν: a buffer as long as the sequence is full attention.",
        ("", "attention_short_term"),
    )


def _named(table: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """Rows of networks that were trained, with the `model` in words."""
    return table[np.isfinite(table["accuracy"].astype(float))].assign(
        model=lambda rows: rows["architecture"].map(labels)
    )


QUESTIONS = {
    pixels: ["pixels"],
    characters: ["characters"],
    buffer_alone: ["learning_speed"],
}
"""Each question, and the tables that answer it."""
