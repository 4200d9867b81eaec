"""Which exhibits there are, in the order of the notes. It imports nothing that is slow, for rules read it."""

from typing import NamedTuple


class Declared(NamedTuple):
    """An exhibit.

    Args:
        tables: names of what its module makes, in order.
        experiments: whose networks it shows.
        windows: whether it also shows their windows through training.
    """

    tables: tuple[str, ...]
    experiments: tuple[str, ...] = ()
    windows: bool = False


EXHIBITS = {
    "summary": Declared(("cells", "cells_by_lag"), ("summary",), True),
}
