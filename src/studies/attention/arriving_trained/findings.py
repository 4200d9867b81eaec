"""‖∂L/∂h_t‖ after training, of denoise."""

from collections.abc import Mapping

from learnability.report.findings import Finding, listed, number
from learnability.report.style import Tables
from studies.attention.trained_tables import (
    PRINTED,
    QUARTERS,
)


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
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
            paper shows sequences of 1,000 steps, where gradients explode in
            its RNN and vanish in its LSTM.
        """,
        {},
        "the networks that have learned: in one that has not, the gradient is of errors that stay large.",
        ("", "trained_gradients"),
    )
