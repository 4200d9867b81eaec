"""Questions about pixels, characters and the short-term buffer; every number is in a table."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd

from learnability.report.findings import Finding, listed, percent, percents
from studies.attention.dense_tables import EMBEDDED, OF_PAPER
from studies.attention.trained_tables import BUFFER_ALONE, MOST, in_words

Tables = Mapping[str, pd.DataFrame]
NONE = "No network was trained on these data here."
SAME = 0.05
"""Difference of recalls up to which two networks count as equally good."""


def _beside_the_paper(table: pd.DataFrame, ours: str, theirs: str) -> str:
    """In how many pairs of networks the better one is the paper's better one; of equals neither is."""
    both = table.dropna(subset=[ours, theirs])
    pairs = [
        (one[ours] - other[ours]) * (one[theirs] - other[theirs])
        for one, other in combinations(both.to_dict("records"), 2)
        if one[theirs] != other[theirs]
    ]
    return f"The order of the paper holds for {sum(pair > 0 for pair in pairs)} of {len(pairs)} pairs of networks."


def _of_data(table: pd.DataFrame, name: str) -> str:
    """Whether numbers can be compared with the paper's."""
    (data, steps), *_ = table[["data", "steps"]].itertuples(index=False)
    if data == EMBEDDED[name]:
        return (
            f"The data are '{data}', which come with the library, in sequences of {steps:.0f} steps, and not "
            f"{OF_PAPER[name]}: only the order of networks can be compared with the paper. "
            f"`attention.experiments.{name}.task.source` takes the path or URL of other data."
        )
    return f"The data are '{data}', in sequences of {steps:.0f} steps; the paper has {OF_PAPER[name]}."


def pixels(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Accuracy of permuted pixels."""
    table = _named(tables["pixels"], labels)
    answer, text = NONE, "The table has what the paper prints."
    if len(table):
        order = table.sort_values("accuracy", ascending=False, kind="stable")
        best, worst = order.iloc[0], order.iloc[-1]
        answer = f"""
            {best["model"]} is the most accurate ({percent(best["accuracy"])}), and {worst["model"]} the least
            ({percent(worst["accuracy"])}).
        """
        told = listed(
            f"{row['model']} {percent(row['accuracy'])}"
            + (f" ({percent(row['lowest'])} to {percent(row['highest'])})" if row["seeds"] > 1 else "")
            for row in order.to_dict("records")
        )
        text = f"""
            {_of_data(table, "pixels")} The accuracy on test images is {told}; the chance level is
            {percent(best["majority"])}. Each seed draws its own order of pixels.
            {_beside_the_paper(table, "accuracy", "paper_accuracy")}
        """
    return Finding(
        "Which networks classify images whose pixels come in a random order?",
        answer,
        text,
        {},
        "the data and the length of training: the paper does not print its batches and epochs.",
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
            {best["model"]} predicts best, with {best["bits"]:.2f} bits per character, and {worst["model"]} worst, with
            {worst["bits"]:.2f}.
        """
        told = listed(
            f"{row['model']} {row['bits']:.2f} ({percent(row['accuracy'])})" for row in order.to_dict("records")
        )
        text = f"""
            {_of_data(table, "characters")} The bits per character (and the accuracy in brackets) are {told}. A
            prediction from the frequency of characters alone costs {best["baseline_bits"]:.2f} bits; the commonest
            character is {percent(best["majority"])} of the text. {_beside_the_paper(table, "bits", "paper_bits")}
            Memories are emptied at the start of each chunk over which a gradient goes back; states are carried on.
        """
    return Finding(
        "Which networks predict the next character of a text?",
        answer,
        text,
        {},
        "the data and the length of training: the paper does not print its batches and epochs.",
        ("", "characters"),
    )


def buffer_alone(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """RelRNN without a relevant set, beside the one that has it."""
    learned = tables["learning_speed"].pivot_table("accuracy", "experiment", "architecture")
    both = learned.reindex(columns=["rel_rnn", BUFFER_ALONE]).dropna()
    able = both >= MOST
    answer = "No network without a relevant set was trained here."
    if len(both):
        lost = both["rel_rnn"] - both[BUFFER_ALONE] > SAME
        verdict = "No" if lost.all() else "In part" if lost.any() else "Yes"
        answer = f"""
            {verdict}. RelRNN recalls {percents(both[BUFFER_ALONE])} with the buffer alone, and
            {percents(both["rel_rnn"])} with a relevant set.
        """
    return Finding(
        "Is attention to the short-term buffer enough?",
        answer,
        f"""
            The values are of {listed(map(in_words, both.index)) if len(both) else "no task"}, at the end of training.
            {percent(MOST)} of the symbols are recalled in {able["rel_rnn"].sum()} of {len(both)} tasks with a relevant
            set and in {able[BUFFER_ALONE].sum()} without one. Without a relevant set (ρ = 0) a state is forgotten after
            ν steps: a gradient then crosses more steps through the recurrence alone, or along a chain of links of at
            most ν steps.
        """,
        {},
        "the length of training, and ν: a buffer as long as the sequence is full attention.",
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
