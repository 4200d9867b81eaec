"""Whether lags are detected before they are learned."""

from learnability.report.findings import Finding, listed
from studies.learnability_window.evidence import Evidence, with_interval


def answer(evidence: Evidence) -> Finding:
    """Whether lags are detected before they are learned."""
    table = evidence.table("", "detected_before_learned")
    rows = {(row["noise"], row["N"], row["r/c"]): row for row in table.to_dict("records")}
    most = table["N"].max()
    tenth, half = (rows["total", most, share] for share in (0.1, 0.5))
    permuted = rows["permuted", most, 0.1]
    ends = evidence.table("gradient_step", "complexity_and_share").set_index("lag")["Spearman"]
    total = table[table["noise"] == "total"]
    hardest = total.iloc[int((total["after"] / total["learned"]).fillna(0).to_numpy().argmax())]
    ever = half["detected, not learned"] + half["detected before"] + half["same"]
    return Finding(
        "Is a lag that can be detected also learned?",
        f"""
            Often not. Nearly every lag becomes detectable, at least {ever:.0f} of {half["lags"]:.0f}; only
            {half["learned"]:.0f} are ever half learned.
        """,
        f"""
            Each of {tenth["networks"]:.0f} networks is measured at {tenth["lags"] / tenth["networks"]:.0f} lags of the
            task, and a lag is detectable if {most} sequences are enough at some stored epoch. A lag is half learned if
            the response reaches half of its coefficient. Lags that are learned before they are detected do not count
            as detectable. Nearly all lags are detected, so detection before learning is weak evidence. Of
            the {tenth["learned"]:.0f} learned to a tenth of their coefficient {tenth["detected before"]:.0f} were
            detected at an earlier stored epoch, {tenth["same"]:.0f} at the same one and {tenth["after"]:.0f} later.
            With errors of another sequence {permuted["detected before"]:.0f} are detected. The epochs of detection and
            of learning have a rank correlation of {with_interval(tenth)} for a tenth and {with_interval(half)} for
            one half. At the end of training N̂(ℓ) is no measure of what was learned: its rank correlation with the
            learned share, over networks, is {listed(f"{rho:.2f} at lag {lag}" for lag, rho in ends.items())}.
        """,
        {},
        f"""
            N, and the share that counts as learned: the least favourable setting of the table is N =
            {hardest["N"]:.0f} and a share of {hardest["r/c"]:g}: {hardest["detected before"]:.0f} lags are detected
            before they are learned, {hardest["same"]:.0f} at the same stored epoch, {hardest["after"]:.0f} after.
        """,
        ("", "detected_before_learned"),
    )
