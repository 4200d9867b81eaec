"""Cells that attend to their past against their equations, one sequence, step and state at a time."""

from dataclasses import replace

import pytest
import torch

from learnability.cells import ATTENTIVE, CELLS, PLAIN, SAB, MemLSTM, MemRNN, RelLSTM, RelRNN
from learnability.cells.memory import BLOCK, FullMemory, ScreenedMemory
from learnability.core.errors import InputError
from learnability.networks.network import Network, hidden_units, run
from learnability.training.engines import AutogradEngine
from networks import Blind, build_cell, random_parameters

INPUTS, UNITS = 3, 4


def zero():
    return torch.zeros(UNITS, dtype=torch.float64)


def affine(p, name, h, x):
    return p[f"W_{name}"] @ x + p[f"U_{name}"] @ h + p[f"b_{name}"]


def rnn(p, s, c, x):
    return torch.tanh(affine(p, "h", s, x)), c


def lstm(p, s, c, x):
    i, f, o = (torch.sigmoid(affine(p, name, s, x)) for name in "ifo")
    c = f * c + i * torch.tanh(affine(p, "g", s, x))
    return o * torch.tanh(c), c


def score(p, query, m):
    return p["v_a"] @ torch.tanh(p["W_a"] @ query + p["U_a"] @ m)


def screen(beta, t, short_term, relevant, current):
    """S_t and R_t from all β: of the states that have left the buffer the ρ with the largest, of equals the older."""
    last = t if current else t - 1
    buffer = range(max(1, last - short_term + 1), last + 1)
    older = range(1, max(1, last - short_term + 1))
    return list(buffer), sorted(sorted(older, key=lambda i: (-beta[i], i))[:relevant])


def attended_run(p, xs, step, cell):
    """h_t and s_t of one sequence: Eqs. 1 and 2, with all h_i or those of Sec. 4."""
    s, c, h, beta, outputs = zero(), zero(), {}, {}, []
    for t, x in enumerate(xs, 1):
        h[t], c = step(p, s, c, x)
        beta[t] = 0.0
        if isinstance(cell, RelRNN | RelLSTM):
            buffer, relevant_set = screen(beta, t, cell.short_term, cell.relevant, cell.attends_to_current)
        else:
            buffer, relevant_set = list(range(1, t + 1 if cell.attends_to_current else t)), []
        members = buffer + relevant_set
        context = zero()
        if members:
            e = torch.stack([score(p, s, h[i]) for i in members])
            alpha = e.exp() / e.exp().sum()
            context = sum(alpha[k] * h[i] for k, i in enumerate(members))
            for k, i in enumerate(buffer):
                beta[i] += alpha[k].item()
        s = h[t] + context if cell.mix == "sum" else (h[t] + context) / 2
        outputs.append(h[t] if cell.readout_from == "h" else s)
    return torch.stack(outputs)


def assert_same(cell, p, x, literal):
    """Outputs, and the gradient of a random sum of them."""
    leaves = {name: tensor.detach().clone().requires_grad_() for name, tensor in p.items()}
    hidden, expected = hidden_units(cell, leaves, x), torch.stack([literal(leaves, xs) for xs in x])
    torch.testing.assert_close(hidden, expected, rtol=1e-10, atol=1e-12)
    weights = torch.randn(hidden.shape, generator=torch.Generator().manual_seed(3), dtype=torch.float64)
    gradients = [
        torch.autograd.grad((weights * states).sum(), list(leaves.values()), allow_unused=True, materialize_grads=True)
        for states in (hidden, expected)
    ]
    for gradient, expected_gradient in zip(*gradients, strict=True):
        torch.testing.assert_close(gradient, expected_gradient, rtol=1e-8, atol=1e-10)


