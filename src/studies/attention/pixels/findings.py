"""Accuracy of permuted pixels."""

from collections.abc import Mapping

from learnability.report.findings import Finding, listed, percent
from learnability.report.style import Tables
from studies.attention.dense_answers import NO_NETWORK, about_data, order_of_the_paper, trained_rows


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Accuracy of permuted pixels."""
    table = trained_rows(tables["pixels"], labels)
    answer, text = NO_NETWORK, "The table has what the paper prints."
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
            {about_data(table, "pixels")} The accuracy on test images is {told}; the chance level is
            {percent(best["majority"])}. Each seed draws its own order of pixels.
            {order_of_the_paper(table, "accuracy", "paper_accuracy")}
        """
    return Finding(
        "Which networks classify images whose pixels come in a random order?",
        answer,
        text,
        {},
        "the data and the length of training: the paper does not print its batches and epochs.",
        ("", "pixels"),
    )
