"""Sample complexity of the farthest lag through training, and windows at its end."""

from learnability.report.findings import Finding, listed, number, percent, spread
from studies.learnability_window.evidence import Evidence, sequences
from studies.learnability_window.opening import SETTLED


def answer(evidence: Evidence) -> Finding:
    """Sample complexity of the farthest lag through training, by gate, and windows at its end."""
    early = evidence.adamw("", "through_training")
    order = evidence.table("", "detection_order").set_index("epoch")
    lag = early["lag"].max()
    at = early[early["lag"] == lag]
    complexity = {name.removeprefix("log₁₀ N̂, "): at[name] for name in map(str, at) if name.startswith("log₁₀ N̂, ")}
    _, first_matched, _, _ = complexity
    windows = evidence.adamw("gradient_step", "windows_by_direction").query("transport == 'exact'")
    const, shared, diag = evidence.three
    below = order[f"{diag} below {shared}"]
    sharpest, start = int(str(order["all in order"].idxmax())), int(order.index[0])
    later = order[order.index >= min(SETTLED, order.index[-1])]
    seeds = order["seeds"].max()
    sizes = {name: order[f"log₁₀ N̂, {name}"] for name in evidence.three}
    index = order[f"α̂, {diag}"][start]
    of_tail = sizes[diag][start] * (1 - 2 * (index - 1) / index)
    return Finding(
        "What can a gradient detect, and when?",
        f"""
            The published order of gates is sharpest at epoch {sharpest}; before training {shared} and {diag} do not
            differ.
        """,
        f"""
            {const}, {shared} and {diag} have the published order if they need the most, fewer and the fewest sequences
            to detect a lag. The table has what lag {lag} requires, medians over seeds, of these gates over {seeds}.
            Before training {const} needs
            {sequences(sizes[const][start])}; {shared} with {sequences(sizes[shared][start])} and {diag} with
            {sequences(sizes[diag][start])} do not differ: {diag} needs fewer in {below[start]} of {seeds} seeds. Of
            the orders of magnitude of {diag} {of_tail:.1f} come from a tail index of {index:.2f} in place of 2. At
            epoch {sharpest} the order is sharpest:
            {listed(sequences(sizes[name][sharpest]) for name in evidence.three)} for {listed(evidence.three)}. From
            epoch {later.index[0]} on the largest median is at most
            {number(later["factor of medians"].max())} times the smallest, and the order holds in at most
            {later["all in order"].max()} of {seeds} seeds. Exact gradients of untrained gates thus differ by many
            orders of magnitude; those of trained gates hardly do. Each lag is judged along its own gradient, in the
            noise of the whole gradient, of which an update is made. In the noise of the lag's own part (`matched`)
            the lag
            requires {spread(complexity[first_matched], sequences)} before training, whatever the gates: signal and
            noise cross the same steps and fade alike. Windows at the end of training are along random directions.
        """,
        {
            **{f"sequences for lag {lag}: {name}": values.map(sequences) for name, values in complexity.items()},
            **{
                f"networks with a window at the end, N = {size}": windows.loc[windows["N"] == size, "open"].map(percent)
                for size in (400, 1600)
                if size in set(windows["N"])
            },
        },
        "`noise`: with `matched` a lag is detected before training, and gates make no difference.",
        ("", "detection_order"),
    )
