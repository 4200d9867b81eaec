"""Questions of the study, each a folder that holds all that answers it. It imports nothing slow, for rules read it.

A folder has `question.py` with a `QUESTION`, `measure.py` with `make(request)`, `figure.py` with `draw(tables, style)`,
`numbers.py` with `numbers(tables, labels)`, `page.md.j2`, sentences with these numbers put in and checks of what they
say, and `captions/` of its figure and its tables. Two files may be left out: `claims.yaml`, statements of the notes,
and `settings.py` with a model `Settings`, whose fields may have defaults, and, for what no type says, with
`check(key, settings, config)`.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from studies.settings.sections import Section

Check = Callable[[str, Mapping[str, Any], Mapping[str, Any]], None]
"""Raises `InputError` for a setting: the key of a question's settings, the settings, and the whole configuration."""
FOLDER = Path(__file__).parent


class Experiment(NamedTuple):
    """Task and networks that a question requires of an experiment.

    Args:
        task: its name.
        compared: networks that are compared with each other, and so are needed, of the same seeds.
    """

    task: str
    compared: tuple[str, ...] = ()


class Question(NamedTuple):
    """Experiments that a question requires, and tables that it makes.

    Args:
        place: in the order of the notes, from small numbers to large; any number between two others may be taken.
        sections: of the notes.
        tables: names of what its measurement makes, in order.
        experiments: whose networks it shows, at all learning rates that they are trained at.
        windows: whether it also shows their windows through training.
        searched: architectures with which its settings are varied, if not with all.
    """

    place: float
    sections: str
    tables: tuple[str, ...]
    experiments: Mapping[str, Experiment] = {}
    windows: bool = False
    searched: tuple[str, ...] = ()


def find_settings(name: str) -> "type[Section] | None":
    """The model of a question's settings, if its folder has one."""
    model: type[Section] | None = getattr(_settings(name), "Settings", None)
    return model


def settings_of(name: str, exhibits: Mapping[str, Any]) -> dict[str, Any]:
    """Settings of a question: of a configuration's `exhibits`, and else the defaults of its model."""
    model = find_settings(name)
    fields = model.model_fields if model else {}
    defaults = {key: field.default for key, field in fields.items() if not field.is_required()}
    return {key: value for key, value in defaults.items() if value is not None} | exhibits.get(name, {})


def find_check(name: str) -> Check | None:
    """Check of a question's settings beyond their types, if its folder has one."""
    check: Check | None = getattr(_settings(name), "check", None)
    return check


def _settings(name: str) -> ModuleType | None:
    is_there = (FOLDER / name / "settings.py").is_file()
    return import_module(f"studies.gated.{name}.settings") if is_there else None
