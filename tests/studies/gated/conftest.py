from importlib import import_module

import pytest

from studies.gated.exhibit import ExhibitRequest


@pytest.fixture(scope="module")
def exhibit(request):
    """The exhibit of a module `test_NAME_exhibit`, by its `SETTINGS`, of two seeds."""
    name = request.module.__name__.removeprefix("test_").removesuffix("_exhibit")
    return import_module(f"studies.gated.{name}.measure").make(ExhibitRequest(request.module.SETTINGS, [0, 3], 1))
