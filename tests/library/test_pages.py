"""Pages as text; tests/browser opens them."""

import gzip
import json
import re
from base64 import b64decode
from io import BytesIO

import altair as alt
import numpy as np
import pandas as pd
import pytest
from PIL import Image

from html_tables import Cells
from learnability.core.errors import InputError
from learnability.report.findings import Finding
from learnability.report.pages import packed as packing
from learnability.report.pages.caption import caption_html, caption_title
from learnability.report.pages.index import Shown, index_page
from learnability.report.pages.packed import NEAR, packed, picture
from learnability.report.pages.page import FIRST_ROWS, MOST_ROWS, beginning, download, sortable, table_page
from learnability.report.pages.play import Play, draw_curves, draw_rows, menu, slider
from learnability.report.pages.verdicts import place
from learnability.report.scorecard import BY_CONSTRUCTION, UNTESTED
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
    **{
        "id": "x",
        "group": "main",
        "where": "Fig. 2",
        "claim": "f < g",
        "paper": None,
        "measured": "1; 2",
        "seeds": 1,
        "agree": "1 of 1",
    },
    **{"tuned": "no", "after_results": "no", "by_construction": "no"},
    **{"verdict": "not reproduced", "artefact": "figures/figure_02"},
}


def png(content: bytes) -> bytes:
    """A picture of one colour that the content decides."""
    buffer = BytesIO()
    Image.new("RGB", (40, 30), (content[0], 0, 0)).save(buffer, "PNG")
    return buffer.getvalue()


def unpack(page: str, name: str) -> str:
    (data,) = re.findall(rf'id="packed-{name}">([^<]*)<', page)
    return gzip.decompress(b64decode(data)).decode()


def condition(**changes):
    ends = {"met_low": 0.0, "met_high": 2.0, "near_low": -1.0, "near_high": 4.0}
    numbers = {"median": 1.0, "low": 0.5, "high": 3.0, "status": "met"}
    classes = {"tuned": "no", "after_results": False, "by_construction": False}
    labels = {"id": "x", "group": "main", "measure": "tau_env", "words": "τ_env, steps", "architecture": "a"}
    return pd.DataFrame([labels | numbers | ends | classes | changes])


