"""What the networks learned of each lag."""

from learnability.report.findings import Finding, listed, number, percent, percents, spread
from studies.learnability_window.evidence import Evidence


def answer(evidence: Evidence) -> Finding:
    """What the networks learned of each lag."""
    learned = evidence.adamw("", "learned")
    shares = {int(name.split()[-1]): learned[name] for name in map(str, learned) if name.startswith("r/c at ")}
    lags, rates = list(shares), evidence.adamw("gradient_step", "learning_rates")
    middle, echoes = lags[(len(lags) - 1) // 2], learned.loc[evidence.three]
    three = spread(shares[middle][evidence.three])
    gaps = (rates["validation loss"] / rates["training loss"] - 1).abs()[evidence.three]
    return Finding(
        "What did the networks learn?",
        f"Part of the task: the three gates respond with {three} of the coefficient at lag {middle}.",
        f"""
            The response of a prediction to the input ℓ steps before is compared with the task's coefficient, for
            {listed(evidence.three)}. The learned share falls with the lag, and does not end at one lag. A network
            that carries an input on also responds at lags that the task does not have, an echo: the strongest is at
            {spread(echoes["its lag"])} steps ({spread(echoes["largest echo"])}). The parts of the loss in the figure
            are of the steps after the longest lag; over all steps the loss is smaller, because early targets have fewer
            terms. Losses on training and validation sequences differ by at most {percent(gaps.max())} in these three,
            so the number of sequences does not limit them; the gradient is clipped in
            {percents(rates.loc[evidence.three, "clipped steps"])} of their steps.
        """,
        {
            **{f"learned share of lag {lag}": share.map(number) for lag, share in shares.items()},
            "training loss": rates["training loss"].map(number),
            "seeds": rates["seeds"].map(number),
        },
        "`training.epochs`: large losses still fall at the end.",
        ("", "responses"),
    )
