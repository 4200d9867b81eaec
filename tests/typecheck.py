"""The runtime type checker of the tests: of each function the first calls in every test are checked.

To check a call takes longer than most functions of the library, and a wrong shape shows when a function is first
called. `CALLS` says how many calls of one function are checked in a test.
"""

import dataclasses
import functools
import inspect
from collections.abc import Callable
from typing import Any

import jaxtyping
from beartype import BeartypeConf, beartype

CALLS = 10

# an int is welcome where a float is asked for
typechecked = beartype(conf=BeartypeConf(is_pep484_tower=True))
_checked_always = jaxtyping.jaxtyped
_test = 0


def check_types(*packages: str) -> None:
    """Check the types of packages that are not imported yet."""
    jaxtyping.jaxtyped = lambda *, typechecker: functools.partial(_check, typechecker=typechecker)
    jaxtyping.install_import_hook(packages, "typecheck.typechecked")


def start_test() -> None:
    """Check the first calls of each function again from now on."""
    global _test
    _test += 1


def _check(function: Any, typechecker: Any) -> Any:
    """Check functions, methods, properties and dataclasses as `jaxtyping.jaxtyped` does."""
    check = functools.partial(_check, typechecker=typechecker)
    if isinstance(function, classmethod | staticmethod):
        return type(function)(check(function.__func__))
    if isinstance(function, property):
        return property(*(method and check(method) for method in (function.fget, function.fset, function.fdel)))
    if not inspect.isclass(function):
        return _check_first_calls(function, functools.partial(_checked_always, function, typechecker=typechecker))
    if dataclasses.is_dataclass(function) and "__init__" in vars(function):
        function.__init__ = check(function.__init__)  # type: ignore[method-assign]
    return function


def _check_first_calls(function: Callable[..., Any], with_checks: Callable[[], Any]) -> Callable[..., Any]:
    # to write the checks of a function takes milliseconds, and a process of the tests calls a few of the thousands
    checker = functools.cache(with_checks)
    test, calls = _test, CALLS

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        nonlocal test, calls
        if test != _test:
            test, calls = _test, CALLS
        if calls:
            calls -= 1
            return checker()(*args, **kwargs)
        return function(*args, **kwargs)

    return call
