"""Questions of the study, each a folder that holds all that answers it. It imports nothing slow, for rules read it.

A folder has `question.py` with a `QUESTION`, `figures/`, a module with `draw(tables, style)` for each figure, and
`captions/`, of its figures and of the tables that it is the first to name. Unless its figures are all that it says, it
has `numbers.py` with `numbers(evidence)`, too, and `page.md.j2`, sentences with these numbers put in and checks of what
they say. It may have `play.py`.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

Group = Literal["rates", "windows", "sensitivity", "networks", "tasks", "theory", "overview"]
"""Groups of artefacts from the same measurements, and so by one job; the first three under every reading."""
Selection = Literal["groups", "trained", "by_adamw", "each_by_adamw", "two_tasks", "starts", "diag_gate", "none"]
"""Architectures that a figure shows, see `workflow/rules/learnability_window/declared.smk`."""


class Figure(NamedTuple):
    """Tables and networks that a figure is drawn from.

    Args:
        group: whose job draws it.
        of: views of `studies.learnability_window.views`, or stored tables; a pair is a name in the figure and its view.
        optimizer: whose runs it shows, if not those of all.
        shows: architectures. With `groups` there is a figure for each group of them that is trained.
        like: the figure that it is a variant of. What draws that one draws it, too.
    """

    group: Group
    of: Sequence[str | tuple[str, str]]
    optimizer: str = ""
    shows: Selection = "groups"
    like: str = ""

    def views(self) -> dict[str, str]:
        """Views by their names in the figure.

        Example:
            >>> Figure("theory", ["examples", ("lags", "appendix_a_lags")]).views()
            {'examples': 'examples', 'lags': 'appendix_a_lags'}
        """
        return dict((view, view) if isinstance(view, str) else view for view in self.of)


class Question(NamedTuple):
    """Tables that answer a question, and the figures that it draws.

    Args:
        place: in the order of the page, from small numbers to large; any number between two others may be taken.
        tables: that answer it, by reading and name; the reading is empty where a table is of none.
        figures: by name. One of the name `name` is drawn by `figures/name.py`.
        played: stored tables of networks trained by AdamW, of which `play.py` makes a chart to play with.
    """

    place: float
    tables: Sequence[tuple[str, str]] = ()
    figures: Mapping[str, Figure] = {}
    played: Sequence[str] = ()
