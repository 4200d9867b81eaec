"""RelRNN without a relevant set, beside the one that has it."""

from collections.abc import Mapping

from learnability.report.findings import Finding, listed, percent, percents
from learnability.report.style import Tables
from studies.attention.trained_tables import BUFFER_ALONE, MOST, in_words

SAME = 0.05
"""Difference of recalls up to which two networks count as equally good."""


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
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
