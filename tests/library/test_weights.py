import pytest
import torch

from learnability.core.errors import InputError
from learnability.networks.weights import read_snapshots, read_weights, write_snapshots, write_weights


@pytest.fixture
def weights(parameters):
    return {name: p.float() for name, p in parameters.items()}


def assert_equal(result, expected):
    assert set(result) == set(expected)
    for name, p in expected.items():
        assert result[name].dtype == torch.float64
        assert torch.equal(result[name], p.double())


def test_weights_come_back_exactly_in_float64(weights, tmp_path):
    write_weights(weights, tmp_path / "a.safetensors", {"seed": 1})
    assert_equal(read_weights(tmp_path / "a.safetensors"), weights)


def test_snapshots_come_back_by_epoch_in_order(weights, tmp_path):
    snapshots = {epoch: {name: p + epoch for name, p in weights.items()} for epoch in (0, 1, 2, 5, 10, 20, 100)}
    write_snapshots(snapshots, tmp_path / "a.safetensors", {})
    result = read_snapshots(tmp_path / "a.safetensors")
    assert list(result) == list(snapshots)
    for epoch, expected in snapshots.items():
        assert_equal(result[epoch], expected)


def test_the_same_weights_give_the_same_bytes_and_other_settings_do_not(weights, tmp_path):
    for name, settings in (("a", {"x": 1, "y": 2}), ("b", {"y": 2, "x": 1}), ("c", {"x": 1, "y": 3})):
        write_weights(weights, tmp_path / name, settings)
    a, b, c = ((tmp_path / name).read_bytes() for name in "abc")
    assert a == b
    assert a != c


def test_a_file_that_holds_no_weights_is_refused_by_name(weights, tmp_path):
    path = tmp_path / "a.safetensors"
    write_weights(weights, path, {"seed": 1})
    content = path.read_bytes()
    for broken in (*(content[:length] for length in range(0, len(content), 7)), b"text", b"\xff" * 100):
        path.write_bytes(broken)
        with pytest.raises(InputError, match=r"a\.safetensors' must be a safetensors file"):
            read_weights(path)
    with pytest.raises(InputError, match=r"none\.safetensors' must be a safetensors file"):
        read_weights(tmp_path / "none.safetensors")


def test_weights_without_epochs_are_no_snapshots(weights, tmp_path):
    write_weights(weights, tmp_path / "a.safetensors", {})
    with pytest.raises(InputError, match=r"a\.safetensors' must be "):
        read_snapshots(tmp_path / "a.safetensors")


def test_weights_are_as_open_as_other_files(tmp_path):
    (tmp_path / "other").write_text("")
    write_weights({"W": torch.zeros(2)}, tmp_path / "weights", {})
    assert (tmp_path / "weights").stat().st_mode == (tmp_path / "other").stat().st_mode
