"""The scorecard as Markdown and as a self-contained HTML page."""

import re
from collections.abc import Callable, Collection, Mapping
from html import escape
from typing import Any, SupportsInt

import pandas as pd

from learnability.report.pages.page import markdown, page, scroller
from learnability.report.typeset import as_markdown as table_as_markdown
from learnability.report.typeset import in_cell, in_markdown_by_id

TITLE = "The paper's claims, and what we measured"
COLUMNS = {
    "verdict": "Verdict",
    "where": "Where",
    "claim": "Claim",
    "group": "Group",
    "paper": "Published",
    "measured": "Measured: median [range over seeds]",
    "agree": "Seeds that agree",
    "notes": "Notes",
}
TUNED = {
    "gate": "tuned: the gate",
    "learning_rate": "tuned: the learning rate",
    "recipe": "tuned: recipe chosen when results by another were known",
    "updates": "tuned: trained longer when results of a shorter training were known",
    "start": "tuned: part of the code's start replaced after training by it had diverged",
}
"""Notes on what was tuned, by setting of `learnability.claims.SETTINGS`."""
PART = "in part"
NOTES = {
    ("after_results", "yes"): "test written after results",
    ("after_results", "in part"): "part of the test written after results",
    ("by_construction", "yes"): "holds by construction",
    ("by_construction", "in part"): "holds in part by construction",
}
"""Notes on a row for the reader, by column and value."""
KEY = (
    "A condition is met inside the interval that was set for it, near inside a wider one, and missed outside both; "
    "it is split if too few seeds agree. What holds by construction holds whatever is trained."
)
OURS = "Ours"
MAIN = "main"
"""The group of architectures that a paper's text is about."""
UNTESTED = "not testable"
ALL_COUNTED = "if all counted"
"""The column of a scorecard with verdicts that no rule keeps from counting what was measured."""
BY_CONSTRUCTION = "true by construction"
VERDICTS = ("reproduced", "partly", "not reproduced", BY_CONSTRUCTION, UNTESTED)
"""Verdicts on a claim, in the order in which they are counted."""
TESTABLE = "can be tested here"
BLIND = "… with nothing tuned and every test written before results"
BLIND_ALONE = "… of these, not even in part by construction"
HELPED = "… in part by construction"
TWICE = "… that stand in two tables of the paper and count twice"
"""What is counted besides verdicts; of the reproduced claims where it begins with dots."""


def scale_notice(paper: Mapping[str, Any], ours: Mapping[str, Any]) -> str:
    """A sentence for a run that is not at the paper's scale; empty for one that is.

    Args:
        paper: a file of claims. Its `paper_scale` has sizes by name, its `off_scale` says what another scale means for
            values; without it they are not expected to agree.
        ours: sizes of the run, by the same names.

    Example:
        >>> scale_notice({"paper_scale": {"epochs": 500}}, {"epochs": 40})
        "Not at the paper's scale, so values are not expected to agree: epochs 40 (paper: 500)."
    """
    different = [
        f"other {name}" if isinstance(value, list) else f"{name} {ours[name]} (paper: {value})"
        for name, value in paper.get("paper_scale", {}).items()
        if ours[name] != value
    ]
    if not different:
        return ""
    meaning = paper.get("off_scale", "values are not expected to agree")
    return f"Not at the paper's scale, so {meaning}: {', '.join(different)}."


def artefact_link(row: Mapping[Any, str], suffixes: Mapping[str, str], of_no_reading: Collection[str]) -> str:
    """The file that shows a row, relative to the scorecard: a figure of the row's group, or a table; empty for nothing.

    Args:
        row: `artefact`, as `figures/figure_01` or `tables/windows` or empty, and `group`.
        suffixes: of figures, by group.
        of_no_reading: names of what lies beside the folders of readings, not in them.
    """
    kind, _, name = row["artefact"].partition("/")
    if not name:
        return ""
    file = f"{name}.md" if kind == "tables" else f"{name}{suffixes[row['group']]}.png"
    return f"{'../' if name in of_no_reading else ''}{kind}/{file}"


def judge_claims(scores: pd.DataFrame) -> pd.DataFrame:
    """Verdicts on claims, from a scorecard whose rows are of groups.

    Returns:
        A row for each `id`, with its classes and a `verdict` of `VERDICTS`: that of its rows, partly where they differ.
        Rows that are not testable decide nothing beside others, nor do rows that are true by construction, unless the
        claim holds by construction in all groups.
    """
    return pd.DataFrame(
        [
            {
                "id": name,
                **{key: rows[key].iloc[0] for key in ("tuned", "after_results", "by_construction")},
                "verdict": _verdict_of_claim(rows, "verdict"),
                **({ALL_COUNTED: _verdict_of_claim(rows, ALL_COUNTED)} if ALL_COUNTED in rows else {}),
                **({"same_as": rows["same_as"].iloc[0]} if "same_as" in rows else {}),
            }
            for name, rows in scores.groupby("id", sort=False)
        ]
    )


