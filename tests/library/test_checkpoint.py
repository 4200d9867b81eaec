import errno
import logging
from pathlib import Path

import pytest
import torch

from learnability.core.errors import InputError
from learnability.core.store import WritingFailed
from learnability.training import Checkpoint
from learnability.training.checkpoint import RunState


@pytest.fixture
def checkpoint(tmp_path):
    """Epoch 2, and epoch 1 before it."""
    checkpoint = Checkpoint(tmp_path / "run.ab.pt")
    for epoch in (1, 2):
        checkpoint.save(states(epoch))
    return checkpoint


def states(epoch):
    generator = torch.Generator().manual_seed(epoch)
    tensors = {"U": torch.randn(3, 3, generator=generator), "b": torch.randn((), generator=generator)}
    optimizer = {"state": {0: {"step": torch.tensor(3.0), "exp_avg": tensors["U"]}}, "param_groups": [{"lr": 0.1}]}
    state = RunState(epoch, tensors, optimizer, [{"epoch": 0, "loss": 0.1}], [{"mean": 0.5}], {0: tensors})
    return {"a run": state, "another": RunState()}


def epoch_of(checkpoint):
    return checkpoint.load()["a run"].epoch


def damage(path, content=b"PK\x03\x04 and no archive"):
    path.write_bytes(content)


def test_states_come_back_as_they_were(checkpoint):
    result, expected = checkpoint.load(), states(2)
    assert result.keys() == expected.keys()
    assert result["another"] == RunState()
    state, expected_state = result["a run"], expected["a run"]
    assert (state.epoch, state.curve, state.gates) == (expected_state.epoch, expected_state.curve, expected_state.gates)
    assert all(torch.equal(state.parameters[name], expected_state.parameters[name]) for name in ("U", "b"))
    assert torch.equal(state.optimizer["state"][0]["exp_avg"], expected_state.parameters["U"])
    assert torch.equal(state.snapshots[0]["U"], expected_state.parameters["U"])


def test_the_checkpoint_before_is_kept_beside(checkpoint):
    assert {path.name for path in checkpoint.path.parent.iterdir()} == {"run.ab.pt", "run.ab.previous.pt"}
    assert epoch_of(checkpoint) == 2
    checkpoint.path.unlink()
    assert epoch_of(checkpoint) == 1


def test_without_a_file_there_are_no_states(tmp_path):
    assert Checkpoint(tmp_path / "none.pt").load() == {}


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.99])
def test_a_damaged_checkpoint_gives_way_to_the_one_before_and_says_so(checkpoint, share, caplog):
    content = checkpoint.path.read_bytes()
    damage(checkpoint.path, content[: int(share * len(content))])
    with caplog.at_level(logging.WARNING):
        assert epoch_of(checkpoint) == 1
    assert f"The checkpoint {checkpoint.path} cannot be read" in caplog.text
    checkpoint.save(states(5))  # must not push the damaged file over the good one
    checkpoint.path.unlink()
    assert epoch_of(checkpoint) == 1


@pytest.mark.parametrize("content", [b"", b"a line of text", b"\x00" * 64, bytes(range(256))])
def test_if_none_can_be_read_the_error_names_both_and_nothing_is_touched(checkpoint, content):
    for path in (checkpoint.path, checkpoint.previous):
        damage(path, content)
    with pytest.raises(InputError, match=r"run\.ab\.pt' and '.*run\.ab\.previous\.pt' must be a checkpoint"):
        checkpoint.load()
    assert [path.read_bytes() for path in (checkpoint.path, checkpoint.previous)] == [content] * 2


@pytest.mark.parametrize("content", [{"a run": {"fingerprint": "of something else"}}, {"a run": 5}, [1, 2]], ids=str)
def test_another_file_of_torch_is_no_checkpoint(checkpoint, content):
    checkpoint.previous.unlink()
    torch.save(content, checkpoint.path)
    with pytest.raises(InputError, match=r"run\.ab\.pt' must be a checkpoint"):
        checkpoint.load()


def test_a_full_disk_is_told_in_one_line_and_leaves_all_as_it_was(checkpoint, monkeypatch):
    def fill(path, content, write=Path.write_bytes):
        write(path, bytes(content)[: len(content) // 2])
        raise OSError(errno.ENOSPC, "No space left on device")

    before = {path: path.read_bytes() for path in checkpoint.path.parent.iterdir()}
    monkeypatch.setattr(Path, "write_bytes", fill)
    with pytest.raises(WritingFailed) as caught:
        checkpoint.save(states(3))
    assert str(caught.value) == f"'{checkpoint.path}' could not be written: No space left on device."
    assert {path: path.read_bytes() for path in checkpoint.path.parent.iterdir()} == before


def test_a_finished_run_removes_both_files(checkpoint):
    checkpoint.remove()
    assert not list(checkpoint.path.parent.iterdir())
