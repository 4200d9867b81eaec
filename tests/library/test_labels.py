"""Names that mean something to a format are shown as they are in it, and break nothing."""

import csv
import json
import re
from io import StringIO

import pandas as pd
import pytest
from markdown_it import MarkdownIt
from matplotlib.figure import Figure

from html_tables import Cells
from learnability.core.store import write_table
from learnability.report.findings import Finding, as_markdown, as_records, from_records
from learnability.report.pages.page import markdown_line, sortable
from learnability.report.scorecard import as_html as scorecard_html
from learnability.report.scorecard import as_markdown as scorecard
from learnability.report.style import Style, write_figure
from learnability.report.typeset import as_latex, in_figure, in_markdown, in_markdown_by_id
from learnability.report.typeset import as_markdown as table_as_markdown

LABELS = [
    *("GRU | slow", r"a\|b", "|", r"LSTM \ ", "<b>bold</b>", "<script>alert(1)</script>", "x*y*z", "`code`", "~~old~~"),
    *(
        "[link](http://example.org)",
        "R&D &amp; co",
        r"$\frac{1$",
        "$5 and $6",
        "50 %",
        "#1",
        'say "so", twice',
        "ρ = 0",
    ),
]
SCORES = {"id": "a", "where": "Sec. 1", "group": "main", "paper": "1", "agree": "", "verdict": "reproduced"}
FLAGS = dict.fromkeys(("tuned", "after_results", "by_construction"), "no")


def rows_of(text):
    """Render by another reader of Markdown than the pages', one that lets HTML through, as GitHub does."""
    return [row for row in Cells(MarkdownIt("gfm-like", {"html": True, "linkify": False}).render(text)).rows if row]


@pytest.mark.parametrize("label", LABELS)
def test_a_table_shows_a_label_as_it_is(label, tmp_path):
    label = label.strip()
    table = pd.DataFrame({"architecture": [label, "other"], f"α̂, {label}": [1.5, 2.5], "n": [3, 4]})
    text = table_as_markdown(table)
    for rows in (rows_of(text), Cells(sortable("", text)).rows):
        assert rows == [["architecture", f"α̂, {label}", "n"], [label, "1.5", "3"], ["other", "2.5", "4"]]
    write_table(table, tmp_path / "table.csv")
    rows = list(csv.reader(StringIO((tmp_path / "table.csv").read_text())))
    assert rows == [list(table), [label, "1.5", "3"], ["other", "2.5", "4"]]
    body = [line for line in as_latex(table).splitlines() if line.endswith(r"\\")]
    assert [line.replace(r"\&", "").count("&") for line in body] == [2, 2, 2]


@pytest.mark.parametrize("label", LABELS)
def test_findings_show_a_label_as_it_is(label):
    label = label.strip()
    names = in_markdown_by_id({"a": label, "b": "other"})
    rows = {"of which": pd.Series({names["a"]: "1", names["b"]: "2"})}
    finding = Finding("Which?", f"It is {names['a']}.", f"That of {names['a']}, here.", rows, "the seed.", ("", "f"))
    _, (read,) = from_records(json.loads(json.dumps(as_records("", [finding]))))
    text = as_markdown("", [read], names.values(), {"f": ""})
    (_, short), *numbers = rows_of(text)[:2], *rows_of(text)[2:]
    assert short == ["1. Which?", f"It is {label}."] and numbers == [["", label, "other"], ["of which", "1", "2"]]
    lines = Cells(f"<table><tr><td>{markdown_line(read.answer)}</td></tr></table>").rows
    assert lines == [[f"It is {label}."]]
    paragraphs = MarkdownIt("gfm-like", {"html": True, "linkify": False}).render(text)
    assert f"<p>That of {markdown_line(names['a'])}, here.</p>" in paragraphs


def test_every_finding_of_a_page_has_its_numbers():
    """Labels may be an iterator, which a script gives."""
    finding = Finding("Which?", "It.", "That.", {"of which": pd.Series({"a": "1", "b": "2"})}, "the seed.", ("", "f"))
    text = as_markdown("", [finding, finding], iter(["a", "b"]), {"f": ""})
    assert text.count("|  | a | b |") == text.count("| of which | 1 | 2 |") == 2


@pytest.mark.parametrize("label", LABELS)
def test_a_scorecard_shows_a_label_as_it_is(label):
    label = label.strip()
    row = SCORES | FLAGS | {"claim": "|x| is small", "measured": "share of gru 0.98", "link": "tables/x.md"}
    scores = pd.DataFrame([row])
    for page in (scorecard(scores, "", "", {"gru": label}), scorecard_html(scores, "", "", {"gru": label})):
        rows = rows_of(page) if page.startswith("#") else Cells(page).rows
        rows[-1][4] = rows[-1][4].replace("\u00a0", " ")  # where a line must not end
        assert rows[-1] == ["reproduced", "Sec. 1", "|x| is small", "1", f"share of {label} 0.98", "–", ""]


def test_a_figure_shows_labels_as_they_are(tmp_path):
    names = dict(zip(map(str, range(len(LABELS))), LABELS, strict=True))
    style = Style(list(names), dict.fromkeys(names, "#123456"), names, 80, 8)
    figure = Figure(figsize=(4, 4))
    ax = figure.subplots()
    for name in names:
        ax.plot([1, 2], **style.line(name))
    legend = ax.legend()
    ax.set_title(f"{style.labels['11']}, $\\ell$ = 3")
    write_figure(figure, tmp_path / "figure.pdf", tmp_path / "figure.png")
    texts = [text._preprocess_math(text.get_text()) for text in legend.get_texts()]
    assert texts == [(label, False) for label in LABELS]


@pytest.mark.parametrize("label", LABELS)
def test_no_dollar_of_a_label_opens_mathematics(label):
    """Forges set as mathematics what stands between two dollars without a backslash."""
    cells = table_as_markdown(pd.DataFrame({label: [label]}))
    assert len(re.findall(r"(?<!\\)(?:\\\\)*\\\$", cells)) == cells.count("$") == 2 * label.count("$")


def test_escaping_twice_is_escaping_once_and_plain_names_stay():
    assert all(in_figure(in_figure(label)) == in_figure(label) for label in LABELS)
    assert in_markdown("ConstGate, 0.05 τ_env (f = 1) + i - j") == "ConstGate, 0.05 τ_env (f = 1) + i - j"
