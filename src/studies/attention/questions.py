"""Questions of the study, each a folder that holds all that answers it. It imports nothing slow, for rules read it.

A folder has `question.py` with a `QUESTION`, `numbers.py` with `numbers(tables, labels)`, and `page.md.j2`, sentences
with these numbers put in and checks of what they say. Three parts may be left out: `figures/`, a module with
`draw(tables, style)` for each figure, for an answer may be seen in the figure of another question; `captions/`, of its
figures and of the tables that it is the first to name; and `tables.py` with `tabulate(measurements, settings)`, for a
question that has tables of its own. It may have `play.py`.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple


class Question(NamedTuple):
    """Tables that answer a question, and figures that it draws.

    Args:
        place: in the order of the page, from small numbers to large; any number between two others may be taken.
        tables: that hold its numbers. `studies.attention.theory_tables` makes all named `theory_…`,
            `studies.attention.measured_tables` or the question itself all others.
        figures: names of tables and measurements that each is drawn from, by its name. One of the name `name` is drawn
            by `figures/name.py`.
        played: measurements of networks that `play.py` draws beside tables, `curve` for learning curves.
        needs: a measurement that not every configuration asks for; without it the question is not asked.
    """

    place: float
    tables: tuple[str, ...]
    figures: Mapping[str, Sequence[str]] = {}
    played: Sequence[str] = ()
    needs: Literal["", "training_windows", "rated"] = ""
