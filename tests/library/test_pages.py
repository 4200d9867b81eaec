"""Pages as text; tests/browser opens them."""

import json
import re
import struct

import numpy as np
import pandas as pd
import pytest

from learnability.core.errors import InputError
from learnability.report.findings import Finding
from learnability.report.pages.caption import caption_html, caption_title
from learnability.report.pages.index import Shown, index_page
from learnability.report.pages.page import sortable, table_page
from learnability.report.pages.verdicts import place
from learnability.report.typeset import as_markdown

CAPTION = "**Figure 2.** Window (H) *against* N < 10."
TRAINING = {
    "architecture": "a",
    "seed": 0,
    "host": "here",
    "device": "cpu",
    "finished": "2026",
    "versions": {"torch": "2"},
}
SCORE = {
    **{"id": "x", "group": "main", "where": "Fig. 2", "claim": "f < g", "paper": None, "measured": "1; 2", "seeds": 1},
    **{"tuned": "no", "after_results": "no", "by_construction": "no"},
    **{"verdict": "not reproduced", "artefact": "figures/figure_02"},
}


def png(content: bytes) -> bytes:
    """As much of a PNG as its size takes."""
    return b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 40, 30) + content


def condition(**changes):
    ends = {"met_low": 0.0, "met_high": 2.0, "near_low": -1.0, "near_high": 4.0}
    numbers = {"median": 1.0, "low": 0.5, "high": 3.0, "status": "met"}
    classes = {"tuned": "no", "after_results": False, "by_construction": False}
    named = {"id": "x", "group": "main", "measure": "tau_env", "architecture": "a"}
    return pd.DataFrame([named | numbers | ends | classes | changes])


def index(shown, captions=None, findings=(), **changes):
    return index_page(
        preset="quick",
        notice="Small & quick.",
        findings=findings,
        scorecards={"paper": pd.DataFrame([SCORE])},
        conditions={"paper": condition(**changes)},
        labels={"a": "A"},
        shown=shown,
        captions=captions or {each.name: CAPTION for each in shown},
        configuration="seeds: [0] # <one>",
        trainings=[TRAINING, TRAINING | {"seed": 1, "finished": "2027"}, TRAINING | {"device": "cuda"}],
    )


def figure(reading, variant="", content=b"x", name="figure_02"):
    return Shown("Figures", name, reading, variant, png(content))


@pytest.mark.parametrize(
    ("value", "ends", "expected"),
    [
        (1.0, (0, 2, -1, 4), 0.0),
        (2.0, (0, 2, -1, 4), 1.0),
        (0.0, (0, 2, -1, 4), -1.0),
        (3.0, (0, 2, -1, 4), 1.5),
        (-0.5, (0, 2, -1, 4), -1.5),
        (5.0, (0, 2, -1, 4), 2.2),
        (-np.inf, (0, 2, -1, 4), -3.0),
        (5.0, (5, 5, 4, 6), 0.0),
        (4.5, (5, 5, 4, 6), -1.5),
        (10.0, (10, np.inf, 5, np.inf), -1.0),
        (20.0, (10, np.inf, 5, np.inf), 0.0),
        (np.inf, (10, np.inf, 5, np.inf), 1.0),
        (7.5, (10, np.inf, 5, np.inf), -1.5),
    ],
)
def test_a_value_lies_where_it_lies_among_the_intervals(value, ends, expected):
    row = dict(zip(("met_low", "met_high", "near_low", "near_high"), map(float, ends), strict=True))
    assert place(value, row) == pytest.approx(expected)


def test_the_place_agrees_with_the_status_and_rises_with_the_value():
    row = {"met_low": 0.5, "met_high": 2.0, "near_low": 0.1, "near_high": np.inf}
    values = np.r_[-np.inf, np.linspace(-3, 9, 200), np.inf]
    places = [place(value, row) for value in values]
    assert (np.diff(places) >= 0).all()
    for value, at in zip(values, places, strict=True):
        status = "met" if 0.5 <= value <= 2 else "near" if value >= 0.1 else "missed"
        assert {"met": abs(at) <= 1, "near": 1 <= abs(at) <= 2, "missed": 2 <= abs(at) <= 3}[status]


