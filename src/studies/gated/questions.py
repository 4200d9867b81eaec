"""Questions of the study, each a folder that holds all that answers it. It imports nothing slow, for rules read it.

A folder has `question.py` with a `QUESTION`, `measure.py` with `make(asked)`, `figure.py` with `draw(tables, style)`,
`numbers.py` with `numbers(tables, labels)`, `page.md.j2`, sentences with these numbers put in and checks of what they
say, and `captions/` of its figure and its tables. Two files may be left out: `claims.yaml`, statements of the notes,
and `settings.py` with `check(key, own, config)`, what settings must be.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

Check = Callable[[str, Mapping[str, Any], Mapping[str, Any]], None]
"""Raises `InputError` for a setting: the key of a question's settings, the settings, and the whole configuration."""
FOLDER = Path(__file__).parent


class Experiment(NamedTuple):
    """What a question requires of an experiment.

    Args:
        task: its name.
        compared: networks that are compared with each other, and so are needed, of the same seeds.
    """

    task: str
    compared: tuple[str, ...] = ()


class Question(NamedTuple):
    """What a question requires and makes.

    Args:
        place: in the order of the notes, from small numbers to large; any number between two others may be taken.
        sections: of the notes.
        tables: names of what its measurement makes, in order.
        experiments: whose networks it shows, at all learning rates that they are trained at.
        windows: whether it also shows their windows through training.
        searched: architectures with which its settings are varied, if not with all.
        settings: where a configuration has none of its name.
    """

    place: float
    sections: str
    tables: tuple[str, ...]
    experiments: Mapping[str, Experiment] = {}
    windows: bool = False
    searched: tuple[str, ...] = ()
    settings: Mapping[str, Any] = {}


def find_check(name: str) -> Check | None:
    """What checks the settings of a question, if its folder has that."""
    if not (FOLDER / name / "settings.py").is_file():
        return None
    check: Check = import_module(f"studies.gated.{name}.settings").check
    return check
