"""Numbers that the paper prints of its three roles, for figures to draw in grey beside what is measured.

Section 6.2 and Appendix I; `config/paper_claims.yaml` holds the same numbers beside the claims that they belong to.
"""

OPTIMIZERS = {"adamw": "AdamW", "sgd": "SGD", "sgd_momentum": "SGD with momentum"}

TIME_CONSTANTS: dict[str, dict[str, float]] = {
    "adamw": {"const_gate": 0.85, "shared_gate": 1.9, "diag_gate": 47},
    "sgd": {"const_gate": 0.88, "shared_gate": 4.71, "diag_gate": 5.43},
}
"""τ_env by optimizer, in steps (Figure 1b, Table 1)."""
EXPONENTS: dict[str, dict[str, float]] = {"adamw": {"diag_gate": 0.9}}
"""β of the power law by optimizer (Figure 1c)."""
Ranges = list[tuple[float, float]]

WINDOWS: dict[str, Ranges] = {
    "const_gate": [(8, 12)],
    "shared_gate": [(32, 40)],
    "diag_gate": [(32, 32), (64, 64), (120, 120)],
}
"""Ranges in which Ĥ_N lies, in steps (Figure 2); DiagGate's is 0 at first and then grows from one to the next."""
TIME_SCALES: dict[str, Ranges] = {
    "const_gate": [(0.85, 0.85)],
    "shared_gate": [(1.9, 1.9)],
    "diag_gate": [(3, 10), (30, 40)],
}
"""τ_q in steps (Figure 4), of all units; DiagGate's: most below the first range, many in it, a few in the second."""
GAUSSIAN = 2
"""α̂ that ConstGate and SharedGate are close to, and DiagGate below (Figure 5)."""


def in_words(ranges: Ranges) -> str:
    """Ranges as the paper has them."""
    return ", ".join(f"{low:g}" if low == high else f"{low:g} to {high:g}" for low, high in ranges)
