"""What a configuration names: an entry of a table, or, as `package.module:Name`, a dataclass that can be imported."""

from dataclasses import is_dataclass
from importlib import import_module
from typing import Any, TypeVar

from learnability.core.errors import InputError, lookup, require

T = TypeVar("T")


def find(table: dict[str, T], key: str, name: str) -> T:
    """`table[name]`, or the dataclass that `package.module:Name` stands for.

    Raises:
        InputError: for a name that is not in the table, or cannot be imported, or is no dataclass.
    """
    if ":" not in name:
        return lookup(table, key, name)
    module, _, attribute = name.partition(":")
    try:
        found: Any = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError, TypeError) as error:
        known = ", ".join(table)
        raise InputError(f"'{key}' must be one of {known}, or package.module:Name. Got {name!r}: {error}.") from error
    require(isinstance(found, type) and is_dataclass(found), key, "a dataclass", name)
    return found
