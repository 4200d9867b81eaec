"""What is learned by where gates start."""

from learnability.report.findings import Finding, listed, number, spread
from studies.learnability_window.evidence import Evidence, sequences


def answer(evidence: Evidence) -> Finding | None:
    """What is learned by where gates start; nothing without networks of slow gates beside others."""
    slow = [evidence.labels[name] for name in evidence.groups.get("slow", {}).values()]
    early, rates = evidence.all_adamw("", "through_training"), evidence.all_adamw("gradient_step", "learning_rates")
    if not set(slow) <= set(rates.index) or slow == evidence.three:
        return None
    lags = sorted(early["lag"].unique())
    farthest, middle = early[early["lag"] == lags[-1]], lags[(len(lags) - 1) // 2]
    before = farthest["log₁₀ N̂, epoch 0, total"]
    losses, shares = rates["training loss"], evidence.all_adamw("", "learned")[f"r/c at {middle}"]
    return Finding(
        "Does it matter where gates start?",
        f"""
            Yes. From ordinary starts training losses end at {spread(losses[evidence.three])}, from slow starts at
            {spread(losses[slow])}.
        """,
        f"""
            Task, sizes and epochs are the same. Before training lag {lags[-1]} asks for
            {listed(map(sequences, before[slow]))} sequences under the slow gates, against
            {listed(map(sequences, before[evidence.three]))}. At the end the learned share of lag {middle} is
            {listed(map(number, shares[slow]))}, against {listed(map(number, shares[evidence.three]))}. A gate that
            cannot move shows what its value alone does; {listed(evidence.three[1:])} have to open theirs first.
        """,
        {
            "training loss": losses.map(number),
            "mean gate at the end": rates["mean gate"].map(number),
            f"learned share of lag {middle}": shares.map(number),
            f"sequences for lag {lags[-1]}: epoch 0, total": before.map(sequences),
            "seeds": rates["seeds"].map(number),
        },
        "`training.epochs`: losses of slow gates that move still fall at the end.",
        ("", "starts"),
    )