def test_verdicts_are_drawn_from_what_has_a_number():
    page = index([figure("paper")])
    (spec,) = re.findall(r'vegaEmbed\("#verdicts", (.*), \{"actions"', page)
    (point,) = [row for rows in json.loads(spec)["datasets"].values() for row in rows if row]
    assert point["link"] == "#figure_02" and point["place"] == 0 and point["architecture"] == "A"
    assert "#verdicts" not in index([figure("paper")], median=np.nan).partition("<main")[2].partition("<h3")[0]


def test_a_question_shows_the_picture_that_the_page_holds():
    finding = Finding("Why < ?", "So & so.", "Text.", {"n": {"A": "1"}}, "x.", ("published_code", "figure_02"), [])
    page = index([figure("paper"), figure("published_code")], findings=[finding])
    assert '<img data-like="picture-paper-figure_02" alt="Why &lt; ?">' in page
    assert page.count('id="picture-paper-figure_02"') == 1 and "So &amp; so." in page
    assert page.index("Why &lt; ?") < page.index("Scorecards</h2>")


@pytest.mark.parametrize(
    ("caption", "title"),
    [
        (CAPTION, "Figure 2. Window"),
        ("**Appendix F.** Lemma 5.1, that rates do not rise.", "Appendix F. Lemma 5.1"),
        ("**Appendix E.** (a) Mutual information", "Appendix E"),
        ("**Null control.** Share of data sets", "Null control"),
        ("**Pieces** of the need", "Pieces"),
    ],
)
def test_a_caption_begins_with_its_title(caption, title):
    assert caption_title(caption) == title


def test_a_caption_is_restructured_text_and_nothing_else():
    assert caption_html(CAPTION).strip() == ("<p><strong>Figure 2.</strong> Window (H) <em>against</em> N &lt; 10.</p>")
    for wrong in ("**Figure 2. Window", "**A.** x\n\n.. include:: setup.cfg", "**A.** x\n\n.. raw:: html\n\n   <hr>"):
        with pytest.raises(InputError, match="must be reStructuredText"):
            caption_html(wrong)
    with pytest.raises(InputError, match="begin with a title"):
        caption_title("Window")


def test_readings_of_a_figure_stand_side_by_side_and_what_they_share_is_there_once():
    shown = [figure("paper"), figure("published_code"), figure("gradient_step", content=b"y")]
    page = index([*shown, figure("paper", "slow", b"z")])
    assert page.count("<img id") == 3
    assert page.count("<p><strong>Figure 2.</strong>") == 1
    for alt in ("paper; published code", "gradient step", "paper, slow"):
        assert f'alt="Figure 2. Window: {alt}" width="40" height="30"' in page
    assert "<details><summary>Variant: slow</summary>" in page


def test_a_verdict_leads_to_its_figure_where_there_is_one():
    there, elsewhere = index([figure("paper")]), index([figure("paper", name="figure_03")])
    assert '<a class="not-reproduced" href="#figure_02">' in there
    assert '<span class="not-reproduced">' in elsewhere and 'href="#figure_02"' not in elsewhere


def test_trainings_are_told_by_where_they_ran():
    page = index([figure("paper")])
    assert '<th scope="row">device</th><td>cpu</td><td>cuda</td>' in page
    assert '<th scope="row">networks</th><td>2</td><td>1</td>' in page
    assert '<th scope="row">last</th><td>2027</td><td>2026</td>' in page


def test_text_is_escaped():
    page = index([figure("paper")])
    assert "Small &amp; quick." in page and "seeds: [0] # &lt;one&gt;" in page and "f &lt; g" in page


def test_a_table_keeps_its_notes_and_sorts():
    table = pd.DataFrame({"N": [10, 20], "a|b": ["<i>", "y"]})
    html = sortable("Windows", as_markdown(table[["N"]], ["A note."]))
    assert "<li>A note.</li>" in html
    assert 'aria-label="Windows"><table class="sortable">' in html
    assert "<td>20</td>" in html
    assert "&lt;i&gt;" in sortable("x", as_markdown(table[["N"]].assign(x=table["a|b"])))


def test_a_page_may_load_nothing():
    page = table_page("**Windows.** Of N.", "paper", as_markdown(pd.DataFrame({"N": [1]})))
    assert "default-src 'none'" in page
    assert page.count("<h1>") == 1 and "Reading: <code>paper</code>" in page
