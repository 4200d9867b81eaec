"""The native engine against autograd: cells that it trains and does not measure, every readout, loss and mask."""

from itertools import product

import pytest
import torch

from interrupted import interrupt
from learnability import transport
from learnability.cells import ADDITIVE, CELLS, COMPARED, LSTM
from learnability.cells.native import TRAINED
from learnability.core.errors import InputError
from learnability.networks.network import Network, run
from learnability.tasks import Copy, Sequences
from learnability.training import Run, TrainingSettings, train
from learnability.training.engines import AutogradEngine, NativeEngine, choose_engine

INPUTS = 3
PLAIN = [
    {"cell": name, "nonlinearity": nonlinearity}
    for name, nonlinearity in product(("rnn", "orth_rnn", "exp_rnn"), ("tanh", "modrelu"))
]
SCREENING = [{"cell": "rel_rnn", "short_term": 3, "relevant": 2, "mix": "mean"}]
H_DETACH = {"cell": "lstm", "gate_init": 0.4, "h_detach": 0.5}
FEWER_GATES = [{"cell": "lstm", "gate_init": 0.4, "gates": gates} for gates in ("", "if")]
OTHER_CELLS = [
    H_DETACH,
    *FEWER_GATES,
    {"cell": "goru", "gate_init": 0.4},
    {"cell": "rel_lstm", "gate_init": 0.4, "short_term": 3, "relevant": 2, "mix": "mean"},
    {"cell": "mem_rnn", "nonlinearity": "modrelu", "mix": "mean"},
    {"cell": "mem_rnn", "attends_to_current": False, "readout_from": "s"},
    {"cell": "mem_lstm", "gate_init": 0.4},
    {"cell": "sab", "gate_init": 0.4},
    {"cell": "sab", "gate_init": 0.4, "top_k": 3, "truncation": 4, "store_every": 3},
]
SPARSE_ATTENTION = {"cell": "sab", "gate_init": 0.4, "top_k": 2, "truncation": 4, "readout_from": "both"}
ADAM = {"method": "adam", "learning_rate": 0.01}

pytestmark = pytest.mark.parametrize("engine", ["native"])  # left out where there is no compiler


def name_of(settings):
    return "-".join(map(str, settings.values()))


class Double(NativeEngine):
    """The engine in float64, where agreement is close."""

    dtypes = (torch.float64,)


def build(settings, units=7, outputs=4, loss="cross_entropy", readout_bias=True):
    return Network.build(settings, INPUTS, units, readout_bias, outputs, loss)


def data(network, normal, models=1, sequences=5, time=23):
    """Inputs, targets and masks."""
    shape = models, sequences, time
    generator = torch.Generator().manual_seed(2)
    y = torch.randint(network.outputs or 2, shape, generator=generator)
    if network.loss != "cross_entropy":
        y = normal(*shape, *([network.outputs] if network.outputs else []))
    return normal(*shape, INPUTS), y, torch.rand(shape, generator=generator) < 0.4


def in_single(tensor):
    return tensor if tensor.dtype in (torch.int64, torch.bool) else tensor.float()


def evaluate(kind, network, models, x, y, masks=None):
    """Losses and gradients by an engine."""
    copies = [{name: p.clone() for name, p in parameters.items()} for parameters in models]
    generators = [torch.Generator().manual_seed(0) for _ in models] if network.cell.is_noisy else None
    losses, _ = kind(network, copies).losses_and_states(x, y, masks, None, generators)
    return losses, [{name: p.grad for name, p in parameters.items()} for parameters in copies]


def assert_agrees(network, parameters, x, y, masks=None, tolerance=1e-5, least=1e-7):
    losses, (expected,) = evaluate(AutogradEngine, network, [parameters], x, y, masks)
    single = {name: p.float() for name, p in parameters.items()}
    loss, (gradients,) = evaluate(NativeEngine, network, [single], in_single(x), in_single(y), masks)
    assert loss.item() == pytest.approx(losses.item(), rel=tolerance, abs=1e-6)
    assert_near(gradients, expected, tolerance, least)