OPTIONS = [
    {},
    {"mix": "mean"},
    {"attends_to_current": False},
    {"mix": "mean", "readout_from": "s", "attends_to_current": False},
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize(("kind", "step"), [(MemRNN, rnn), (MemLSTM, lstm)])
def test_a_cell_that_attends_to_all_its_past_is_its_equations(normal, kind, step, options):
    cell = build_cell(kind, **options)
    p, x = random_parameters(cell, normal), normal(2, 9, INPUTS)
    assert_same(cell, p, x, lambda p, xs: attended_run(p, xs, step, cell))


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize(("short_term", "relevant"), [(1, 1), (1, 3), (3, 1), (2, 3), (1, 0), (3, 0)])
@pytest.mark.parametrize(("kind", "step"), [(RelRNN, rnn), (RelLSTM, lstm)])
def test_a_cell_that_screens_its_past_is_its_equations(normal, kind, step, short_term, relevant, options):
    cell = build_cell(kind, short_term=short_term, relevant=relevant, **options)
    p, x = random_parameters(cell, normal), normal(2, 14, INPUTS)
    assert_same(cell, p, x, lambda p, xs: attended_run(p, xs, step, cell))


@pytest.mark.parametrize("relevant", [1, 2, 5])
@pytest.mark.parametrize("short_term", [1, 2, 5])
def test_screening_keeps_the_largest_scores_and_of_equals_the_older(short_term, relevant):
    # Whole numbers in place of attention, so that many scores are equal; each state is its own time.
    steps, sequences, store = 40, 5, ScreenedMemory(short_term, relevant)
    generator = torch.Generator().manual_seed(0)
    gains = torch.randint(3, (sequences, steps + 1, steps + 1), generator=generator).double()
    memory, replacements, ties = store.empty(torch.zeros(sequences, 1).double(), 1), 0, 0
    beta = [[0.0] * (steps + 1) for _ in range(sequences)]
    before = [[] for _ in range(sequences)]
    for t in range(1, steps + 1):
        time = torch.full((sequences, 1), t).double()
        memory = store.write(memory, time, -time)
        for n in range(sequences):
            buffer, relevant_set = screen(beta[n], t, short_term, relevant, True)
            slots = memory.relevance[n] > -torch.inf
            assert sorted(memory.states[n, slots, 0].tolist()) == sorted(buffer + relevant_set)
            assert torch.equal(memory.keys[n], -memory.states[n])
            assert torch.equal(memory.age[n, slots], (t - memory.states[n, slots, 0]).long())
            replacements += bool(set(before[n]) - set(relevant_set))
            ties += len(relevant_set) > len({beta[n][i] for i in relevant_set})
            before[n] = relevant_set
            for i in buffer:
                beta[n][i] += gains[n, t, i].item()
        at = gains[torch.arange(sequences)[:, None], t, (t - memory.age).clamp(min=0)]
        memory = memory._replace(relevance=memory.relevance + at.masked_fill(memory.age >= short_term, 0))
    assert replacements > 0
    assert ties > 0 or relevant == 1


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize(("full", "screening"), [(MemRNN, RelRNN), (MemLSTM, RelLSTM)])
def test_screening_with_a_buffer_for_all_states_is_full_attention(normal, full, screening, options):
    all_states, cell = build_cell(full, **options), build_cell(screening, short_term=12, relevant=1, **options)
    p, x, w = random_parameters(cell, normal), normal(3, 12, INPUTS), normal(3, 12, UNITS)
    results = []
    for model in (all_states, cell):
        leaves = {name: tensor.clone().requires_grad_() for name, tensor in p.items()}
        h = hidden_units(model, leaves, x)
        results.append([h, *torch.autograd.grad((w * h).sum(), list(leaves.values()))])
    for full_value, screened_value in zip(*results, strict=True):
        torch.testing.assert_close(full_value, screened_value, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("kind", [MemRNN, MemLSTM])
def test_without_its_context_a_cell_is_the_one_it_extends(normal, monkeypatch, kind):
    cell = build_cell(kind)
    p, x = random_parameters(cell, normal), normal(3, 8, INPUTS)
    with_context = hidden_units(cell, p, x)
    monkeypatch.setattr(kind, "store", Blind())
    assert torch.equal(hidden_units(cell, p, x), hidden_units(cell.base, p, x))
    assert (with_context - hidden_units(cell.base, p, x)).norm() > 0.1


def test_a_memory_of_many_blocks_is_one_memory(normal):
    store, steps = FullMemory(), 2 * BLOCK + 5
    states, keys, query, v = normal(2, steps, 4), normal(2, steps, 4), normal(2, 4), normal(4)
    memory = store.empty(query, 4)
    for t in range(steps):
        memory = store.write(memory, states[:, t], keys[:, t])
    assert [len(block[0]) for block in memory.keys] == [BLOCK, BLOCK, 5]
    attention = store.attend(memory, query, v)
    expected = torch.softmax((torch.tanh(query[:, None] + keys) * v).sum(-1), 1)
    torch.testing.assert_close(attention.weights, expected, rtol=1e-12, atol=1e-15)
    torch.testing.assert_close(attention.context, (expected[..., None] * states).sum(1), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("kind", [MemRNN, MemLSTM, RelRNN, RelLSTM])
def test_attention_to_nothing_is_zero_and_has_a_gradient(normal, kind):
    cell = build_cell(kind, attends_to_current=False, readout_from="s")
    p, x = random_parameters(cell, normal), normal(2, 1, INPUTS)
    leaves = {name: tensor.clone().requires_grad_() for name, tensor in p.items()}
    s = hidden_units(cell, leaves, x)
    assert torch.equal(s[:, 0], hidden_units(cell.base, p, x)[:, 0])
    gradients = torch.autograd.grad(s.sum(), list(leaves.values()), allow_unused=True, materialize_grads=True)
    assert all(gradient.isfinite().all() for gradient in gradients)


def test_the_memory_of_screening_does_not_grow(normal):
    cell = build_cell(RelRNN, short_term=2, relevant=3)
    p, state = cell.initial_parameters(0, 0), cell.initial_state(normal(2, INPUTS))
    shapes = set()
    for x in normal(20, 2, INPUTS):
        state = cell.step(p, state, x)
        shapes.add(tuple(tuple(part.shape) for part in (*state.memory, state.weights)))
    assert shapes == {((2, 5, UNITS), (2, 5, UNITS), (2, 5), (2, 5), (2, 5))}


@pytest.mark.parametrize("name", ATTENTIVE)
def test_a_memory_is_of_one_segment_alone_and_the_recurrence_goes_on(normal, name):
    cell = build_cell(CELLS[name])
    p, x = random_parameters(cell, normal), normal(2, 9, INPUTS)
    state, expected = cell.initial_state(x[:, 0]), []
    for t in range(9):
        if t % 4 == 0:
            state = cell.initial_state(x[:, 0])._replace(
                **{part: value for part, value in state._asdict().items() if part not in ("memory", "weights")}
            )
        state = cell.step(p, state, x[:, t])
        expected.append(cell.output(state))
    torch.testing.assert_close(hidden_units(cell, p, x, truncation=4), torch.stack(expected, 1), rtol=0, atol=0)
    assert not torch.equal(hidden_units(cell, p, x)[:, 4:], torch.stack(expected, 1)[:, 4:])


def backtracking_run(p, xs, cell):
    """h_t of one sequence by Algorithm 1 of Ke et al., and the memories whose score counts at each step."""
    h, c, memories, outputs, choices = zero(), zero(), {}, [], []
    for t, x in enumerate(xs, 1):
        if cell.truncation and (t - 1) % cell.truncation == 0:
            h, c = h.detach(), c.detach()
        h, c = lstm(p, h, c, x)
        e = {i: score(p, h, m) for i, m in memories.items()}
        largest = sorted(e, key=lambda i: -e[i].item())[: cell.top_k + 1]
        a = {i: e[i] - e[largest[-1]] for i in largest[:-1]}
        h = h + sum(a[i] * memories[i] for i in a) / (sum(a.values()) + 1e-7)
        if t % cell.store_every == 0:
            memories[t] = h
        outputs.append(h)
        choices.append(largest)
    return torch.stack(outputs), choices


@pytest.mark.parametrize(("top_k", "truncation", "store_every"), [(1, 3, 1), (3, 4, 2), (10, 0, 2), (2, 1, 3)])
def test_backtracking_is_its_algorithm(normal, top_k, truncation, store_every):
    cell = build_cell(SAB, top_k=top_k, truncation=truncation, store_every=store_every)
    p, x = random_parameters(cell, normal), normal(2, 16, INPUTS)
    assert_same(cell, p, x, lambda p, xs: backtracking_run(p, xs, cell)[0])


def test_backtracking_sends_the_gradient_to_chosen_memories_and_truncated_steps_alone(normal):
    cell = build_cell(SAB, top_k=1, truncation=3, store_every=2)
    p, x = random_parameters(cell, normal), normal(1, 26, INPUTS).requires_grad_()
    _, choices = backtracking_run(p, x[0].detach(), cell)
    sources = {}
    for t in range(1, 27):
        block = {} if (t - 1) % 3 == 0 else sources[t - 1]
        sources[t] = {t}.union(block, *(sources[i] for i in choices[t - 1]))
    h = hidden_units(cell, p, x)
    for t in (5, 13, 26):
        (gradient,) = torch.autograd.grad(h[0, t - 1].sum(), x, retain_graph=True)
        assert {int(i) + 1 for i in gradient[0].abs().sum(1).nonzero()} == sources[t]
    assert len(sources[26]) < 26


def test_equal_scores_have_a_gradient(normal):
    cell = build_cell(SAB, top_k=1, store_every=1)
    p = random_parameters(cell, normal) | {"v_a": zero()}
    leaves = {name: tensor.clone().requires_grad_() for name, tensor in p.items()}
    gradients = torch.autograd.grad(hidden_units(cell, leaves, normal(2, 6, INPUTS)).sum(), list(leaves.values()))
    assert all(gradient.isfinite().all() for gradient in gradients)


@pytest.mark.parametrize("name", [*PLAIN, *ATTENTIVE])
def test_each_seed_has_parameters_of_its_own(name):
    network = Network(build_cell(CELLS[name]))
    first, again, other_seed, root = (network.initial_parameters(*seeds) for seeds in ((1, 0), (1, 0), (1, 1), (2, 0)))
    network.check(first)
    random_names = [key for key, p in first.items() if p.ndim == 2 and p.abs().max() > 0]
    assert random_names and all(p.dtype == torch.float64 for p in first.values())
    for key, p in first.items():
        assert torch.equal(p, again[key])
        assert torch.equal(p, other_seed[key]) == torch.equal(p, root[key]) == (key not in [*random_names, "v_a", "w"])


@pytest.mark.parametrize("name", [*PLAIN, *ATTENTIVE])
def test_training_lowers_the_loss(normal, name):
    network = Network(build_cell(CELLS[name]))
    theta, x = network.initial_parameters(0, 0), normal(1, 4, 8, INPUTS)
    y = x[..., 0].roll(2, 2)
    engine, losses = AutogradEngine(network, [theta]), []
    optimizer = torch.optim.Adam(list(theta.values()), 0.01)
    for _ in range(60):
        losses.append(engine.losses_and_gradients(x, y).item())
        optimizer.step()
    assert losses[-1] < 0.8 * losses[0]


@pytest.mark.parametrize("name", ATTENTIVE)
def test_what_needs_a_state_of_one_tensor_says_so(normal, name):
    cell = build_cell(CELLS[name])
    with pytest.raises(
        InputError, match=f"'cell' must be one whose state is a single tensor. Got '{CELLS[name].__name__}'"
    ):
        run(cell, cell.initial_parameters(0, 0), normal(2, 5, INPUTS))


@pytest.mark.parametrize(
    ("kind", "settings", "message"),
    [
        (RelRNN, {"short_term": 0}, "'short_term' must be at least 1. Got 0"),
        (RelLSTM, {"relevant": -1}, "'relevant' must be at least 0. Got -1"),
        (MemRNN, {"mix": "max"}, "'mix' must be one of sum, mean. Got 'max'"),
        (RelRNN, {"nonlinearity": "relu"}, "'nonlinearity' must be one of tanh, modrelu. Got 'relu'"),
        (RelLSTM, {"gate_init": 1.0}, "'gate_init' must be in .0, 1.. Got 1.0"),
        (MemLSTM, {"readout_from": "c"}, "'readout_from' must be one of h, s. Got 'c'"),
        (SAB, {"top_k": 0}, "'top_k' must be at least 1. Got 0"),
        (SAB, {"truncation": -1}, "'truncation' must be at least 0. Got -1"),
    ],
)
def test_wrong_settings_are_named(kind, settings, message):
    with pytest.raises(InputError, match=message):
        build_cell(kind, **settings)


def test_the_nonlinearity_is_that_of_the_base(normal):
    cell = build_cell(RelRNN, nonlinearity="modrelu")
    p, x = random_parameters(cell, normal), normal(2, 5, INPUTS)
    with_tanh = hidden_units(replace(cell, nonlinearity="tanh"), p, x)
    assert (hidden_units(cell, p, x) - with_tanh).norm() > 0.1
