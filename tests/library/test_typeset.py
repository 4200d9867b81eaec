import pandas as pd

from learnability.report.typeset import as_latex, as_markdown

TABLE = pd.DataFrame(
    {
        "architecture": ["DiagGate", "A & B"],
        "transport": ["first_order", "exact"],
        "τ_env, smallest": [1.0, 2 / 3],
        "25%": [0, 96],
        "N̂ at": [float("nan"), float("inf")],
    }
)


def test_latex_has_no_character_that_it_would_trip_over():
    assert as_latex(TABLE).splitlines() == [
        r"\begin{tabular}{llrrr}",
        r"\toprule",
        r"architecture & transport & $\tau_{\mathrm{env}}$, smallest & 25\% & $\hat{N}$ at \\",
        r"\midrule",
        r"DiagGate & first order & 1 & 0 & nan \\",
        r"A \& B & exact & 0.666667 & 96 & inf \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


def test_markdown_has_its_notes_above():
    assert as_markdown(TABLE[["architecture", "25%"]], ["One.", "Two."]).splitlines() == [
        "* One.",
        "* Two.",
        "",
        "| architecture | 25% |",
        "| --- | --- |",
        "| DiagGate | 0 |",
        "| A \\& B | 96 |",
    ]