def _verdict_of_claim(rows: pd.DataFrame, column: str) -> str:
    verdicts = set(rows[column]) - {UNTESTED}
    free = verdicts - {BY_CONSTRUCTION}
    if verdicts != free and (not free or (rows["by_construction"] == "yes").all()):
        return BY_CONSTRUCTION
    return free.pop() if len(free) == 1 else "partly" if free else UNTESTED


def count_claims(scores: pd.DataFrame) -> pd.DataFrame:
    """Numbers of claims by verdict, and what the reproduced ones rest on.

    Claims are counted, not rows, and those that are not testable apart. A claim whose `where` is `OURS` is in a column
    of its own. Where there are several groups of architectures, each has a column, and `MAIN` is the first; over all
    groups a verdict is "partly" if groups differ.

    Returns:
        Rows by the name of what is counted, columns by whose claims they are.
    """
    groups = sorted(set(scores["group"]), key=lambda name: (name != MAIN, name))
    if MAIN not in groups or len(groups) == 1:
        parts = {"claims": scores}
    else:
        parts = {f"group {name}": scores[scores["group"] == name] for name in groups} | {"all groups": scores}
    columns = {}
    for part, rows in parts.items():
        ours = rows["where"] == OURS
        columns[part] = _count(judge_claims(rows[~ours]))
        if ours.any():
            name = "our own claims" if part == "claims" else f"our own claims, {part}"
            columns[name] = _count(judge_claims(rows[ours]))
    table = pd.DataFrame(columns)
    return table[(table.index != TWICE) | table.gt(0).any(axis=1)]


def _count(claims: pd.DataFrame) -> Mapping[str, SupportsInt]:
    verdicts = claims["verdict"].value_counts()
    successes = claims[claims["verdict"] == "reproduced"]
    blind = (successes["tuned"] == "no") & (successes["after_results"] == "no")
    has_help = successes["by_construction"] != "no"
    twice = successes["same_as"].isin(successes["id"]).sum() if "same_as" in successes else 0
    numbers: dict[str, SupportsInt] = {TESTABLE: (claims["verdict"] != UNTESTED).sum(), "reproduced": len(successes)}
    numbers |= {BLIND: blind.sum(), BLIND_ALONE: (blind & ~has_help).sum(), HELPED: has_help.sum(), TWICE: twice}
    return numbers | {verdict: verdicts.get(verdict, 0) for verdict in VERDICTS[1:]}


def count_table(scores: pd.DataFrame) -> str:
    """Numbers of `count_claims` as a Markdown table, and what they would be if a rule left no claim out."""
    numbers = table_as_markdown(count_claims(scores).rename_axis("").reset_index())
    return "\n".join(filter(None, (numbers, _if_all_counted(judge_claims(scores[scores["where"] != OURS])))))


def verdict_table(scorecards: Mapping[str, pd.DataFrame]) -> str:
    """Numbers of the source's claims by verdict as a Markdown table, a row for each reading: of the group `MAIN`."""
    numbers = pd.DataFrame({reading: count_claims(scores).iloc[:, 0] for reading, scores in scorecards.items()})
    table = numbers.loc[list(VERDICTS)].T.rename_axis("reading").reset_index()
    return table_as_markdown(table if any(scorecards) else table.drop(columns="reading"))


def _if_all_counted(claims: pd.DataFrame) -> str:
    """Sentences on the claims that only a rule leaves out, and on counts with them; empty for none."""
    if ALL_COUNTED not in claims:
        return ""
    verdicts = claims[ALL_COUNTED]
    rule = (claims["verdict"] == UNTESTED) & (verdicts != UNTESTED)
    if not rule.any():
        return ""
    totals = verdicts.value_counts()
    return (
        f"Of those not testable {rule.sum()} are left out by a rule that was set when results had been seen: a "
        "network that has not learned, or whose state overflows, counts neither for the paper nor against it. Were all "
        "to count, "
        f"{totals.get('reproduced', 0)} of {(verdicts != UNTESTED).sum()} would be reproduced and "
        f"{totals.get('not reproduced', 0)} not.\n"
    )


