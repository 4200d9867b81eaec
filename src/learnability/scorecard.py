"""The scorecard as Markdown and as a self-contained HTML page."""

from collections.abc import Mapping
from html import escape
from typing import Any

import pandas as pd

TITLE = "The paper's claims, and what we measured"
COLUMNS = {
    "where": "Where",
    "claim": "Claim",
    "set": "Set",
    "paper": "Paper",
    "measured": "Measured: median [range over seeds]",
    "seeds": "Seeds",
    "verdict": "Verdict",
}
STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; color: #1a1a1a }
table { border-collapse: collapse; width: 100% }
th, td { border-bottom: 1px solid #ddd; padding: .4rem .6rem; text-align: left; vertical-align: top }
.notice { background: #fff4d6; padding: .6rem 1rem }
.verdict { white-space: nowrap; font-weight: 600 }
.reproduced { color: #00694a } .partly { color: #8a5a00 } .not-reproduced { color: #a3000e }
.not-testable { color: #555 }
"""


def scale_notice(paper: Mapping[str, Any], ours: Mapping[str, Any]) -> str:
    """A sentence for a run that is not at the paper's scale; empty for one that is."""
    different = [
        name if isinstance(value, list) else f"{name} {ours[name]} (paper: {value})"
        for name, value in paper.items()
        if ours[name] != value
    ]
    if not different:
        return ""
    return f"Not at the paper's scale, so values are not expected to agree: {', '.join(different)}."


def artefact_link(row: Mapping[Any, str], suffixes: Mapping[str, str]) -> str:
    """The file that shows a row, relative to the scorecard: a figure of the row's set, or a table."""
    if row["artefact"].startswith("tables/"):
        return f"{row['artefact']}.md"
    return f"{row['artefact']}{suffixes[row['set']]}.png"


def _counts(scores: pd.DataFrame) -> str:
    return ", ".join(f"{count} {verdict}" for verdict, count in scores["verdict"].value_counts().items())


def as_markdown(scores: pd.DataFrame, reading: str, notice: str) -> str:
    """The scorecard in Markdown; `scores` has a column `link`."""
    lines = [f"# {TITLE}", "", f"Reading: `{reading}`. {_counts(scores)}.", ""]
    if notice:
        lines += [f"> {notice}", ""]
    lines += [f"| {' | '.join(COLUMNS.values())} |", f"|{' --- |' * len(COLUMNS)}"]
    for row in scores.to_dict("records"):
        linked = row | {"verdict": f"[{row['verdict']}]({row['link']})"}
        lines.append(f"| {' | '.join(str(linked[name]) for name in COLUMNS)} |")
    return "\n".join(lines) + "\n"


def as_html(scores: pd.DataFrame, reading: str, notice: str) -> str:
    """The scorecard as a page that needs nothing from outside; `scores` has a column `link`."""
    head = "".join(f"<th>{escape(title)}</th>" for title in COLUMNS.values())
    body = "".join(_html_row(row) for row in scores.to_dict("records"))
    warning = f'<p class="notice">{escape(notice)}</p>' if notice else ""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(TITLE)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head><body>'
        f"<h1>{escape(TITLE)}</h1><p>Reading: <code>{escape(reading)}</code>. {escape(_counts(scores))}.</p>{warning}"
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></body></html>\n"
    )


def _html_row(row: Mapping[Any, object]) -> str:
    cells = [f"<td>{escape(str(row[name])).replace('; ', '<br>')}</td>" for name in COLUMNS if name != "verdict"]
    kind = str(row["verdict"]).replace(" ", "-")
    link = f'<a class="{kind}" href="{escape(str(row["link"]))}">{escape(str(row["verdict"]))}</a>'
    name = escape(f"{row['id']}-{row['set']}")
    return f'<tr id="{name}">{"".join(cells)}<td class="verdict">{link}</td></tr>'