def assert_near(gradients, expected, tolerance, least=0.0):
    for name, gradient in gradients.items():
        assert gradient.shape == expected[name].shape
        size = expected[name].norm().item()
        assert (gradient.double() - expected[name]).norm().item() <= tolerance * size + least, name


@pytest.mark.parametrize("settings", PLAIN, ids=name_of)
def test_cells_without_gates_agree_with_the_oracle(engine, settings, perturbed, normal):
    for units, shapes in ((1, [(1, 1), (5, 16)]), (17, [(1, 1), (20, 37), (71, 6)])):
        network = build(settings, units)
        parameters = perturbed(network)
        for sequences, time in shapes:
            assert_agrees(network, parameters, *data(network, normal, 1, sequences, time)[:2])


@pytest.mark.parametrize(
    ("short_term", "relevant", "nonlinearity", "mix", "attends_to_current", "readout_from"),
    [  # any two options in all their pairs
        (1, 1, "tanh", "sum", True, "h"),
        (1, 3, "tanh", "mean", False, "s"),
        (1, 3, "modrelu", "mean", True, "h"),
        (3, 2, "modrelu", "mean", False, "h"),
        (3, 2, "tanh", "sum", True, "s"),
        (3, 1, "tanh", "sum", False, "h"),
        (3, 0, "tanh", "mean", True, "h"),
        (40, 1, "modrelu", "mean", True, "s"),
    ],
)
def test_screening_agrees_with_the_oracle(
    engine, short_term, relevant, nonlinearity, mix, attends_to_current, readout_from, perturbed, normal
):
    settings = {"cell": "rel_rnn", "nonlinearity": nonlinearity, "mix": mix, "readout_from": readout_from}
    settings |= {"attends_to_current": attends_to_current, "short_term": short_term, "relevant": relevant}
    network = build(settings)
    parameters = perturbed(network)
    for sequences, time in ((5, 1), (3, 37)):
        assert_agrees(network, parameters, *data(network, normal, 1, sequences, time)[:2])


@pytest.mark.parametrize("settings", [PLAIN[5], *SCREENING, *OTHER_CELLS, SPARSE_ATTENTION], ids=name_of)
def test_in_double_precision_all_but_rounding_agrees_with_the_oracle(engine, settings, perturbed, normal):
    network = build(settings, 8)
    parameters, batch = perturbed(network), data(network, normal, 1, 20, 37)
    losses, (expected,) = evaluate(AutogradEngine, network, [parameters], *batch)
    loss, (gradients,) = evaluate(Double, network, [parameters], *batch)
    assert loss.item() == pytest.approx(losses.item(), rel=1e-13)
    assert_near(gradients, expected, 1e-11)


@pytest.mark.parametrize("settings", OTHER_CELLS, ids=name_of)
def test_in_single_precision_others_agree_with_the_oracle(engine, settings, perturbed, normal):
    network = build(settings, 8)
    parameters = perturbed(network)
    for sequences, time in ((5, 1), (5, 23)):
        assert_agrees(network, parameters, *data(network, normal, 1, sequences, time))


def test_the_steps_that_are_detached_are_those_of_the_oracle(engine, perturbed):
    draw = LSTM(INPUTS, 8, 0.4, h_detach=0.3).detached
    in_turn, generator = torch.Generator().manual_seed(3), torch.Generator().manual_seed(3)
    expected = torch.cat([draw(1, in_turn) for _ in range(400)])
    assert torch.equal(draw(400, generator), expected)
    assert torch.equal(generator.get_state(), in_turn.get_state())
    assert 0.2 < expected.double().mean() < 0.4


@pytest.mark.parametrize("top_k", [1, 3])
def test_of_equal_scores_none_is_recalled(engine, top_k, perturbed, normal):
    network = build({"cell": "sab", "gate_init": 0.4, "top_k": top_k, "store_every": 1}, 8)
    parameters = perturbed(network) | {"v_a": torch.zeros(8).double()}
    assert_agrees(network, parameters, *data(network, normal))


