"""The tests check the types and shapes of what they call."""

import jaxtyping
import pytest
import torch

import typecheck
from learnability.core.errors import require


def test_in_each_test_the_first_call_is_checked_and_then_ever_fewer() -> None:
    def double(x: jaxtyping.Float[torch.Tensor, "time"]) -> jaxtyping.Float[torch.Tensor, "time"]:
        return torch.stack([x, x])

    wrapper = typecheck._check(double, typecheck.typechecked)
    typecheck.start_test()
    for number in range(1, 17):
        if number in (1, 4, 16):
            with pytest.raises(jaxtyping.TypeCheckError, match="return value"):
                wrapper(torch.zeros(3))
        else:
            assert wrapper(torch.zeros(3)).shape == (2, 3)
    typecheck.start_test()
    with pytest.raises(jaxtyping.TypeCheckError, match="parameters"):
        wrapper(torch.zeros(3, 3))


def test_all_of_the_library_is_checked() -> None:
    typecheck.start_test()
    with pytest.raises(jaxtyping.TypeCheckError):
        require(True, 5, "a text", None)
