"""The identity recurrence: states by sums, readouts of what is known, gradients, the figure and the numbers."""

import numpy as np
import pytest
import torch

from layout import assert_complete
from learnability.cells import RNN, IdentityRNN
from selective import LABELS, STYLE
from studies.gated.exhibit import ExhibitRequest
from studies.gated.identity import measure as identity
from studies.gated.identity.figure import draw
from studies.gated.identity.numbers import numbers

SETTINGS = {
    "hidden_size": 7,
    "symbols": 3,
    "distractors": 2,
    "steps": [1, 2, 6],
    "sequences": 40,
    "penalty": 0.001,
    "scales": [0.5, 3],
    "lags": [1, 4],
    "gradient_sequences": 3,
}


def case_of(seeds=(0,), **settings):
    return ExhibitRequest(SETTINGS | settings, seeds, 1)


@pytest.fixture(scope="module")
def exhibit():
    return identity.make(case_of())


@pytest.mark.parametrize("irrelevant", identity.IRRELEVANT)
def test_streams_have_one_symbol_first(irrelevant):
    x, symbols = identity.stream(irrelevant, 50, 400, case_of(), 0, "training")
    np.testing.assert_array_equal(x[:, 0], np.eye(5)[symbols])
    inputs = x[:, 1:].numpy()
    if irrelevant == "noise":
        assert (inputs**2).sum(-1).mean() == pytest.approx(1, rel=0.05)
    else:
        assert (inputs.sum(-1) == 1).all()
        expected = symbols[:, None] if irrelevant == "repetition" else inputs.argmax(-1).clip(3, 4)
        np.testing.assert_array_equal(inputs.argmax(-1), np.broadcast_to(expected, inputs.shape[:2]))


def test_states_are_sums(exhibit):
    states = exhibit.tables["identity_states"]
    cell, parameters = identity.network(IdentityRNN, case_of(), 0)
    for irrelevant in identity.IRRELEVANT:
        x, _ = identity.stream(irrelevant, 6, 40, case_of(), 0, "states")
        of_it = states[states["irrelevant"] == irrelevant].set_index("steps")
        assert of_it.index.tolist() == [1, 2, 3, 6]
        for steps, row in of_it.iterrows():
            h = torch.tanh(x[:, : steps + 1] @ parameters["W_h"].T).sum(1)
            assert row["size"] == pytest.approx(h.square().sum(-1).sqrt().mean().item())
            assert row["slope"] == pytest.approx((1 - torch.tanh(h) ** 2).mean().item())
    assert cell.hidden_size == 7


def test_a_readout_tells_what_is_there_and_guesses_what_is_not():
    generator = np.random.default_rng(0)
    names, test_names = generator.integers(4, size=(2, 2000))
    share = identity.tell(np.eye(4)[names], names, np.eye(4)[test_names], test_names, 1e-6)
    guess = identity.tell(generator.normal(size=(2000, 4)), names, generator.normal(size=(2000, 4)), test_names, 1e-6)
    assert share == 1
    assert guess == pytest.approx(0.25, abs=0.05)


def test_distractors_with_directions_of_their_own_hide_nothing(exhibit):
    of_state = exhibit.tables["identity_readouts"].query("reader == 'state' and irrelevant == 'distractors'")
    assert of_state["accuracy"].tolist() == [1] * 4
    few = identity.make(case_of(hidden_size=2, sequences=200)).statements.set_index("statement")["value"]
    assert few["lost_distractors"] > 0.1


def test_gradients_are_those_of_automatic_differentiation(exhibit):
    table = exhibit.tables["identity_gradients"].set_index(["scale", "lag"])["log_norm"]
    np.testing.assert_allclose(table[0.0], 0, atol=1e-12)
    cell, parameters = identity.network(RNN, case_of(), 0)
    parameters |= {"U_h": 3 * parameters["U_h"]}
    x, _ = identity.stream("noise", 4, 3, case_of(), 0, "gradients")
    state, norms = torch.zeros(3, 7, dtype=torch.float64), []
    state = cell.step(parameters, state, x[:, 0])
    for sequence in range(3):

        def last(h, sequence=sequence):
            for step in x[sequence, 1:]:
                h = cell.step(parameters, h, step)
            return h

        norms.append(torch.linalg.matrix_norm(torch.autograd.functional.jacobian(last, state[sequence]), 2))
    assert table[3.0, 4] == pytest.approx(torch.stack(norms).log10().mean().item())


def test_statements_are_ends_of_the_tables(exhibit):
    statements = exhibit.statements.set_index("statement")["value"]
    sizes = exhibit.tables["identity_states"].set_index(["irrelevant", "steps"])["size"]
    assert statements["levels_noise"] == sizes["noise", 6] / sizes["noise", 3]
    assert statements["growth_repetition"] == pytest.approx(7 / 2)
    norms = exhibit.tables["identity_gradients"].set_index(["scale", "lag"])["log_norm"]
    assert statements["rnn_largest_decades"] == norms[3.0, 4]
    assert statements["rnn_decades"] == pytest.approx((abs(norms[0.5, 4]) + abs(norms[3.0, 4])) / 2)


@pytest.mark.parametrize("settings", [{}, {"scales": [1], "lags": [1, 3], "steps": [1, 4]}])
def test_figure_is_complete_for_other_sizes(settings, tmp_path):
    result = identity.make(case_of((0, 1), **settings))
    assert tuple(result.tables) == identity.TABLES
    assert_complete(draw(result.tables, STYLE), tmp_path)


def test_numbers_are_those_of_the_last_steps(exhibit):
    page, statements = numbers(exhibit.tables, LABELS), exhibit.statements.set_index("statement")["value"]
    assert page["growth"]["noise"] == statements["levels_noise"]
    assert page["recall"]["state", "distractors"] == 1
    assert page["first_slope"]["noise"] / page["slope"]["noise"] == pytest.approx(statements["slope_noise"])
    assert page["rnn_norms"][3.0] == pytest.approx(10 ** statements["rnn_largest_decades"])
    assert page["identity_norm"] == pytest.approx(1)
