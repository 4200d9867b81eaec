"""Tasks of what is read: pixels and characters, their files, and files that are not what they should be."""

import gzip
import hashlib
import os
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from zipfile import ZipFile

import numpy as np
import pytest

from learnability.core.downloads import fetch
from learnability.core.errors import InputError
from learnability.core.store import read_dataset, read_table
from learnability.tasks import Characters, Pixels, Task
from learnability.tasks.pixels import NPZ
from learnability.tasks.sources import BUILT_IN, DATA, SPLITS

PIXELS, CHARACTERS = Pixels(64, root_seed=1, seed=0), Characters(50, root_seed=1, seed=0)
TEXT = "a b _ ä\n" * 30
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture(autouse=True)
def cache(monkeypatch, tmp_path):
    """Downloads are kept in a folder of the test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "learnability"


@pytest.fixture
def images(tmp_path):
    """An .npz file of 14 images of 2 x 3 pixels, 3 classes."""
    generator, path = np.random.default_rng(0), tmp_path / "images.npz"
    x, y = generator.integers(0, 256, (14, 2, 3), dtype=np.uint8), np.arange(14, dtype=np.uint8) % 3
    x[0, 0, 0] = 255
    np.savez(path, x_train=x[:12], y_train=y[:12], x_test=x[12:], y_test=y[12:])
    return path, x, y


def test_files_of_the_library_are_what_they_are_said_to_be():
    for name, sha256 in BUILT_IN.values():
        assert digest(DATA / name) == sha256


def test_an_image_is_shown_pixel_by_pixel(images):
    path, x, y = images
    task = Pixels(6, 1, 0, str(path), digest(path))
    splits = {split: task.generate(split, count) for split, count in zip(SPLITS, (10, 2, 2), strict=True)}
    number = 0
    for sequences in splits.values():
        for inputs, targets, mask in zip(sequences.inputs, sequences.targets, sequences.mask, strict=True):
            pixels = [row for line in x[number] for row in line]
            for t in range(6):
                assert inputs[t, 0] == pytest.approx(pixels[task.order[t]] / 255)
            assert targets[-1] == y[number]
            assert list(mask) == [False] * 5 + [True]
            number += 1
    assert number == 14
    assert (task.input_size, task.outputs, task.baseline) == (1, 3, pytest.approx(np.log(3)))


def test_the_order_of_pixels_is_of_the_seed_and_the_same_for_all():
    assert sorted(PIXELS.order) == list(range(64))
    np.testing.assert_array_equal(PIXELS.order, replace(PIXELS, shares=(0.5, 0.2, 0.2)).order)
    for variant in (replace(PIXELS, seed=1), replace(PIXELS, root_seed=2)):
        assert (PIXELS.order != variant.order).any()


def test_digits_are_ten_classes_about_equally_often():
    parts = [PIXELS.generate(split, count) for split, count in zip(SPLITS, (1284, 256, 257), strict=True)]
    assert isinstance(PIXELS, Task)
    labels = np.concatenate([part.targets[:, -1] for part in parts])
    shares = np.bincount(labels) / 1797
    assert len(shares) == 10
    assert PIXELS.baseline == pytest.approx(np.log(10))
    assert -(shares * np.log(shares)).sum() == pytest.approx(PIXELS.baseline, rel=1e-3)
    for part in parts:
        assert part.inputs.min() == 0
        assert part.inputs.max() == 1
        assert part.mask.sum() == len(part.mask)


def test_mnist_is_divided_as_usual():
    ends = np.cumsum([round(70000 * share) for share in PIXELS.shares])
    assert list(ends) == [50000, 60000, 70000]


def test_the_target_is_the_next_character(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text(TEXT, encoding="utf-8")
    for drop_spaces, text in ((False, TEXT), (True, TEXT.replace(" ", ""))):
        task = Characters(7, 1, 0, str(path), digest(path), drop_spaces, (0.5, 0.25, 0.25))
        assert task.characters == "".join(sorted(set(text)))
        ends = [0, len(text) // 2, 3 * len(text) // 4, len(text)]
        for split, start, end in zip(SPLITS, ends, ends[1:], strict=False):
            part = text[start:end]
            count = (len(part) - 1) // 7
            sequences = task.generate(split, count)
            assert sequences.mask is None
            for n in range(count):
                for t in range(7):
                    place = 7 * n + t
                    assert task.characters[sequences.inputs[n, t].argmax()] == part[place]
                    assert task.characters[sequences.targets[n, t]] == part[place + 1]
            with pytest.raises(
                InputError, match=f"'task.{split}_sequences' must be at most the {count} that there are"
            ):
                task.generate(split, count + 1)


def test_the_text_of_the_library_is_long_enough_to_learn_from():
    assert isinstance(CHARACTERS, Task)
    training = CHARACTERS.generate("training", 8000)
    assert training.inputs.shape == (8000, 50, CHARACTERS.input_size)
    assert set(LETTERS) < set(CHARACTERS.characters)


def test_the_baseline_of_characters_is_the_entropy_of_their_shares():
    text = gzip.decompress((DATA / "topics.txt.gz").read_bytes()).decode()
    counts = Counter(text[: round(0.9 * len(text))])
    shares = {character: count / counts.total() for character, count in counts.items()}
    loss = {name: -np.log(share) for name, share in shares.items()}
    assert CHARACTERS.baseline == pytest.approx(sum(shares[name] * loss[name] for name in shares))
    wrong_shares = dict(zip(shares, np.roll(list(shares.values()), 1), strict=True))
    assert CHARACTERS.baseline < sum(-shares[name] * np.log(wrong_shares[name]) for name in shares)
    assert CHARACTERS.baseline < np.log(CHARACTERS.outputs)


@pytest.mark.parametrize("task", [PIXELS, CHARACTERS], ids=["pixels", "characters"])
def test_splits_are_the_same_again_share_nothing_and_are_all_there_is(task):
    parts = [task.generate(split, 20) for split in SPLITS]
    for sequences, split in zip(parts, SPLITS, strict=True):
        np.testing.assert_array_equal(sequences.inputs, task.generate(split, 20).inputs)
        np.testing.assert_array_equal(sequences.inputs[:5], task.generate(split, 5).inputs)
    rows = [row.tobytes() for sequences in parts for row in sequences.inputs]
    assert len(set(rows)) == len(rows)
    with pytest.raises(InputError, match=r"'split' must be one of training, validation, diagnostic. Got 'fresh 1'"):
        task.generate("fresh 1", 1)
    with pytest.raises(InputError, match=r"'task.validation_sequences' must be at most the \d+ that there are"):
        task.generate("validation", 10**6)


def test_an_image_has_the_pixels_that_are_said():
    with pytest.raises(InputError, match=r"'task.duration' must be 64, the pixels of an image. Got 784"):
        replace(PIXELS, duration=784).generate("training", 1)


@pytest.mark.parametrize("kind", [Pixels, Characters])
def test_nothing_is_read_before_it_is_asked_for(kind):
    task = kind(784, 1, 0, "http://127.0.0.1:9/mnist.npz", 64 * "0")
    assert (task.duration, task.loss, task.dependencies) == (784, "cross_entropy", {})
    with pytest.raises(InputError, match="must be a URL within reach"):
        task.generate("training", 1)


def test_a_url_is_read_once_and_kept(images, cache):
    path, *_ = images
    url, sha256 = path.as_uri(), digest(path)
    file = fetch(url, sha256)
    assert file.read_bytes() == path.read_bytes()
    path.unlink()
    assert fetch(url, sha256) == file
    assert list(cache.iterdir()) == [file]


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("file:///nowhere/mnist.npz", r"'file:///nowhere/mnist.npz' must be a URL within reach; .* Got URLError"),
        ("http://127.0.0.1:9/mnist.npz", "must be a URL within reach; where there is no network, give the path"),
        ("nothing://mnist.npz", "must be a URL within reach"),
    ],
)
def test_what_is_out_of_reach_is_told_in_one_line_and_leaves_nothing(cache, url, message):
    with pytest.raises(InputError, match=message) as caught:
        fetch(url, 64 * "0")
    assert "\n" not in str(caught.value)
    assert not cache.exists()


def test_a_file_that_is_another_is_refused_and_not_kept(images, cache):
    path, *_ = images
    for source in (str(path), path.as_uri()):
        with pytest.raises(InputError, match=f"must be the file with SHA-256 {64 * '0'}. Got '{digest(path)}'"):
            fetch(source, 64 * "0")
    assert not cache.exists()


def test_a_kept_file_that_was_damaged_is_named(images):
    path, *_ = images
    file = fetch(path.as_uri(), digest(path))
    file.write_bytes(b"cut short")
    with pytest.raises(InputError, match=rf"'{file}' must be the file with SHA-256"):
        fetch(path.as_uri(), digest(path))


def test_a_path_that_there_is_not_is_named(tmp_path):
    with pytest.raises(InputError, match=r"'.*none.npz' must be a file that can be read. Got FileNotFoundError"):
        fetch(str(tmp_path / "none.npz"), 64 * "0")


@pytest.mark.parametrize(
    ("kind", "name", "content", "message"),
    [
        (Pixels, "a.npz", b"no archive", "'.*a.npz' must be an .npz file of images"),
        (Characters, "a.txt", b"\xff\xfe\xfd", "'.*a.txt' must be a text in UTF-8"),
        (Characters, "a.txt.gz", b"not compressed", "'.*a.txt.gz' must be a text in UTF-8"),
        (Characters, "a.txt", b"aaaa", "'.*a.txt' must be a text of more than one character"),
    ],
)
def test_a_file_of_another_kind_is_named(tmp_path, kind, name, content, message):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        kind(6, 1, 0, str(path), digest(path)).generate("training", 1)


X, Y = np.ones((3, 2, 2)), np.zeros(3, np.int64)
IMAGES = {
    "text": {"x": np.full((3, 2, 2), "dark")},
    "dates": {"x": np.full((3, 2, 2), np.datetime64("2026-11-27"))},
    "complex": {"x": X * 1j},
    "objects": {"x": np.full((3, 2, 2), None)},
    "records": {"x": np.zeros((3, 2, 2), [("a", float)])},
    "no pixels": {"x": np.ones((3, 0, 2))},
    "one number": {"x": np.float64(1)},
    "NaN": {"x": np.where(np.eye(2), np.nan, X)},
    "infinite": {"x": X * np.inf},
    "below 0": {"x": -X},
    "all 0": {"x": 0 * X},
    "other sizes": {"x_test": np.ones((3, 3, 2))},
    "classes of text": {"y": np.full(3, "a")},
    "classes that are no whole numbers": {"y": np.zeros(3)},
    "classes below 0": {"y": Y - 1},
    "a class beyond all": {"y": Y + 2**60},
    "fewer classes": {"y": Y[:2]},
    "tables of classes": {"y": np.zeros((3, 2), np.int64)},
}


@pytest.mark.parametrize("case", IMAGES)
def test_images_that_are_none_are_refused_in_one_line(tmp_path, case):
    path, changes = tmp_path / "images.npz", IMAGES[case]
    arrays = {f"{name}_{part}": {"x": X, "y": Y}[name] for name in "xy" for part in ("train", "test")}
    arrays |= {name: changes.get(name, changes.get(name[0], array)) for name, array in arrays.items()}
    np.savez(path, **arrays)
    with pytest.raises(InputError, match=r"must be an \.npz file of images x_train") as caught:
        Pixels(4, 1, 0, str(path), digest(path)).generate("training", 1)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["an array alone", "half an archive", "another archive", "a damaged member"])
def test_files_that_are_no_archive_of_images_are_refused_in_one_line(tmp_path, images, name):
    path, content = tmp_path / "a.npz", images[0].read_bytes()
    match name:
        case "an array alone":
            with path.open("wb") as file:
                np.save(file, X)
        case "half an archive":
            path.write_bytes(content[: len(content) // 2])
        case "another archive":
            with ZipFile(path, "w") as archive:
                archive.writestr("letter.txt", "dear")
        case "a damaged member":
            path.write_bytes(content.replace(b"NUMPY", b"NUMPX", 1))
    with pytest.raises(InputError, match=r"must be an \.npz file of images x_train") as caught:
        Pixels(4, 1, 0, str(path), digest(path)).generate("training", 1)
    assert "\n" not in str(caught.value)


def test_images_too_large_are_refused_by_what_the_file_says_of_them(tmp_path, images, monkeypatch):
    monkeypatch.setattr("learnability.tasks.pixels.LARGEST", 100)
    monkeypatch.setattr("numpy.load", lambda *_: pytest.fail("it was read"))
    with pytest.raises(InputError, match="must be images of at most"):
        Pixels(6, 1, 0, str(images[0]), digest(images[0])).generate("training", 1)


def test_a_text_that_unpacks_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("learnability.tasks.characters.LARGEST", 1000)
    path = tmp_path / "a.txt.gz"
    path.write_bytes(gzip.compress(b"ab" * 10**6))
    with pytest.raises(InputError, match="must be a text of at most"):
        Characters(6, 1, 0, str(path), digest(path)).generate("training", 1)
    path.write_bytes(gzip.compress(b"ab" * 100)[:-9])
    with pytest.raises(InputError, match="must be a text in UTF-8"):
        Characters(6, 1, 0, str(path), digest(path)).generate("training", 1)


def test_a_pipe_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for read in (lambda path: fetch(path, 64 * "0"), read_table, read_dataset):
        with pytest.raises(InputError, match="Got OSError: a pipe, a socket or a device"):
            read(str(tmp_path / "pipe"))
    with pytest.raises(InputError, match="a pipe, a socket or a device"):
        fetch("/dev/zero", 64 * "0")


@pytest.mark.parametrize(
    "source",
    [
        *("http://[::1", "http://host:port/a.npz", "http://host:99999/a", "://", "http://a b/\x00", "~nobody.of/a.npz"),
        *(f"http://127.0.0.1:9/{'long' * 100}", "http://127.0.0.1:9/a\nb", "a\x00b", "long" * 100, "", "\ud800"),
    ],
)
def test_what_is_no_place_is_refused_in_one_line(source):
    with pytest.raises(InputError) as caught:
        fetch(source, 64 * "0")
    assert "\n" not in str(caught.value)
    if "://" in source and "127" not in source:
        with pytest.raises(InputError, match=r"'task\.source' must be a URL"):
            Pixels(6, 1, 0, source, 64 * "0")


class Server(ThreadingHTTPServer):
    """Gives the same bytes to everyone, in its way."""

    daemon_threads = True

    def __init__(self, answer):
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                with suppress(OSError):
                    answer(self)

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        self.stopped, self.sent = Event(), 0
        Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}/data.npz"


@pytest.fixture
def serve():
    """Start a server that answers in a way."""
    servers = []

    def serve(answer):
        servers.append(Server(answer))
        return servers[-1]

    yield serve
    for server in servers:
        server.stopped.set()
        server.shutdown()
        server.server_close()


def trickle(handler):
    handler.send_response(200)
    handler.end_headers()
    handler.wfile.write(b"PK")
    while not handler.server.stopped.wait(0.02):
        handler.wfile.write(b".")


def trickle_headers(handler):
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    while not handler.server.stopped.wait(0.02):
        handler.wfile.write(b"X: y\r\n" if handler.server.sent % 2 else b"X")


@pytest.mark.parametrize("answer", [trickle, trickle_headers])
def test_a_server_that_trickles_is_given_up(serve, answer, monkeypatch, cache):
    monkeypatch.setattr("learnability.core.downloads.SECONDS_IN_ALL", 0.5)
    with pytest.raises(InputError, match=r"must be a URL within reach; .* Got no end of it within 0\.5 s"):
        fetch(serve(answer).url, 64 * "0", NPZ)
    assert not cache.exists()


def page(handler, body=b"<html>not found</html>", length=None):
    handler.send_response(200)
    handler.send_header("Content-Length", str(length or len(body)))
    handler.end_headers()
    for _ in range(60):
        handler.wfile.write(body[:2].ljust(2**20, b" "))
        handler.server.sent += 1


def test_a_wrong_file_is_not_read_to_its_end(serve, cache):
    server = serve(partial(page, length=60 * 2**20))
    with pytest.raises(InputError, match=r"must be an \.npz file of images .*, which begins with b'PK'\. Got b'<h'"):
        fetch(server.url, 64 * "0", NPZ)
    assert server.sent < 30
    larger = serve(partial(page, body=b"PK", length=2**40))
    with pytest.raises(InputError, match=r"must be a file of at most 4 GiB\. Got '1024\.0 GiB'"):
        fetch(larger.url, 64 * "0", NPZ)
    short = serve(partial(page, body=b"PK", length=61 * 2**20))
    with pytest.raises(InputError, match="must be a URL within reach"):
        fetch(short.url, 64 * "0", NPZ)
    assert not cache.exists()


def test_images_without_their_classes_are_named(tmp_path):
    path = tmp_path / "images.npz"
    np.savez(path, x_train=np.ones((3, 2, 2)), x_test=np.ones((1, 2, 2)))
    with pytest.raises(InputError, match=r"must be an .npz file of images x_train, x_test and their classes"):
        Pixels(4, 1, 0, str(path), digest(path)).generate("training", 1)


@pytest.mark.parametrize("task", [PIXELS, CHARACTERS], ids=["pixels", "characters"])
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"source": "a.npz"}, r"'task.sha256' must be the SHA-256 of 'a.npz', 64 hexadecimal digits. Got ''"),
        ({"shares": (0.5, 0.5)}, "'task.shares' must be above 0"),
        ({"shares": (0.9, 0.1, 0.1)}, "'task.shares' must be above 0, 1 in sum at most"),
        ({"shares": (0.9, 0.1, 0.0)}, "'task.shares' must be above 0"),
    ],
)
def test_wrong_settings_are_refused_by_name(task, changes, message):
    with pytest.raises(InputError, match=message):
        replace(task, **changes)
