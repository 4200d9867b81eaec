"""The scorecard: one verdict for each claim, their counts, and its page."""

from html import unescape
from pathlib import Path

import pandas as pd
import pytest

from evidence import CLAIMS, GROUPS, PAPER, agreeing, world
from html_tables import Cells
from learnability.claims import SETTINGS, in_phrases, judge_conditions, read_claims, score
from learnability.report.scorecard import (
    BLIND,
    BLIND_ALONE,
    BY_CONSTRUCTION,
    HELPED,
    TESTABLE,
    TUNED,
    UNTESTED,
    artefact_link,
    as_html,
    as_markdown,
    count_claims,
    in_words,
    judge_claims,
    scale_notice,
)
from studies.learnability_window.groups import explain_groups
from studies.learnability_window.measures import MEASURES

ROOT = Path(__file__).parents[3]


def card(**rows: list[str]) -> pd.DataFrame:
    """A scorecard from verdicts by claim; claims named after a class are of it."""
    return pd.DataFrame(
        [
            {
                "id": name,
                "group": "main",
                "where": "Ours" if name == "own" else "Fig. 1",
                "tuned": "gate" if name == "tuned" else "no",
                "after_results": "in part" if name == "late" else "no",
                "by_construction": "yes" if name.startswith("built") else "no",
                "verdict": verdict,
            }
            for name, verdicts in rows.items()
            for verdict in verdicts
        ]
    )


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        (["reproduced", "reproduced"], "reproduced"),
        (["reproduced", "not testable"], "reproduced"),
        (["reproduced", "not reproduced"], "partly"),
        (["partly", "not reproduced"], "partly"),
        (["not reproduced", "not reproduced"], "not reproduced"),
        (["not testable", "not testable"], "not testable"),
    ],
)
def test_rows_of_groups_make_one_verdict(verdicts: list[str], expected: str) -> None:
    assert judge_claims(card(x=verdicts))["verdict"].tolist() == [expected]
    by_construction = {"reproduced": "true by construction", "partly": "true by construction"}
    classes = [by_construction.get(verdict, verdict) for verdict in verdicts]
    assert judge_claims(card(built=classes))["verdict"].tolist() == [by_construction.get(expected, expected)]
    beside = pd.concat([card(x=verdicts), card(built=["true by construction"]).assign(id="x", group="slow")])
    outcome = "true by construction" if expected == "not testable" else expected
    assert judge_claims(beside)["verdict"].tolist() == [outcome]


def test_claims_are_counted_and_not_rows() -> None:
    scores = card(
        x=["reproduced", "reproduced"],
        tuned=["reproduced"],
        late=["reproduced"],
        y=["reproduced", "not reproduced"],
        built=["true by construction", "true by construction"],
        built_wrong=["not reproduced"],
        z=["not testable"],
        own=["partly"],
    )
    rows = count_claims(scores).to_dict()
    verdicts = {"reproduced": 3, "partly": 1, "not reproduced": 1, UNTESTED: 1, BY_CONSTRUCTION: 1}
    assert rows["claims"] == {TESTABLE: 6, BLIND: 1, BLIND_ALONE: 1, HELPED: 0} | verdicts
    assert {name: count for name, count in rows["our own claims"].items() if count} == {TESTABLE: 1, "partly": 1}


def test_reproduced_claims_that_hold_in_part_by_construction_are_counted() -> None:
    scores = card(x=["reproduced"], late=["reproduced"], y=["reproduced"])
    scores.loc[scores["id"].isin(["x", "late"]), "by_construction"] = "in part"
    numbers = count_claims(scores)["claims"]
    assert numbers[[TESTABLE, BLIND, BLIND_ALONE, HELPED]].tolist() == [3, 2, 1, 2]
    assert count_claims(scores[scores["id"] != "y"])["claims"][BLIND_ALONE] == 0


def test_what_cannot_be_tested_does_not_dilute_the_count() -> None:
    claims = card(x=["reproduced"], y=["partly"])
    with_untestable = pd.concat([claims, card(**{f"z{place}": ["not testable"] for place in range(20)})])
    before, after = count_claims(claims)["claims"], count_claims(with_untestable)["claims"]
    assert (before[TESTABLE], after[UNTESTED]) == (2, 20) and after.drop(UNTESTED).equals(before.drop(UNTESTED))


def test_each_group_is_counted_beside_all_groups() -> None:
    """x holds in the main group alone, y in the other alone, z in neither."""
    main = card(x=["reproduced"], y=["not reproduced"], z=["not reproduced"])
    slow = card(x=["not reproduced"], y=["reproduced"], z=["not reproduced"]).assign(group="slow")
    numbers = count_claims(pd.concat([slow, main])).loc[["reproduced", "partly", "not reproduced"]]
    assert numbers.to_dict("list") == {"group main": [1, 0, 2], "group slow": [1, 0, 2], "all groups": [0, 2, 1]}
    cards = pd.concat([main, slow]).assign(where="Fig. 1", claim="c", paper="", measured="", seeds=1, agree="", link="")
    for page in (as_html(cards, "r", "", {}), as_markdown(cards, "r", "", {})):
        rows = Cells(page).rows if page.startswith("<") else [line.split(" | ") for line in page.splitlines()]
        assert [cell.strip("| ") for cell in next(row for row in rows if "reproduced" in row[0])][1:] == ["1", "1", "0"]


