"""Trainings on a device each, without a GPU: the devices are names."""

import multiprocessing
import os
import re
import signal

import pytest

from learnability.core.devices import claimed, training_device
from learnability.core.errors import InputError
from learnability.core.store import private_folder
from planted import give_away

DEVICES = ["GPU-a", "GPU-b"]


def hold(folder, answer):
    with claimed(DEVICES, folder, pause=0.01) as place:
        answer.send(place)
        signal.pause()


@pytest.fixture
def start(tmp_path):
    """Start a process that holds a device until it is killed, and by which it says which."""
    context, processes = multiprocessing.get_context("spawn"), []

    def start():
        answer, sender = context.Pipe(duplex=False)
        processes.append(context.Process(target=hold, args=(tmp_path, sender)))
        processes[-1].start()
        return processes[-1], answer

    yield start
    for process in processes:
        process.kill()
        process.join()


def test_jobs_take_a_device_each_and_the_next_waits_until_one_is_free(start):
    (first, answer), (_, second_answer) = start(), start()
    place = answer.recv()
    assert {place, second_answer.recv()} == {0, 1}
    _, third_answer = start()
    assert not third_answer.poll(1)
    first.kill()  # frees its device like any other end
    assert third_answer.recv() == place


def test_a_device_is_free_again_after_use(tmp_path):
    for _ in range(2):
        with claimed(DEVICES, tmp_path) as first, claimed(DEVICES, tmp_path) as second:
            assert (first, second) == (0, 1)


def test_devices_are_known_by_identity_not_by_place(tmp_path):
    """Two processes may see the same device at different places, and different ones at the same place."""
    with claimed(DEVICES, tmp_path) as first, claimed(DEVICES[1:], tmp_path) as second:
        assert DEVICES[first] != DEVICES[1:][second]
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
    devices = []
    monkeypatch.setattr("learnability.core.devices.gpus", lambda: DEVICES)
    monkeypatch.setattr("learnability.core.devices.lock_folder", lambda: tmp_path)
    monkeypatch.setattr("torch.cuda.set_device", devices.append)
    for name in ("cuda", "auto"):
        with training_device(name) as device:
            assert device == "cuda"
    assert devices == [0, 0]


def assert_refused(folder):
    with pytest.raises(InputError, match=re.escape(f"'{folder}")) as caught, claimed(DEVICES, folder):
        pass
    assert "\n" not in str(caught.value)


def test_a_lock_that_is_a_link_is_refused_and_what_it_leads_to_stays(tmp_path):
    precious = tmp_path / "thesis.tex"
    precious.write_text("years of work")
    folder = tmp_path / "locks"
    folder.mkdir()
    (folder / f"{DEVICES[0]}.lock").symlink_to(precious)
    assert_refused(folder)
    (folder / f"{DEVICES[0]}.lock").unlink()
    (folder / f"{DEVICES[0]}.lock").hardlink_to(precious)
    with claimed(DEVICES, folder):
        pass
    assert precious.read_text() == "years of work"


def test_a_lock_that_is_no_file_is_refused(tmp_path):
    os.mkfifo(tmp_path / f"{DEVICES[0]}.lock")
    assert_refused(tmp_path)


def test_a_lock_folder_that_is_a_link_a_file_or_another_users_is_refused(tmp_path, monkeypatch):
    target, link, file, foreign_folder = (tmp_path / name for name in ("target", "link", "file", "planted"))
    target.mkdir()
    link.symlink_to(target)
    file.touch()
    foreign_folder.mkdir()
    assert_refused(link)
    assert_refused(file)
    give_away(foreign_folder, monkeypatch)
    assert_refused(foreign_folder)
    assert not list(target.iterdir()) + list(foreign_folder.iterdir())


def test_a_folder_of_ones_own_is_closed_to_others(tmp_path):
    folder = tmp_path / "open"
    folder.mkdir()
    folder.chmod(0o777)
    assert private_folder(folder).stat().st_mode & 0o777 == 0o755
    assert private_folder(tmp_path / "new").stat().st_mode & 0o077 == 0