def index(figures, captions=None, findings=(), plays=None, **changes):
    return index_page(
        title="Windows & more",
        about="What was <done>",
        preset="quick",
        notice="Small & quick.",
        findings=findings,
        scorecards={"paper": pd.DataFrame([SCORE])},
        conditions={"paper": condition(**changes)},
        labels={"a": "A"},
        shown=figures,
        captions=captions or {fig.name: CAPTION for fig in figures},
        configuration="seeds: [0] # <one>",
        trainings=[TRAINING, TRAINING | {"seed": 1, "finished": "2027"}, TRAINING | {"device": "cuda"}],
        plays=plays,
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
    chart = json.loads(unpack(page, "verdicts"))
    (point,) = [row for rows in chart["datasets"].values() for row in rows if row]
    assert point["link"] == "#figure_02" and point["place"] == 0 and point["architecture"] == "A"
    assert {point[name] for name in ("claim", "measured", "predicate", "verdict")} == {
        *("f < g", "τ_env, steps: 1 [0.5, 3]", "from 0 to 2", "not reproduced")
    }
    names = {param["bind"]["name"].strip() for param in chart["params"]}
    assert names >= {"Reading", "Architecture", "Verdict", "Class"}
    without = index([figure("paper")], median=np.nan)
    assert 'id="verdicts"' not in without and 'id="packed-vega"' not in without


def test_a_question_shows_the_picture_that_the_page_holds():
    finding = Finding("Why < ?", "So & so.", "Text.", {"n": {"A": "1"}}, "x.", ("published_code", "figure_02"), [])
    page = index([figure("paper"), figure("published_code")], findings=[finding])
    assert '<img data-like="picture-paper-figure_02" alt="Why &lt; ?">' in page
    assert page.count('id="picture-paper-figure_02"') == 1 and "So &amp; so." in page
    assert page.index("Why &lt; ?") < page.index("Scorecards</h2>")


SHARES = pd.DataFrame(
    {"N": ["2", "∞"] * 2, "name": list("aabb"), "lag": [4] * 4, "share": [0.1, 0.7, -0.2, 0.9], "cost": [1] * 4}
)


def playable(rows: pd.DataFrame = SHARES) -> Play:
    """N by a slider, the name by a menu."""
    choices = [slider("N", "Sequences", ["2", "∞"], "∞"), menu("name", "Name", {"a": "A", "b": "B"})]
    return Play("Move <it>.", draw_curves(rows, alt.X("lag:Q"), alt.Y("share:Q"), choices, "name"))


def test_a_page_opens_with_all_answers_and_counts_of_verdicts():
    """Alone it can catch answers that a reader has to search for, and small runs whose pages give stored ones."""
    finding = Finding("Why < ?", "So & so.", "Text.", {}, "x.", ("paper", "figure_02"), [])
    page = index([figure("paper")], findings=[finding, finding._replace(question="What?", answer="That.")])
    short = page[page.index('<h2 id="all-in-short">') : page.index('<h2 id="all-questions">')]
    assert Cells(short).rows == [
        ["Question", "Answer"],
        ["Why < ?", "So & so."],
        ["What?", "That."],
        ["reading", "reproduced", "partly", "not reproduced", BY_CONSTRUCTION, UNTESTED],
        ["paper", "0", "0", "1", "0", "0"],
    ]
    assert re.findall('href="#(question.*?)"', short) == ["question-1", "question-2"]
    silent = index([figure("paper")], findings=[finding._replace(text="")])
    assert "all-in-short" not in silent and "How sure" not in silent and "Why &lt; ?" in silent


def test_a_question_has_its_chart_to_play_with_under_its_text():
    """The chart's place, its name and its text without scripts, which the test in a browser leaves out."""
    finding = Finding(
        "Why < ?", "So.", "The text.", {}, "x.", ("paper", "figure_02"), [("", "figure_02"), ("", "none")]
    )
    second = finding._replace(question="What?")
    page = index([figure("paper")], findings=[second, finding], plays={1: playable()}, median=np.nan)
    assert page.count('class="chart"') == page.count('id="packed-vega"') == 1
    block = page[page.index("<h3") :].partition('aria-labelledby="question-2"')[2].partition("</section>")[0]
    places = [
        block.index(part) for part in ("data-like", "The text.", "Move &lt;it&gt;.", "<noscript>", "play-question-2")
    ]
    assert places == sorted(places)
    assert 'aria-label="To play with: Why &lt; ?"' in block
    assert 'in the tables of this page: <a href="#figure_02">Figure 2. Window</a>.</p></noscript>' in block
    assert json.loads(unpack(page, "play-question-2"))["usermeta"] == {"words": {"place_of_N": ["2", "∞"]}}


def test_a_page_without_charts_has_no_library_for_them():
    assert 'id="packed-vega"' not in index([figure("paper")], median=np.nan)


def test_a_chart_to_play_with_holds_what_it_draws_and_its_axes_stay():
    """The columns that it needs alone, each value as it is; a scale of all values, whatever is chosen."""
    chart = json.loads(playable().specification)
    (rows,) = chart["datasets"].values()
    assert pd.DataFrame(rows)[["N", "name", "lag", "share"]].equals(SHARES.drop(columns="cost"))
    assert all("cost" not in row for row in rows)
    for layer in chart["layer"]:
        assert layer["encoding"]["y"]["scale"]["domain"] == [-0.2, 0.9]
    assert [param["value"] for param in chart["params"]] == [1, "a"]
    assert playable().specification == playable().specification


def test_a_chart_to_play_with_says_where_nothing_was_measured():
    chart = json.loads(playable(SHARES[:3]).specification)
    (absent,) = [rows for rows in chart["datasets"].values() if len(rows) == 1]
    assert absent == [{"N": "∞", "name": "b"}]
    assert "not measured" not in playable().specification


def test_lines_side_by_side_have_a_dash_and_a_band_each():
    """Columns that no control chooses are drawn at once: they group the medians, the bands and the grey lines."""
    choices = [menu("name", "Name", {"a": "A", "b": "B"})]
    plot = draw_curves(SHARES, alt.X("lag:Q"), alt.Y("share:Q"), choices, "name", dash=alt.StrokeDash("N:N"))
    chart = json.loads(Play("Choose.", plot).specification)
    (rows,) = chart["datasets"].values()
    assert all(set(row) == {"N", "name", "lag", "share"} for row in rows)
    grey_layer, band, choice_layer = chart["layer"]
    assert grey_layer["encoding"]["strokeDash"]["field"] == choice_layer["encoding"]["strokeDash"]["field"] == "N"
    assert band["encoding"]["detail"] == [{"field": "N", "type": "nominal"}]
    assert band["transform"][1]["groupby"] == ["lag", "N"]
    (alone,) = json.loads(playable().specification)["layer"][1]["transform"][2:3]
    assert alone["groupby"] == ["lag"]


def test_controls_are_of_what_there_is():
    with pytest.raises(InputError, match=r"start of the slider 'N'.*one of \[2, 4\].*Got 3"):
        slider("N", "N", [2, 4], 3)
    with pytest.raises(InputError, match="'values of the menu 'name'' must be at least one"):
        menu("name", "Name", {})
    with pytest.raises(InputError, match=r"'others' must be one of \['N'\]. Got 'lag'"):
        draw_curves(SHARES, alt.X("lag:Q"), alt.Y("share:Q"), [slider("N", "N", ["2", "∞"], "2")], "lag")


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
    figures = [figure("paper"), figure("published_code"), figure("gradient_step", content=b"y")]
    page = index([*figures, figure("paper", "slow", b"z")])
    assert page.count("<img id") == 3
    assert page.count("<p><strong>Figure 2.</strong>") == 1
    for label in ("paper; published code", "gradient step", "paper, slow"):
        assert f'alt="Figure 2. Window: {label}" width="40" height="30"' in page
    assert "<details><summary>Variant: slow</summary>" in page


def test_a_verdict_leads_to_its_figure_where_there_is_one():
    with_figure, elsewhere = index([figure("paper")]), index([figure("paper", name="figure_03")])
    assert '<a class="not-reproduced" href="#figure_02">' in with_figure
    assert '<span class="not-reproduced">' in elsewhere and 'href="#figure_02"' not in elsewhere


def test_trainings_are_told_by_where_they_ran():
    page = index([figure("paper")])
    assert '<th scope="row">device</th><td>cpu</td><td>cuda</td>' in page
    assert '<th scope="row">networks</th><td>2</td><td>1</td>' in page
    assert '<th scope="row">last</th><td>2027</td><td>2026</td>' in page


def test_text_is_escaped():
    page = index([figure("paper")])
    assert "Windows &amp; more" in page and "What was &lt;done&gt;, preset <code>quick</code>" in page
    assert "Small &amp; quick." in page and "seeds: [0] # &lt;one&gt;" in page and "f &lt; g" in page


def test_a_study_without_claims_networks_or_questions_has_a_page_of_what_it_has():
    page = index_page(
        *("Title", "About", "full", "", [], {}, {}, {}),
        shown=[Shown("Figures", "figure_02", "", "", png(b"x"))],
        captions={"figure_02": CAPTION},
        configuration="seeds: [0]",
        trainings=[],
    )
    assert re.findall('<h2 id="all-(.*?)"', page) == ["figures", "configuration"]
    assert re.findall('href="#all-(.*?)"', page) == ["figures", "configuration"]


def test_vega_is_bundled_once_and_again_where_nothing_can_be_kept(monkeypatch, tmp_path):
    bundles = []
    monkeypatch.setattr(packing.vl_convert, "javascript_bundle", lambda: bundles.append(1) or "script ∞")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    once = packing.vega.__wrapped__()
    assert packing.vega.__wrapped__() == once == packed("vega", "script ∞")
    assert len(bundles) == 1
    monkeypatch.setenv("XDG_CACHE_HOME", __file__)
    assert packing.vega.__wrapped__() == once
    assert len(bundles) == 2


def test_what_is_packed_is_unpacked():
    assert unpack(packed("x", "</script> ∞"), "x") == "</script> ∞"


@pytest.mark.parametrize(("levels", "colours"), [(2, 2), (16, 16), (200, 64)])
def test_a_picture_looks_like_its_figure_in_as_few_colours_as_that_takes(levels, colours):
    shades = np.kron(np.linspace(0, 255, levels).astype(np.uint8)[:, None], np.ones((4, 32), np.uint8))
    buffer = BytesIO()
    Image.fromarray(shades).save(buffer, "PNG")
    source, width, height = picture(buffer.getvalue())
    assert (width, height) == (32, 4 * levels)
    image = Image.open(BytesIO(b64decode(source.partition("base64,")[2]))).convert("L")
    assert np.abs(np.asarray(image).astype(float) - shades).max() <= NEAR
    assert len(np.unique(np.asarray(image))) <= colours < 256


def test_numbers_in_a_column_are_what_it_sorts_by():
    table = pd.DataFrame({"plain": [2.0, 10.0], "told": ["2 of 3", "inf"], "gap": [1.0, np.nan], "text": ["2", "b"]})
    html = sortable("x", as_markdown(table))
    assert re.findall("<th( .*?)?>", html) == [' class="number"'] * 3 + [""]
    orders = re.findall(r"<td(?: data-order=\"(.*?)\")?>", html)
    assert orders == ["", "2.0", "1.0", "", "", str(np.finfo(float).max), "", ""]


def test_a_table_keeps_its_notes_and_sorts():
    table = pd.DataFrame({"N": [10, 20], "a|b": ["<i>", "y"]})
    html = sortable("Windows", as_markdown(table[["N"]], ["A note."]))
    assert "<li>A note.</li>" in html
    assert 'aria-label="Windows"><table class="sortable">' in html
    assert "<td>20</tr>" in html
    assert "&lt;i&gt;" in sortable("x", as_markdown(table[["N"]].assign(x=table["a|b"])))


@pytest.mark.parametrize("rows", [1, MOST_ROWS, MOST_ROWS + 1])
def test_the_index_has_the_first_rows_of_a_long_table_and_a_link_to_all(rows):
    table = as_markdown(pd.DataFrame({"N": range(rows)}), ["A note."])
    text, count = beginning(table)
    assert count == rows
    assert text == (table if rows <= MOST_ROWS else table[: table.index(f"| {FIRST_ROWS} |")])
    page = index([Shown("Tables", "windows", "paper", "", table, "paper/tables/windows.csv")])
    assert '<a href="paper/tables/windows.csv" download>' in page
    assert ("rows, of which the first" in page) == (rows > MOST_ROWS)
    assert "all" not in download("a.csv", MOST_ROWS)


def test_paper_has_questions_and_scorecards_alone():
    page = index([figure("paper")])
    assert '<div>\n<h2 id="all-scorecards">' in page and '<div class="on-screen">\n<h2 id="all-figures">' in page


def test_rows_to_play_with_are_in_order_or_sorted_by_what_they_show():
    """A colour for each name, in the order of the table; sorted by the mean of what is drawn."""
    choices = [menu("N", "Sequences", {"2": "2", "∞": "∞"})]
    for is_sorted, order in ((False, ["a", "b"]), (True, {"field": "share", "op": "mean", "order": "descending"})):
        rows = draw_rows(SHARES, alt.X("share:Q"), "name", choices, {"a": "#111111", "b": "#222222"}, is_sorted)
        chart = json.loads(Play("Move.", rows).specification)
        for layer in chart["layer"][:3]:
            assert layer["encoding"]["y"]["sort"] == order
            assert layer["encoding"]["color"]["scale"]["range"] == ["#111111", "#222222"]
        (records,) = chart["datasets"].values()
        assert all(set(row) == {"N", "name", "share"} for row in records)


def test_a_page_may_load_nothing():
    page = table_page("**Windows.** Of N.", "paper", as_markdown(pd.DataFrame({"N": [1]})), "windows.csv")
    assert "default-src 'none'" in page
    assert '<a href="windows.csv" download>windows.csv</a>' in page
    assert page.count("<h1>") == 1 and "Reading: <code>paper</code>" in page


def test_a_study_without_readings_has_one_scorecard_and_no_menu_of_readings():
    page = index_page(
        *("Title", "About", "full", "", []),
        scorecards={"": pd.DataFrame([SCORE | {"artefact": None}])},
        conditions={"": condition(architecture="theory")},
        labels={"a": "A"},
        shown=[figure("")],
        captions={"figure_02": CAPTION},
        configuration="",
        trainings=[],
    )
    chart = json.loads(unpack(page, "verdicts"))
    (point,) = [row for rows in chart["datasets"].values() for row in rows if row]
    assert point["architecture"] == "theory" and point["link"] == ""
    assert "Reading" not in {param["bind"]["name"].strip() for param in chart["params"] if "bind" in param}
    assert page.count('<table class="sortable scorecard">') == 1
    assert "Reading <code>" not in page and 'href="#scorecard-' not in page
    assert '<tr id="x-main">' in page
