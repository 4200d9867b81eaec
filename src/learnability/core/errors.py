"""Errors that a user can act on: each names the key, the allowed values and the given one."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

T = TypeVar("T")

LONGEST = 200
"""Characters of an array that an error shows."""


class LearnabilityError(Exception):
    """An error that a user can act on, in one line; a process that ends by it exits with `status`."""

    status = 1


class InputError(LearnabilityError, ValueError):
    """A value from outside (a setting, a file, an array) breaks its requirement."""


def require(holds: bool, key: str, requirement: str, given: object) -> None:
    """Raise `InputError` "'key' must be requirement. Got given." unless `holds`."""
    if not holds:
        raise InputError(f"'{key}' must be {requirement}. Got {_shown(given)}.")


def _shown(value: object) -> str:
    """The given value in one line, shortened if it is a long array."""
    text = repr(value)
    if "\n" not in text:
        return text
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} …"


def require_one_of(key: str, given: object, allowed: Iterable[object]) -> None:
    """Raise `InputError` "'key' must be one of …. Got given." unless `given` is one of `allowed`."""
    choices = list(allowed)
    require(given in choices, key, f"one of {', '.join(map(str, choices))}", given)


def lookup(table: Mapping[str, T], key: str, name: str) -> T:
    """Return `table[name]`, or raise an `InputError` that lists what the table holds."""
    require_one_of(key, name, table)
    return table[name]


def in_one_line(error: BaseException) -> str:
    """The kind of an error and the first line of its message."""
    first, *_ = str(error).strip().splitlines() or [""]
    return f"{type(error).__name__}: {first}"