def in_words(scores: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """Cells as a reader expects them: labels for ids, notes for flags.

    Args:
        scores: of `learnability.claims.score`.
        labels: names of architectures, by id.

    Returns:
        The rows with the columns `COLUMNS`; without `group` if all rows are of one.
    """
    table = scores.fillna("").astype(str)
    table = table.assign(
        agree=table["agree"].where(table["agree"] != "", "–"),
        measured=[re.sub(r"\w+", lambda word: labels.get(word[0], word[0]), text) for text in table["measured"]],
        notes=["; ".join(_notes(row)) for row in table.to_dict("records")],
    )
    return table[[name for name in COLUMNS if name != "group" or table["group"].nunique() > 1]]


def _notes(row: Mapping[Any, str]) -> list[str]:
    tuned = row["tuned"].split(", ")
    part = f" ({PART})" if PART in tuned else ""
    of_settings = [f"{text}{part}" for setting, text in TUNED.items() if setting in tuned]
    again = ["the same number as in another table of the paper"] if row.get("same_as") else []
    return [*of_settings, *(text for (key, value), text in NOTES.items() if row[key] == value), *again]


def as_markdown(scores: pd.DataFrame, reading: str, notice: str, labels: Mapping[str, str], groups: str = "") -> str:
    """The scorecard in Markdown.

    Args:
        scores: of `learnability.claims.score`, with a column `link`, to what shows a row.
        reading: its name, or nothing.
        notice: of `scale_notice`.
        labels: names of architectures, by id.
        groups: what the groups of architectures are, sentences; nothing if there is one.
    """
    table = in_words(scores, in_markdown_by_id(labels))
    of_reading, of_scale = f"Reading: `{reading}`.\n" if reading else "", f"> {notice}\n" if notice else ""
    lead = [of_reading, of_scale, f"{groups}\n" if groups else "", count_table(scores)]
    lines = [f"# {TITLE}", "", *filter(None, lead), KEY, ""]
    lines += [f"| {' | '.join(COLUMNS[str(name)] for name in table)} |", f"|{' --- |' * len(table.columns)}"]
    for row, link in zip(table.to_dict("records"), scores["link"].fillna(""), strict=True):
        cells = row | {"verdict": f"[{row['verdict']}]({link})" if link else row["verdict"]}
        lines.append(f"| {' | '.join(map(_in_cell, cells.values()))} |")
    return "\n".join(lines) + "\n"


def _in_cell(text: str) -> str:
    """A cell; what the authors of claims write in Markdown stays, but opens no HTML."""
    return in_cell(re.sub(r"(?<!\\)<(?=[A-Za-z/!?])", r"\\<", text))


def as_html(scores: pd.DataFrame, reading: str, notice: str, labels: Mapping[str, str], groups: str = "") -> str:
    """The scorecard as a page that needs nothing from outside; as of `as_markdown`."""

    def to_page(row: Mapping[Any, Any]) -> str:
        return str(row["link"]).replace(".md", ".html")

    of_reading = f"<p>Reading: <code>{escape(reading)}</code>.</p>\n" if reading else ""
    body = (
        f"<main>\n<h1>{escape(TITLE)}</h1>\n{of_reading}{html_notice(notice)}{html_groups(groups)}"
        f"{html_counts(scores)}<p>{escape(KEY)}</p>\n{html_table(scores, reading, to_page, labels)}\n</main>"
    )
    return page(TITLE, body)


def html_counts(scores: pd.DataFrame) -> str:
    """Numbers of `count_table` as HTML, in a box that scrolls where they are wider than the page."""
    return f"{scroller('Numbers of claims')}{markdown(count_table(scores))}</div>\n"


def html_groups(groups: str) -> str:
    """Description of the groups of architectures, as HTML."""
    text = re.sub(r"`(.*?)`", r"<code>\1</code>", escape(groups))
    return f"<p>{text}</p>\n" if groups else ""


def html_notice(notice: str) -> str:
    """A notice of `scale_notice` as HTML."""
    return f'<p class="notice">{escape(notice)}</p>\n' if notice else ""


def html_table(
    scores: pd.DataFrame, reading: str, link: Callable[[Mapping[Any, Any]], str], labels: Mapping[str, str]
) -> str:
    """The rows of a scorecard as a sortable table, the verdict first.

    Args:
        link: where the verdict of a row leads to; empty for nowhere.
        labels: names of architectures, by id.
    """
    # a cell's lines end at "; ", so a name has none
    table = in_words(scores, {architecture: name.replace("; ", ";\u00a0") for architecture, name in labels.items()})
    head = "".join(f'<th scope="col">{escape(COLUMNS[str(name)])}</th>' for name in table)
    rows = zip(scores.fillna("").to_dict("records"), table.to_dict("records"), strict=True)
    body = "\n".join(_html_row(row, words, reading, link(row)) for row, words in rows)
    return (
        f'{scroller(f"Scorecard, reading {reading}" if reading else "Scorecard")}<table class="sortable scorecard">\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div>"
    )


def _html_row(row: Mapping[Any, Any], words: Mapping[Any, str], reading: str, link: str) -> str:
    lines = [map(escape, text.split("; ")) for name, text in words.items() if name != "verdict"]
    cells = [f"<td>{'<br>'.join(parts)}</td>" for parts in lines]
    verdict = escape(words["verdict"])
    kind = verdict.replace(" ", "-")
    verdict_html = (
        f'<a class="{kind}" href="{escape(link)}">{verdict}</a>' if link else f'<span class="{kind}">{verdict}</span>'
    )
    name = escape("-".join(filter(None, (row["id"], row["group"], reading))))
    return f'<tr id="{name}"><td class="verdict">{verdict_html}</td>{"".join(cells)}</tr>'
