"""The runtime type checker of the tests: of each function the first call in every test is checked, then ever fewer.

To check a call takes longer than most functions of the library, and a wrong shape shows when a function is first
called. Of one function's calls in a test the 1st, 4th, 16th and so on are checked, by `FEWER`.
"""

import dataclasses
import functools
import inspect
from collections.abc import Callable
from typing import Any

import jaxtyping
from beartype import BeartypeConf, beartype

FEWER = 4

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
        return _check_some_calls(function, functools.partial(_checked_always, function, typechecker=typechecker))
    if dataclasses.is_dataclass(function) and "__init__" in vars(function):
        function.__init__ = check(function.__init__)  # type: ignore[method-assign]
    return function


def _check_some_calls(function: Callable[..., Any], with_checks: Callable[[], Any]) -> Callable[..., Any]:
    # to write the checks of a function takes milliseconds, and a process of the tests calls a few of the thousands
    checker = functools.cache(with_checks)
    test, calls, due = _test, 0, 1

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        nonlocal test, calls, due
        if test != _test:
            test, calls, due = _test, 0, 1
        calls += 1
        if calls == due:
            due *= FEWER
            return checker()(*args, **kwargs)
        return function(*args, **kwargs)

    return call
