"""Bits and accuracy of characters."""

from collections.abc import Mapping

from learnability.report.findings import Finding, listed, percent
from learnability.report.style import Tables
from studies.attention.dense_answers import NO_NETWORK, about_data, order_of_the_paper, trained_rows


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Bits and accuracy of characters."""
    table = trained_rows(tables["characters"], labels)
    answer, text = NO_NETWORK, "The table has what the paper prints."
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
            {about_data(table, "characters")} The bits per character (and the accuracy in brackets) are {told}. A
            prediction from the frequency of characters alone costs {best["baseline_bits"]:.2f} bits; the commonest
            character is {percent(best["majority"])} of the text. {order_of_the_paper(table, "bits", "paper_bits")}
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
