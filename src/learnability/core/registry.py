"""Classes that a configuration names: entries of a registry, or dataclasses imported as `package.module:Name`."""

from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from importlib import import_module
from typing import Any, TypeVar

from learnability.core.errors import InputError, lookup, require

T = TypeVar("T")


class Registry(Mapping[str, type[T]]):
    """Classes by name, each imported when it is used: who takes one runs no module of another.

    Args:
        references: `package.module:Class` by name.

    >>> registry = Registry({"run": "learnability.core.errors:InputError"})
    >>> registry["run"].__name__, list(registry)
    ('InputError', ['run'])
    """

    def __init__(self, references: Mapping[str, str]) -> None:
        self.references = dict(references)

    def __getitem__(self, name: str) -> type[T]:
        return _imported(self.references[name])

    def __contains__(self, name: object) -> bool:
        return name in self.references

    def __iter__(self) -> Iterator[str]:
        return iter(self.references)

    def __len__(self) -> int:
        return len(self.references)

    def __or__(self, other: "Registry[T]") -> "Registry[T]":
        return Registry(self.references | other.references)

    def class_named(self, name: str) -> Any:
        """The class of this name in Python, for the `__getattr__` of a package.

        Raises:
            AttributeError: if no entry is a class of this name.
        """
        for reference in self.references.values():
            if reference.endswith(f":{name}"):
                return _imported(reference)
        raise AttributeError(f"no class {name!r} is registered")


def find(table: Mapping[str, T], key: str, name: str) -> T:
    """`table[name]`, or the dataclass that `package.module:Name` stands for.

    Raises:
        InputError: for a name that is not in the table, or cannot be imported, or is no dataclass.
    """
    if ":" not in name:
        return lookup(table, key, name)
    try:
        kind = _imported(name)
    except (ImportError, AttributeError, ValueError, TypeError) as error:
        names = ", ".join(table)
        raise InputError(f"'{key}' must be one of {names}, or package.module:Name. Got {name!r}: {error}.") from error
    require(isinstance(kind, type) and is_dataclass(kind), key, "a dataclass", name)
    return kind


def _imported(reference: str) -> Any:
    module, _, attribute = reference.partition(":")
    return getattr(import_module(module), attribute)