@pytest.mark.parametrize("attends_to_current", [True, False])
def test_of_equal_scores_the_older_states_stay(engine, attends_to_current, perturbed, normal):
    # With so large a v_a one weight is 1 and all others are 0: most states leave the buffer without any attention.
    settings = {"cell": "rel_rnn", "short_term": 2, "relevant": 4, "attends_to_current": attends_to_current}
    network = build(settings)
    parameters = perturbed(network)
    parameters["v_a"] *= 1e6
    for sequences in (5, 40):
        assert_agrees(network, parameters, *data(network, normal, 1, sequences, 30)[:2], tolerance=1e-3)


def test_tiles_of_other_scores_share_no_slot(engine, perturbed, normal):
    network = build(SCREENING[0], 16)
    assert_agrees(network, perturbed(network), *data(network, normal, 1, 71, 40)[:2])


@pytest.mark.parametrize("with_mask", [False, True])
@pytest.mark.parametrize(
    ("settings", "outputs", "loss"),
    [
        *(({"cell": "gru", "gate_init": 0.3}, outputs, "squared_error") for outputs in (0, 1, 9)),
        *((settings, 9, "cross_entropy") for settings in ({"cell": "gru", "gate_init": 0.3}, *SCREENING)),
        (*SCREENING, 1, "squared_error"),
    ],
    ids=str,
)
def test_every_readout_loss_and_mask_agrees_with_the_oracle(
    engine, settings, outputs, loss, with_mask, perturbed, normal
):
    for readout_bias, sequences in ((True, 5), (False, 37)):
        network = build(settings, outputs=outputs, loss=loss, readout_bias=readout_bias)
        x, y, masks = data(network, normal, 1, sequences)
        masks[0, 0] = False
        assert_agrees(network, perturbed(network), x, y, masks if with_mask else None)


@pytest.mark.parametrize("settings", [PLAIN[5], *SCREENING, H_DETACH, *OTHER_CELLS[-2:]], ids=name_of)
def test_runs_side_by_side_and_threads_change_no_bit(engine, settings, perturbed, normal):
    network = build(settings, 8)
    models = [{name: p.float() for name, p in perturbed(network).items()} for _ in range(3)]
    x, y, masks = (in_single(part) for part in data(network, normal, 3))
    losses, gradients = evaluate(NativeEngine, network, models, x, y, masks)
    try:
        for threads in (1, 2):
            torch.set_num_threads(threads)
            for m in range(3):
                alone = (part[m : m + 1].clone() for part in (x, y, masks))
                (loss,), (gradient,) = evaluate(NativeEngine, network, models[m : m + 1], *alone)
                assert torch.equal(loss, losses[m])
                assert all(torch.equal(gradient[name], gradients[m][name]) for name in gradient)
    finally:
        torch.set_num_threads(1)


