"""The tests check the types and shapes of what they call."""

import jaxtyping
import pytest
import torch

import typecheck
from learnability.core.errors import require


def test_the_first_calls_in_each_test_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typecheck, "CALLS", 2)

    def double(x: jaxtyping.Float[torch.Tensor, "time"]) -> jaxtyping.Float[torch.Tensor, "time"]:
        return torch.stack([x, x])

    wrapper = typecheck._check(double, typecheck.typechecked)
    typecheck.start_test()
    for _ in range(2):
        with pytest.raises(jaxtyping.TypeCheckError, match="return value"):
            wrapper(torch.zeros(3))
    assert wrapper(torch.zeros(3)).shape == (2, 3)
    typecheck.start_test()
    with pytest.raises(jaxtyping.TypeCheckError, match="parameters"):
        wrapper(torch.zeros(3, 3))


def test_all_of_the_library_is_checked() -> None:
    typecheck.start_test()
    with pytest.raises(jaxtyping.TypeCheckError):
        require(True, 5, "a text", None)
