"""Requirements of settings, and the line in which one that breaks its own is refused: key, what is allowed, given."""

import difflib
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from pydantic import ValidationError

from learnability.core.errors import InputError, require
from studies.settings.sections import PATTERNS, Section
from studies.settings.whole import schema_of

NEW_NAMES = {
    "planted": "simulation",
    "architecture_sets": "architecture_groups",
    "readings.recommended": "readings.gradient_step",
}
"""Names that keys have now, by those that they had."""
LARGEST, LARGEST_INTEGER = 1e38, 2**31 - 1
"""Largest number that single precision takes, and largest integer that every array library takes."""
KINDS = {
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "string_type": "text",
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "finite_number": "finite",
}
BOUNDS = {
    "greater_than_equal": "at least {ge}",
    "less_than_equal": "at most {le}",
    "greater_than": "above {gt}",
    "less_than": "below {lt}",
    "string_too_long": "text of at most {max_length} characters",
    "too_long": "a list of at most {max_length}",
}
"""Requirements by the kind of error of Pydantic, with what it says of it; a validator's own are its message."""


def check_settings(config: Any, model: type[Section]) -> None:
    """Raise `InputError` for the first setting that a model does not allow, or a number that is too large."""
    settings = list(leaves(config))
    try:
        model.model_validate(config)
    except ValidationError as error:
        first = min(error.errors(), key=lambda fault: [str(part) for part in fault["loc"]])
        raise InputError(_explain(first, schema_of(model))) from error
    for key, value in settings:
        for number in numbers(value):
            require(math.isfinite(number), key, "finite", number)
            most = LARGEST if isinstance(number, float) else LARGEST_INTEGER
            require(abs(number) <= most or key == "root_seed", key, f"at most {most:g}", number)


def numbers(value: Any) -> Iterator[int | float]:
    """Numbers of a setting that is no mapping, in lists of lists too."""
    if isinstance(value, list):
        for item in value:
            yield from numbers(item)
    elif isinstance(value, int | float):
        yield value


def known(key: str, name: str, choices: list[str]) -> None:
    """Raise `InputError` unless a name is one of the choices; it names the nearest one."""
    if name not in choices:
        raise InputError(f"'{key}' must be one of {', '.join(choices)}. Got {name!r}.{_hint(name, choices)}")


@contextmanager
def within(key: str) -> Iterator[None]:
    """Put a key before the line of an `InputError` that is raised within."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{key}: {error}") from error


def _explain(error: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    """Return the line that names the key, what it must be, and its value."""
    place = [part for part in error["loc"] if part != "[key]"]
    key, value = ".".join(map(str, place)), error["input"]
    details = {
        name: f"{bound:.12g}" if isinstance(bound, float) else bound for name, bound in error.get("ctx", {}).items()
    }
    match error["type"]:
        case "extra_forbidden":
            choices = list(_entry(schema, place[:-1])["properties"])
            return new_name(key) if key in NEW_NAMES else unknown(key, str(place[-1]), choices)
        case "missing":
            return f"'{key}' must be given."
        case "literal_error":
            choices = [str(choice) for choice in _entry(schema, place)["enum"]]
            return f"'{key}' must be one of {', '.join(choices)}. Got {value!r}.{_hint(str(value), choices)}"
        case "too_short":
            kind = "mapping" if isinstance(value, Mapping) else "list"
            requirement = f"a {kind} of at least {details['min_length']}"
        case "string_pattern_mismatch":
            requirement = PATTERNS[details["pattern"]]
        case kind:
            requirement = KINDS.get(kind) or BOUNDS.get(kind, error["msg"]).format(**details)
    return f"'{key or value}' must be {requirement}. Got {value!r}."


def _entry(schema: Mapping[str, Any], place: Sequence[int | str]) -> Mapping[str, Any]:
    """The schema of a setting."""
    for part in place:
        schema = (
            schema["items"]
            if isinstance(part, int)
            else schema.get("properties", {}).get(part) or schema["additionalProperties"]
        )
    return schema


def new_name(key: str) -> str:
    """The line that refuses a key of `NEW_NAMES`."""
    return f"'{key}' is now '{NEW_NAMES[key]}'."


def unknown(key: str, name: str, choices: list[str]) -> str:
    """The line that refuses a key, whose last part is `name`, where others are allowed."""
    return f"'{key}' is not a key. Allowed: {', '.join(choices)}.{_hint(name, choices)}"


def _hint(name: str, choices: list[str]) -> str:
    close = difflib.get_close_matches(name, choices, 1)
    return f" Did you mean '{close[0]}'?" if close else ""


def leaves(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """Settings that are no mapping, by their key."""
    if isinstance(value, Mapping):
        for name, item in value.items():
            require(isinstance(name, str), f"{key}.{name}".lstrip("."), "a key of text, in quotes", name)
            yield from leaves(item, f"{key}.{name}".lstrip("."))
    else:
        yield key, value
