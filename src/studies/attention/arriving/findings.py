"""‖∂L/∂h_t‖ before training."""

from collections.abc import Mapping

import numpy as np

from learnability.report.findings import Finding, listed, number
from learnability.report.style import Tables


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """‖∂L/∂h_t‖ before training."""
    norms = tables["gradient_norms"].set_index("architecture").rename(labels)
    *_, farthest, first = norms.columns
    lost, at_first = norms[farthest].sort_values(), norms[first].sort_values()
    some = lost[np.isfinite(lost)]
    none = lost.index[~np.isfinite(lost)]
    nothing = f" In {listed(none)} the gradient is zero at most of these steps." if len(none) else ""
    start, end = farthest.split("_")[1:]
    least, largest = (listed(some.index[np.isclose(some, bound, atol=0.05)]) for bound in (some.min(), some.max()))
    return Finding(
        "How much of the gradient arrives at early steps, before training?",
        f"""
            Between {number(10.0 ** some.min())} ({least}) and {number(10.0 ** some.max())} ({largest}) times the
            gradient at the last step.
        """,
        f"""
            The early steps are those {start} to {end} steps before the last. The table has log₁₀ of the factor, the
            median over these steps: it is below −5 in {(some < -5).sum()} of {len(norms)} networks, and above −2 in
            {(some > -2).sum()}.{nothing} At the very first step, the only one that the first attention sees, log₁₀ is
            at most {at_first.iloc[-1]:.1f}, in {at_first.index[-1]}. The loss counts the ten symbols at the end of
            a denoise sequence, and the gradient takes all paths. The paper shows the same after training.
        """,
        {},
        f"""
            the steps that are compared: at the first step alone log₁₀ is {at_first.iloc[0]:.1f} in
            {at_first.index[0]}, and {at_first.iloc[1]:.1f} or more in all others.
        """,
        ("", "gradient_norms"),
    )
