"""Windows by the rules of the author's code (Figure 2), for the page."""

from typing import Any

from learnability.report.findings import number, spread
from studies.learnability_window.evidence import Evidence
from studies.learnability_window.paper import WINDOWS, in_words

SIZE = 3200
"""Sequences N of the windows that the page tells; of those in the table the nearest to what was measured."""


def numbers(evidence: Evidence) -> dict[str, Any]:
    """Numbers of `page.md.j2`: `windows` of the three gates with `SIZE` sequences, and what limits them.

    `measured` is how many were measured. `of_seeds` has quartiles over seeds, with `0%` and `100%` for the smallest and
    the largest, and the share of seeds with a window, `open`, of the three gates; `with_half` the same with half as
    many sequences. `order` and `half` count seeds in order, and seeds that keep a window, with as many and with half.
    `floored` is the first lag below the floor, of the seed where it comes first and where it comes last. `above` is how
    many orders of magnitude the spread of ConstGate lies above the floor at the end of the paper's window. `by_option`
    has windows of the first seed at the largest N with one option changed, and `along` the ones along other directions,
    of which `along_in_order` have the paper's order. `nulls` counts networks with a window where there is no signal, by
    first-order transport, and `by_adamw` the ones among them that AdamW trained.
    """
    windows, floor = (evidence.adamw("published_code", name) for name in ("windows", "floor"))
    control = evidence.table("published_code", "null_control")
    by_seed = evidence.adamw("published_code", "windows_by_direction").query("transport == 'first_order'")
    of_seeds, with_half = (by_seed[by_seed["N"] == size] for size in (SIZE, SIZE // 2))
    floored = floor[["first floored", "first floored, last seed"]].set_axis(["first", "last"], axis=1)
    nulls, by_adamw = (
        rows.groupby("transport").sum(numeric_only=True) for rows in (control, control[control["optimizer"] == "adamw"])
    )
    by_first_order, by_exact = (windows[windows["transport"] == kind] for kind in ("first_order", "exact"))
    first_order, exact = by_first_order[f"N = {SIZE}"], by_exact[f"N = {SIZE}"]
    order = evidence.table("published_code", "window_order").set_index(["transport", "N"]).loc["first_order"]
    const_end = WINDOWS["const_gate"][-1][1]
    cells = evidence.table("published_code", "windows_by_option").set_index("option")[evidence.three]
    by_option = cells.apply(lambda shown: shown.astype(str).str.split().str[0].astype(float))
    along = by_option.loc["direction"]
    return {
        "by_option": by_option,
        "along": along,
        "along_in_order": int((along.diff(axis=1).iloc[:, 1:] > 0).all(axis=1).sum()),
        "size": SIZE,
        "half_size": SIZE // 2,
        "measured": control["sequences"].max(),
        "windows": first_order[evidence.three],
        "of_seeds": of_seeds.loc[evidence.three],
        "with_half": with_half.loc[evidence.three],
        "exact": exact[evidence.three],
        "published": WINDOWS,
        "floored": floored.loc[evidence.three],
        "const_end": const_end,
        "above": floor.loc["ConstGate", f"decades above at {const_end:g}"],
        "order": order.loc[SIZE],
        "half": order.loc[SIZE // 2],
        "nulls": nulls.loc["first_order"],
        "by_adamw": by_adamw.loc["first_order"],
        "exact_nulls": nulls.loc["exact"],
        "rows": {
            "paper, steps": evidence.of_roles({role: in_words(ranges) for role, ranges in WINDOWS.items()}),
            "first order, median over seeds": first_order.map(number),
            "first order, range over seeds": of_seeds[["0%", "100%"]].apply(spread, axis=1),
            "first lag below the floor, range over seeds": floored.apply(spread, axis=1),
            "exact transport, far above the floor": exact.map(number),
        },
    }