def test_groups_are_explained_by_their_networks_and_starts() -> None:
    """Groups are three: one has the networks of another, and one has no runs."""
    architectures = {"a": {"gate_value": 0.7}, "b": {"gate_init": 0.5}, "c": {"cell": "rnn"}, "d": {"gate_init": 0.01}}
    roles = ("const_gate", "shared_gate", "diag_gate")
    groups = {
        name: dict(zip(roles, members, strict=True))
        for name, members in {"main": "abc", "five": "abc", "slow": "ddd", "other": "abd"}.items()
    }
    text = explain_groups(groups, architectures, {"a": "A", "d": "D, slow"}, "abcd")
    assert " Group main is A (0.7), b (0.5) and c. Group slow is D, slow (0.01). Group other is A (0.7), " in text
    assert "five" not in text
    assert explain_groups(groups, architectures, {}, "abc") == ""
    rows = pd.concat([card(x=["partly"]), card(x=["partly"]).assign(group="slow")])
    rows = rows.assign(claim="c", paper="", measured="", seeds=1, agree="", link="")
    assert as_markdown(rows, "r", "", {}, text).index(text) < as_markdown(rows, "r", "", {}, text).index(
        "| group main |"
    )
    assert "<code>architecture_groups</code>" in as_html(rows, "r", "", {}, text)
    assert "architecture_groups" not in as_html(rows, "r", "", {}) + as_markdown(rows, "r", "", {})


def test_what_nothing_shows_has_a_verdict_without_a_link() -> None:
    scores = score(CLAIMS[:1], judge_conditions(CLAIMS[:1], world(agreeing), GROUPS, MEASURES))
    link = artefact_link(scores.iloc[0].to_dict() | {"artefact": ""}, {"main": ""}, [])
    html, markdown = (write(scores.assign(link=link), "", "", {}) for write in (as_html, as_markdown))
    assert link == "" and "| reproduced | " in markdown and '<span class="reproduced">' in html
    assert "Reading" not in html + markdown


@pytest.mark.parametrize(
    ("tuned", "note"),
    [("no", ""), ("gate", "tuned: the gate"), ("gate, in part", "tuned: the gate (in part)")],
)
def test_a_row_says_what_was_tuned(tuned: str, note: str) -> None:
    scores = score(CLAIMS[:1], judge_conditions(CLAIMS[:1], world(agreeing), GROUPS, MEASURES))
    row = scores.assign(tuned=tuned, after_results="no", by_construction="no")
    assert in_words(row, {})["notes"].tolist() == [note]


def test_each_setting_that_may_be_tuned_has_a_note() -> None:
    assert set(TUNED) == set(SETTINGS)


def test_the_scorecard_states_counts_scale_and_links() -> None:
    scores = score(CLAIMS, judge_conditions(CLAIMS, world(agreeing), GROUPS, MEASURES))
    scores["link"] = [artefact_link(row, {"main": ""}, {"conditioning"}) for row in scores.to_dict("records")]
    ours = PAPER["paper_scale"] | {"epochs": 40}
    notice = scale_notice(PAPER, ours)
    assert "epochs 40 (paper: 500)" in notice
    assert "values are not expected to agree: " in notice
    assert "so values are few: epochs 40" in scale_notice(PAPER | {"off_scale": "values are few"}, ours)
    assert scale_notice(PAPER, PAPER["paper_scale"]) == ""
    html, markdown = (write(scores, "paper", notice, {"one": "One cell"}) for write in (as_html, as_markdown))
    assert '"tables/table_1.html"' in html and '"../tables/conditioning.html"' in html
    assert "tables/table_1.md" in markdown
    count_of_ours = sum(claim["where"] == "Ours" for claim in CLAIMS)
    assert f"| {TESTABLE} | {len(CLAIMS) - count_of_ours} | {count_of_ours} |" in markdown
    for page in (html, markdown):
        assert TESTABLE in page and "holds by construction" in page
        assert notice in unescape(page)
        assert "figures/figure_02.png" in page


def test_numbers_are_shown_in_words_with_units() -> None:
    """Shares are in per cent, words that conditions share stand once, and what has no number says why."""
    conditions = pd.DataFrame(
        {
            "words": ["recall, %", "recall, %", "window, steps", "window, steps", ""],
            "architecture": ["gru", "lstm", "gru", "lstm", "rnn"],
            "named": [True, True, True, True, False],
            "median": [0.5, 0.25, float("nan"), float("nan"), 2.0],
            "low": [0.5, 0.2, float("nan"), float("nan"), 2.0],
            "high": [0.5, 0.3, float("nan"), float("nan"), 2.0],
            "seeds": [1, 2, 0, 0, 1],
            "note": ["", "a; b", "no run", "no run", float("nan")],
            "status": ["met", "near", "unmeasured", "unmeasured", "unmeasured"],
        }
    )
    assert in_phrases(conditions.to_dict("records")) == (
        "recall: gru 50 %, met; lstm 25 % [20, 30] (a, b), near; "
        "window, steps: gru, lstm not measured (no run); 2, too few seeds"
    )


def test_every_condition_of_a_paper_has_words() -> None:
    files = [*(ROOT / "config").rglob("*claims.yaml"), *(ROOT / "src" / "studies" / "gated").glob("*/claims.yaml")]
    claims = [claim for file in files for claim in read_claims(str(file))["claims"]]
    conditions = [condition for claim in claims for condition in claim["conditions"]]
    assert len(conditions) > 400 and all("words" in condition for condition in conditions)
