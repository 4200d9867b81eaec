"""Each training on a device of its own, without a GPU: the devices are names."""

import multiprocessing
import signal

import pytest

from learnability.core.devices import claimed, training_device
from learnability.core.errors import InputError

DEVICES = ["GPU-a", "GPU-b"]


def hold(folder, answer):
    with claimed(DEVICES, folder, pause=0.01) as place:
        answer.send(place)
        signal.pause()


@pytest.fixture
def start(tmp_path):
    """Start a process that holds a device until it is killed, and by which it says which."""
    context, started = multiprocessing.get_context("spawn"), []

    def start():
        answer, sender = context.Pipe(duplex=False)
        started.append(context.Process(target=hold, args=(tmp_path, sender)))
        started[-1].start()
        return started[-1], answer

    yield start
    for process in started:
        process.kill()
        process.join()


def test_jobs_take_a_device_each_and_the_next_waits_until_one_is_free(start):
    (first, answer), (_, other) = start(), start()
    place = answer.recv()
    assert {place, other.recv()} == {0, 1}
    _, waiting = start()
    assert not waiting.poll(1)
    first.kill()  # frees its device like any other end
    assert waiting.recv() == place


def test_a_device_is_free_again_after_use(tmp_path):
    for _ in range(2):
        with claimed(DEVICES, tmp_path) as first, claimed(DEVICES, tmp_path) as second:
            assert (first, second) == (0, 1)


def test_devices_are_known_by_identity_not_by_place(tmp_path):
    """Two processes may see the same device at different places, and different ones at the same place."""
    with claimed(DEVICES, tmp_path) as first, claimed(DEVICES[1:], tmp_path) as other:
        assert DEVICES[first] != DEVICES[1:][other]
        with claimed(["GPU-c"], tmp_path) as third:
            assert third == 0


@pytest.mark.parametrize("name", ["cpu", "auto"])
def test_without_a_gpu_the_device_is_the_cpu(name, monkeypatch, caplog):
    monkeypatch.setattr("learnability.core.devices.gpus", list)
    with caplog.at_level("INFO"), training_device(name) as device:
        assert device == "cpu"
    assert "Device: cpu" in caplog.text


def test_a_gpu_that_is_asked_for_must_be_there(monkeypatch):
    monkeypatch.setattr("learnability.core.devices.gpus", list)
    with pytest.raises(InputError, match=r"'training\.device' must be cpu or auto .* Got 'cuda'"):
        training_device("cuda").__enter__()


def test_a_visible_gpu_is_taken(monkeypatch, tmp_path):
    chosen = []
    monkeypatch.setattr("learnability.core.devices.gpus", lambda: DEVICES)
    monkeypatch.setattr("learnability.core.devices.LOCKS", tmp_path)
    monkeypatch.setattr("torch.cuda.set_device", chosen.append)
    for name in ("cuda", "auto"):
        with training_device(name) as device:
            assert device == "cuda"
    assert chosen == [0, 0]
