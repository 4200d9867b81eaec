"""Tables of the appendices, and figures that the question draws."""

from studies.learnability_window.questions import Figure, Question

APPENDICES = {
    "a": ("expansion", ["orders", "lags"]),
    "b": ("jacobians", ["jacobians"]),
    "c": ("concentration", ["widths"]),
    "d": ("divergence", ["divergence", "information"]),
    "e": ("information", ["information", "by_error", "by_signal"]),
    "f": ("lemmas", ["random"]),
    "g": ("inversion", ["windows"]),
}
"""Module of `studies.learnability_window.theory` that computes it, and its tables, whose files have both names."""


def _views(letter: str) -> list[tuple[str, str]]:
    """Tables of an appendix by their names in its figure."""
    return [(table, f"appendix_{letter}_{table}") for table in APPENDICES[letter][1]]


QUESTION = Question(
    place=110,
    figures={
        **{f"appendix_{letter}": Figure("theory", _views(letter), shows="none") for letter in "acdeg"},
        "simulation": Figure("theory", ["examples", "coverage"], shows="none"),
        "appendix_f": Figure("windows", ["sample_complexity", "monotonicity", *_views("f")], "adamw"),
        "appendix_h": Figure("windows", ["sample_complexity"], "adamw"),
        "appendix_i": Figure("rates", ["envelope", "spectrum"], shows="diag_gate"),
    },
)