@pytest.mark.parametrize(
    "settings", [{"cell": "rel_rnn", "short_term": 2, "relevant": 2}, H_DETACH, {"cell": "mem_rnn"}], ids=name_of
)
def test_training_goes_on_bit_for_bit(engine, settings, tmp_path):
    task = Copy(4, root_seed=1, seed=0, symbols=2, alphabet=3)
    network = Network.for_task(settings, task, 8, readout_bias=True)
    splits = [task.generate(split, 20) for split in ("training", "validation")]
    run_of, settings = Run("a run", ADAM, 1, 0, *splits, task), TrainingSettings(engine, 4, 6, 1.0, "mean", fresh=True)

    (whole,) = train(network, settings, [run_of], tmp_path / "whole.pt")
    interrupt(network, settings, [run_of], tmp_path / "run.pt", 2)
    (resumed_run,) = train(network, settings, [run_of], tmp_path / "run.pt")
    (slow,) = train(
        network, TrainingSettings("autograd", 4, 6, 1.0, "mean", fresh=True), [run_of], tmp_path / "slow.pt"
    )
    assert whole.curve.equals(resumed_run.curve)
    for name, p in whole.parameters.items():
        assert torch.equal(p, resumed_run.parameters[name])
        torch.testing.assert_close(p, slow.parameters[name], rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("with_mask", [False, True])
def test_training_with_masks_is_that_of_the_oracle(engine, with_mask, normal, tmp_path):
    network = build({"cell": "exp_rnn"})
    x, y, masks = (in_single(part[0]).numpy() for part in data(network, normal, 1, 12))
    sequences = Sequences(x, y, masks if with_mask else None)
    run_of = Run("a run", ADAM, 1, 0, sequences, sequences)
    settings = {"epochs": 3, "batch_size": 5, "gradient_clip": 1.0, "loss_reduction": "sum"}
    result, expected = (
        train(network, TrainingSettings(name, **settings), [run_of], tmp_path / f"{name}.pt")[0]
        for name in (engine, "autograd")
    )
    for name, p in result.parameters.items():
        torch.testing.assert_close(p, expected.parameters[name], rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("settings", [*PLAIN, *SCREENING, *OTHER_CELLS], ids=name_of)
def test_nan_is_not_hidden(engine, settings, normal):
    network = build(settings, 8)
    parameters = {name: p.float() for name, p in network.initial_parameters(0, 0).items()}
    x, y, _ = (in_single(part) for part in data(network, normal))
    x[0, 1, 7, 0] = torch.nan
    losses, _ = evaluate(NativeEngine, network, [parameters], x, y)
    assert losses.isnan().all()


def test_states_are_those_of_the_cell(engine, perturbed, normal):
    for settings in (*PLAIN, *OTHER_CELLS[:2]):
        network = build(settings, 8)
        parameters, x = perturbed(network), normal(1, 5, 9, INPUTS)
        single = {name: p.float() for name, p in parameters.items()}
        (states,) = NativeEngine(network, [single]).states(x.float())
        torch.testing.assert_close(states.double(), run(network.cell, parameters, x[0]), rtol=1e-5, atol=2e-5)
    network = build(SCREENING[0])
    single = {name: p.float() for name, p in network.initial_parameters(0, 0).items()}
    with pytest.raises(InputError, match=r"'cell' must be one whose state is a single tensor\. Got 'RelRNN'"):
        NativeEngine(network, [single]).states(x.float())


def test_one_number_of_what_is_recalled_is_left_to_others(engine):
    network = Network.build(SPARSE_ATTENTION, INPUTS, 4, True)
    assert choose_engine("auto", "cpu", network)[0] == "autograd"


def test_classes_that_the_network_does_not_have_are_refused(engine, normal):
    network = build(PLAIN[0])
    parameters = {name: p.float() for name, p in network.initial_parameters(0, 0).items()}
    x, y, _ = (in_single(part) for part in data(network, normal))
    for wrong in (-1, 4):
        y[0, 2, 3] = wrong
        with pytest.raises(InputError, match=r"'targets' must be classes from 0 to 3\. Got"):
            NativeEngine(network, [parameters]).losses_and_gradients(x, y)


def test_auto_takes_the_engine_and_says_what_it_lacks(engine):
    assert set(TRAINED) == set(CELLS.values()) - {*ADDITIVE.values(), *COMPARED.values()}
    for settings in (*PLAIN, *SCREENING, *OTHER_CELLS):
        network = build(settings, 8)
        assert choose_engine("auto", "cpu", network, ["masks"]) == (engine, "auto: the fastest on the CPU")
        reason = "auto: the native engine lacks truncation"
        assert choose_engine("auto", "cpu", network, ["masks", "truncation"]) == ("autograd", reason)
    assert isinstance(transport.choose_engine("auto", build(PLAIN[0]).cell), transport.TorchEngine)
