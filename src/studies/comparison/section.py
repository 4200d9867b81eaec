"""The section of the study: settings of races, and settings that no race reads.

A race runs again when `settings.py` changes, and not when this module does.
"""

from collections.abc import Mapping
from typing import Any

from studies.comparison.sample_sizes.settings import SampleSizes
from studies.comparison.settings import Settings as OfRaces
from studies.settings.sections import NOT_GIVEN, Count, Distinct, Name, NameOrNone, Section


class Divisor(Section):
    """Delayed sums whose lags have a common divisor, and have none, for the question `divisor`."""

    task: NameOrNone = NOT_GIVEN
    """Id of an entry of `tasks`, a delayed sum whose lags have a common divisor, which is compared with
    `sample_sizes.task`; empty for none. It is raced at `race.parameters`, and no contest: in means over tasks a second
    sum would count twice. Only the question `divisor` reads its races."""
    control: NameOrNone = NOT_GIVEN
    """The same with as many lags, as long, without a common divisor; empty for none."""


class Settings(OfRaces):
    """The study `comparison`: recurrent cells at equal parameters, each at a rate tuned for it, at several tasks."""

    sizes: dict[Name, Distinct[Count]]
    """Id of a contest → further numbers of parameters at which its cells are raced, beside `race.parameters`. Only the
    question `sizes` reads these races."""
    sample_sizes: SampleSizes
    """Trainings on fewer sequences than a race has, at the rate of the race, for the question `sample_sizes`."""
    divisor: Divisor = NOT_GIVEN
    """Delayed sums whose lags have a common divisor, and have none, for the question `divisor`."""


def contest_of(task: str, parameters: int, section: Mapping[str, Any]) -> str:
    """Id of the contest at a task and a number of parameters: the task's own, at `race.parameters`.

    Args:
        section: settings of the study.

    Example:
        >>> section = {"race": {"parameters": 2000}}
        >>> contest_of("sum", 2000, section), contest_of("sum", 500, section)
        ('sum', 'sum_500')
    """
    return task if parameters == section["race"]["parameters"] else f"{task}_{parameters}"


def sizes_of(section: Mapping[str, Any]) -> dict[str, dict[int, str]]:
    """Contests of each task that is raced at several sizes, by their number of parameters, the smallest first.

    Args:
        section: settings of the study.

    Example:
        >>> sizes_of({"race": {"parameters": 2000}, "sizes": {"sum": [8000, 500], "recall": []}})
        {'sum': {500: 'sum_500', 2000: 'sum', 8000: 'sum_8000'}}
    """
    several = {
        task: sorted([section["race"]["parameters"], *further]) for task, further in section["sizes"].items() if further
    }
    return {task: {size: contest_of(task, size, section) for size in sizes} for task, sizes in several.items()}


def sums_of(section: Mapping[str, Any]) -> dict[str, str]:
    """Delayed sums that are compared, by their part: `plain`, and `control` and `divisor` where they are given.

    Args:
        section: settings of the study.

    Example:
        >>> section = {"sample_sizes": {"task": "sum"}, "divisor": {"task": "even", "control": "odd"}}
        >>> sums_of(section)
        {'plain': 'sum', 'control': 'odd', 'divisor': 'even'}
        >>> sums_of(section | {"divisor": {"task": "", "control": ""}})
        {'plain': 'sum'}
    """
    divisor = section.get("divisor", {})
    further = {"control": divisor.get("control", ""), "divisor": divisor.get("task", "")}
    return {"plain": section["sample_sizes"]["task"]} | {part: name for part, name in further.items() if name}
