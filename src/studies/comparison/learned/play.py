"""All cells at the task that a reader chooses, the best on top."""

from collections.abc import Mapping

import altair as alt
import pandas as pd

from learnability.report.pages.play import Play, draw_rows, menu
from studies.comparison.tasks import words

MEASURES = {"score": "after training", "half": "after half of the updates"}
"""Columns of `performance`, and their names for readers."""
COLUMNS = ["contest", "architecture"]


def play(tables: Mapping[str, pd.DataFrame], labels: Mapping[str, str], colours: Mapping[str, str]) -> Play:
    """Play of `performance` and `longer`: the mean score of each cell, with its interval after training."""
    performance = tables["performance"]
    ends = {"score": ["score", "score_low", "score_high"], "half": ["half"]}
    parts = [
        performance[COLUMNS].assign(when=words_of, score=performance[end])
        for measure, words_of in MEASURES.items()
        for end in ends[measure]
    ]
    longer = tables["longer"]
    parts.append(longer[COLUMNS].assign(when="at twice the steps", score=longer["longer"]))
    rows = pd.concat(parts, ignore_index=True)
    rows["cell"] = rows["architecture"].map(lambda name: labels.get(name, name))
    choices = [
        menu("contest", "Task", {name: words(name) for name in rows["contest"].unique()}),
        menu("when", "Score", {name: name for name in rows["when"].unique()}),
    ]
    cell_colours = {labels.get(name, name): colour for name, colour in colours.items()}
    return Play(
        "Choose a task and a score, and see the cells in their order. A colour is a family, a line the 95 % interval "
        "over seeds. 1 is the best score that can be had, 0 chance level.",
        draw_rows(rows, alt.X("score:Q", title="score"), "cell", choices, cell_colours or None, is_sorted=True),
    )
