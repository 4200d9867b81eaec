"""Lemmas 7 and 8."""

from drawn import generator
from studies.attention.theory import parameters


def test_lemmas_7_and_8_give_the_gradients_of_automatic_differentiation():
    table = parameters.parameter_table(generator())
    assert sorted(table["parameter"]) == ["U", "U_a", "V", "W_a", "b", "v_a"]
    assert (table["error"] < 1e-12).all() and (table["gradient"] > 0.1).all()


def test_lemma_8_takes_the_slope_a_step_earlier_than_printed():
    table = parameters.parameter_table(generator()).set_index("lemma")
    assert (table.loc[8, "error_as_printed"] > 0.05).all()
    assert (table.loc[7, "error_as_printed"] < 1e-12).all()
