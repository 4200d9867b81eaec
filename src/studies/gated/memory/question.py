"""Question of Sec. 14 and 15: what it requires and makes."""

from studies.gated.questions import Question

QUESTION = Question(
    place=140,
    sections="14 and 15",
    tables=(
        "memory_curves",
        "memory_totals",
        "memory_narma",
        "memory_products",
        "memory_readouts",
        "memory_washout",
        "memory_suffixes",
        "memory_neighbours",
    ),
)
