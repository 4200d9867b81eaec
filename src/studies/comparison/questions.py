"""Questions of the study, each a folder that holds all that answers it. It imports nothing slow, for rules read it.

A folder has `question.py` with a `QUESTION`, `numbers.py` with `numbers(tables, labels)`, and `page.md.j2`, sentences
with these numbers put in and checks of what they say. Two parts may be left out: `figure.py` with `draw(tables,
style)`, and `captions/`, of its figure and of the tables that it is the first to name.
"""

from typing import NamedTuple


class Question(NamedTuple):
    """Tables that answer a question, and the figure that it draws.

    Args:
        place: in the order of the page, from small numbers to large; any number between two others may be taken.
        tables: of `studies.comparison.tables.tabulate`, that hold its numbers.
        figure: name of what its `figure.py` draws, if it has one.
    """

    place: float
    tables: tuple[str, ...]
    figure: str = ""
