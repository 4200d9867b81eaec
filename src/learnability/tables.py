"""Tables of the paper."""

from collections.abc import Mapping

import pandas as pd


def decay_fits(fits: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """Table 1: R² (semi-log) and τ_env of each architecture, mean and range over seeds.

    Args:
        fits: rows of `learnability.fits.fit_envelope` with columns architecture and seed.
        labels: names of architectures in print.
    """
    exponential = fits[fits["model"] == "exponential"]
    rows = [
        {
            "Architecture": labels[str(architecture)],
            "R² (semi-log)": group["r_squared"].mean(),
            "τ_env": group["parameter"].mean(),
            "τ_env, smallest": group["parameter"].min(),
            "τ_env, largest": group["parameter"].max(),
            "seeds": len(group),
        }
        for architecture, group in exponential.groupby("architecture", sort=False)
    ]
    return pd.DataFrame(rows)


def as_markdown(table: pd.DataFrame) -> str:
    """A Markdown table; numbers in six significant digits."""
    lines = [" | ".join(map(str, table.columns)), " | ".join("---" for _ in table.columns)]
    lines += [" | ".join(_cell(value) for value in row) for row in table.itertuples(index=False)]
    return "".join(f"| {line} |\n" for line in lines)


def as_latex(table: pd.DataFrame) -> str:
    """A LaTeX tabular; numbers in six significant digits."""
    symbols = {"R²": "$R^2$", "τ_env": r"$\tau_{\mathrm{env}}$"}
    head = " & ".join(map(str, table.columns))
    for plain, symbol in symbols.items():
        head = head.replace(plain, symbol)
    body = [" & ".join(_cell(value) for value in row) for row in table.itertuples(index=False)]
    lines = [rf"\begin{{tabular}}{{l{'r' * (table.shape[1] - 1)}}}", r"\hline", rf"{head} \\", r"\hline"]
    return "\n".join([*lines, *(rf"{row} \\" for row in body), r"\hline", r"\end{tabular}", ""])


def _cell(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
