"""Parts of the scorecard: statements of the notes, and the numbers that exhibits have for them.

In `claims.yaml` of a question `where` and `claim` are the notes'. They print no numbers, so that each claim says in
brackets by what it is judged. A condition takes a statement of the exhibit, `at`. It is met if at least four fifths of
the seeds lie in `met`, and nearly met if as many lie in `met` or `near`; if fewer but more than half do, seeds are
split, which counts as partly. Rules for the tolerances: "comparable" and "the same" within 10 %, nearly within 25 %;
"more" and "less" by a factor of 1.1, nearly any, and of a share by 5 points, nearly any; an identity holds to 1e-9,
nearly to 1e-6.

`after_results` names measures whose intervals were written when their results had been seen, and `by_construction` is
of claims that hold, or fail, whatever is drawn or trained; where they are left out they are empty. No claim is `tuned`,
since the notes have no numbers that a setting could be chosen by.

A sentence of the notes that says that something can be or may be is a `possibility: true`: it is judged by the best
seed of the best condition, for one network in which it occurs shows it. Sentences without a predicate are no claims, as
"for the moment we ignore" (Sec. 4.2): what is ignored is measured as a question of ours. Claims `where: Ours` are
counted apart.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from learnability.claims import Evidence, Found, Measures, judge_conditions, read_claims, score
from learnability.report.findings import Finding
from learnability.report.sensitive import sensitivity_sentences, with_judgement
from studies.questions import find_questions
from studies.told import find

INTRODUCTION = """
    The lecture notes *Gated Recurrent Models* (D. Bacciu, University of Pisa) say what gates, layers and random
    reservoirs do for memory, without measurements. Here each of their statements is computed: what holds, how far, and
    where it does not. In the stored results nineteen questions are put to small recurrent networks and to
    reservoirs, by two or three seeds and on synthetic tasks. The networks have 370 to about 31,000 parameters, the
    reservoirs 4 to 300 units.

    *Tasks.* A delayed sum is a weighted sum of inputs some steps before, which a network predicts at each step. In
    denoise symbols come at random places among blanks, and are recalled in order behind a marker. NARMA-10 is a
    nonlinear function of the last ten inputs. A learned share is the response at a lag over the task's coefficient: 1
    is learned, 0 is not.

    *Networks.* The identity RNN adds each input to its state; the forget-gate RNN also has a forget gate. A memory is
    an LSTM without gates; i and f are its input and forget gates. A reservoir has random weights that are not trained;
    a linear readout is fitted to its states. Its spectral radius is the largest modulus of an eigenvalue of its
    recurrent weights. Further words are in the [glossary](../../../docs/glossary.md).

    *How sure.* Numbers are medians over seeds where a sentence gives no range and names no seed. A verdict says whether
    a statement of the notes holds, and the scorecard has all of them. Settings are varied in small runs with one seed,
    a list as a whole. Verdicts there can differ from the verdicts of this page, and another
    seed can change a verdict, too. Each question has a table of these runs, `sensitivity_gates` for the gates, with the
    numbers behind its verdicts by name.
"""
SEARCHED_AT = "in small runs of one seed"
"""Place of searches, in words."""


def how_sure(
    finding: Finding, variations: pd.DataFrame | None = None, notes: Mapping[str, Any] | None = None
) -> Finding:
    """The finding with the settings that change its claims most, and those that were named without a search.

    Args:
        variations: of `learnability.core.variation.vary_settings` on the exhibit, at the size of the preset `quick`.
        notes: claims of the exhibit, with the words of their statements.
    """
    if variations is None:
        return with_judgement(finding, "")
    labels = (notes or {}).get("words", {}).get("stated", {})
    words = {name: text.removesuffix(", %") for name, text in labels.items()}
    total = len((notes or {}).get("claims", []))
    searched = sensitivity_sentences(variations, "verdict", SEARCHED_AT, total, words)
    return with_judgement(finding, searched)


def answer(
    tables: Mapping[str, pd.DataFrame],
    labels: Mapping[str, str],
    searched: Mapping[str, pd.DataFrame],
    *,
    sentences: bool,
) -> list[Finding]:
    """Findings of all exhibits, in the order of the notes; without `sentences`, question and figure alone."""
    findings = []
    for exhibit, question in find_questions("gated").items():
        finding = find("gated", exhibit, sentences, tables, labels)._replace(
            tables=[("", name) for name in question.tables]
        )
        finding = how_sure(finding, searched.get(f"sensitivity_{exhibit}"), _notes_of(exhibit))
        findings.append(finding._replace(question=f"{' '.join(finding.question.split())} (Sec. {question.sections})"))
    return findings


def _notes_of(exhibit: str) -> dict[str, Any]:
    file = Path(__file__).parent / exhibit / "claims.yaml"
    return read_claims(str(file)) if file.is_file() else {}


def claims(notes: Mapping[str, Any], labels: Mapping[str, str]) -> list[dict[str, Any]]:
    """Claims of the files, with empty lists of the keys that they leave out."""
    return [{"tuned": {}, "after_results": [], "by_construction": [], **claim} for claim in notes["claims"]]


def tables(measured: Mapping[str, pd.DataFrame], readings: Sequence[Mapping[str, Any]]) -> dict[str, pd.DataFrame]:
    """Statements of all exhibits; the study has no readings."""
    return dict(measured)


def stated(evidence: Evidence, at: str) -> Found:
    """The value of a statement, of each seed."""
    rows = evidence.table("statements")
    values = rows.loc[rows["statement"] == at, "value"]
    return Found(values.tolist(), "" if len(values) else "not measured")


MEASURES = Measures({"stated": stated}, ["notes"], [], nameless=["notes"])


def seeds_of(table: pd.DataFrame) -> dict[str, float]:
    """Numbers of a table of statements by `statement@seed`, for `learnability.core.variation`."""
    rows = zip(table["statement"], table["seed"], table["value"], strict=True)
    return {f"{name}@{seed}": float(value) for name, seed, value in rows}


def claims_of(notes: Mapping[str, Any], values: Mapping[str, float]) -> list[dict[str, Any]]:
    """Claims that these numbers of `seeds_of` judge, all conditions of each."""
    names = {name.rpartition("@")[0] for name in values}
    return [claim for claim in claims(notes, {}) if all(condition["at"] in names for condition in claim["conditions"])]


def verdicts_of(claims: Sequence[Mapping[str, Any]], values: Mapping[str, float]) -> dict[str, str]:
    """Verdict of each claim by such numbers; claims by construction are judged as if they could fail."""
    if not claims:
        return {}
    rows = [(*name.rpartition("@")[::2], value) for name, value in values.items()]
    table = pd.DataFrame(rows, columns=["statement", "seed", "value"])
    claims = [{**claim, "by_construction": []} for claim in claims]
    conditions = judge_conditions(claims, {"statements": table}, {"main": {"notes": "notes"}}, MEASURES)
    return dict(score(claims, conditions).set_index("id")["verdict"])
