"""Appendix B."""

import pytest

from drawn import generator
from learnability.core.errors import InputError
from studies.learnability_window.theory import jacobians


@pytest.mark.parametrize("name", jacobians.EQUATIONS)
def test_jacobians_are_those_of_autograd(name):
    row = jacobians.jacobian_table(name, 20, generator())
    assert row["largest_error"] < 1e-14
    assert row["largest_entry"] > 0.5
    assert row["gate_rank"] == {"const_gate": 0, "shared_gate": 1, "diag_gate": 16}[name]


def test_other_cells_are_none_of_appendix_b():
    with pytest.raises(InputError, match="'name' must be one of diag_gate"):
        jacobians.jacobian_table("lstm", 20, generator())
