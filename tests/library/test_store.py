import json
import os
import socket
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import xarray as xr

from learnability.core import store
from learnability.core.errors import InputError
from learnability.core.store import (
    WritingFailed,
    read_dataset,
    read_json,
    read_table,
    read_tables,
    write_dataset,
    write_json,
    write_table,
    write_text,
    writing,
)
from learnability.report.style import Style, write_figure


def dataset():
    rng = np.random.default_rng(1)
    return xr.Dataset(
        {
            "statistic": (("lag", "unit"), rng.standard_normal((3, 4)) * 1e-70, {"units": "1"}),
            "envelope": ("lag", np.array([1.0, np.inf, np.nan])),
            "count": ("lag", np.array([1, 2, 3], dtype=np.int32)),
        },
        coords={"lag": ("lag", np.array([4, 8, 12], dtype=np.int32), {"units": "steps"})},
        attrs={"base_rate": 1e-3},
    )


def table():
    values = np.random.default_rng(2).standard_normal(50) * 10.0 ** np.arange(-150, 150, 6)
    return pd.DataFrame(
        {
            "lag": np.arange(50),
            "value": values,
            "sample_complexity": [25.0, np.inf] * 25,
            "flag": [True, False] * 25,
            "name": "a, b",
        }
    )


def figure():
    style = Style(["a"], {"a": "#0173b2"}, {"a": "A"}, width_mm=175, font_size=7)
    figure, axes = style.panels(2)
    for ax in axes:
        ax.plot(np.arange(10), np.arange(10) ** 2, color=style.colours["a"], label=style.labels["a"])
        ax.legend()
    return figure


def test_a_finished_file_replaces_the_old_one_and_leaves_nothing_else(tmp_path):
    path = tmp_path / "new" / "folder" / "a.txt"
    for text in ("first", "second"):
        with writing(path) as temporary:
            assert temporary.parent == path.parent
            temporary.write_text(text)
            assert not path.exists() or path.read_text() == "first"
        assert path.read_text() == text
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path, error):
    path = tmp_path / "a.txt"
    path.write_text("old")

    def fail():
        with writing(path) as temporary:
            temporary.write_text("half")
            raise error

    with pytest.raises(error):
        fail()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_before_the_first_byte_leaves_nothing(tmp_path):
    def fail():
        with writing(tmp_path / "a.txt"):
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert not list(tmp_path.iterdir())


def test_what_a_killed_writer_left_goes_with_the_next_writing_of_its_file(tmp_path):
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    host = socket.gethostname()
    leftover = tmp_path / f".{host}.{dead.pid}.a.txt"
    other_names = [
        f".{host}.{os.getppid()}.a.txt",
        f".elsewhere.{dead.pid}.a.txt",
        f".{host}.{dead.pid}.b.txt",
        ".a.txt",
    ]
    for path in (leftover, *(tmp_path / name for name in other_names)):
        path.write_text("half")
    write_text("whole", tmp_path / "a.txt")
    assert {path.name for path in tmp_path.iterdir()} == {"a.txt", *other_names}


def test_a_file_is_written_under_a_name_that_nobody_could_have_linked(tmp_path, monkeypatch):
    names = []
    for _ in range(2):
        with writing(tmp_path / "a.txt") as temporary:
            names.append(temporary.name)
    assert len(set(names)) == 2
    (tmp_path / "theirs").write_text("theirs")
    monkeypatch.setattr("learnability.core.store.secrets.token_hex", lambda _: "guessed")
    guess = tmp_path / f".{socket.gethostname()}.{os.getpid()}.guessed.b.txt"
    guess.symlink_to(tmp_path / "theirs")
    with pytest.raises(WritingFailed, match=r"b\.txt' could not be written: File exists"):
        write_text("ours", tmp_path / "b.txt")
    assert (tmp_path / "theirs").read_text() == "theirs"


@pytest.mark.parametrize("text", ["", "{", "[1]", "null", '{"a": 1', "[" * 100_000, '{"files": [}'])
def test_json_that_is_none_or_of_another_shape_is_refused_by_name(tmp_path, text):
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(InputError, match=r"a\.json' must be a JSON object with files\. Got "):
        read_json(path, "files")


def test_a_disk_that_takes_no_more_is_told_with_the_file(tmp_path):
    (tmp_path / "a").symlink_to("/dev")
    with pytest.raises(WritingFailed, match=r"folder/a\.txt' could not be written: "):
        write_text("text", tmp_path / "a" / "null" / "folder" / "a.txt")


def test_a_dataset_comes_back_as_it_was(tmp_path):
    write_dataset(dataset(), tmp_path / "a.nc")
    result = read_dataset(tmp_path / "a.nc")
    xr.testing.assert_identical(result, dataset())
    for name, values in dataset().variables.items():
        assert result[name].dtype == values.dtype
        assert result[name].dtype.isnative


def test_arrays_beyond_the_format_are_written_record_by_record_or_refused(tmp_path, monkeypatch):
    values = np.random.default_rng(3).standard_normal((5, 3, 2))
    large = xr.Dataset(
        {
            "inputs": (("sequence", "time", "input"), values.astype(np.float32)),
            "targets": (("sequence", "time"), values[..., 0]),
            "mask": (("sequence", "time"), np.ones((5, 3), np.int8)),
        }
    )
    monkeypatch.setattr(store, "LARGEST", 60)
    write_dataset(large, tmp_path / "a.nc", {"b": 1})
    xr.testing.assert_equal(read_dataset(tmp_path / "a.nc"), large)
    write_dataset(dataset(), tmp_path / "c.nc")
    xr.testing.assert_identical(read_dataset(tmp_path / "c.nc"), dataset())
    with pytest.raises(InputError, match=r"'statistic' must take at most 2 GiB in a file, .* Got .* GiB: \{'lag': 3, "):
        write_dataset(dataset().assign(rank=("rank", np.arange(2.0))), tmp_path / "b.nc")
    monkeypatch.setattr(store, "LARGEST", 20)
    with pytest.raises(InputError, match=r"'inputs' must take at most 2 GiB|'targets' must"):
        write_dataset(large, tmp_path / "b.nc")
    assert not (tmp_path / "b.nc").exists()


def test_a_dataset_carries_the_settings_that_made_it(tmp_path):
    settings = {"lags": (4, 8), "root_seed": 1, "options": {"noise": "matched"}}
    write_dataset(dataset(), tmp_path / "a.nc", settings)
    record = json.loads(read_dataset(tmp_path / "a.nc").attrs["settings"])
    assert record == {"lags": [4, 8], "root_seed": 1, "options": {"noise": "matched"}}


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz"])
def test_a_table_comes_back_as_it_was_to_ten_digits(tmp_path, name):
    write_table(table(), tmp_path / name)
    result = read_table(tmp_path / name)
    pd.testing.assert_frame_equal(result, table(), rtol=1e-9, atol=0)
    write_table(result, tmp_path / f"again.{name}")
    assert (tmp_path / f"again.{name}").read_bytes() == (tmp_path / name).read_bytes()


def test_a_run_signs_its_table_in_the_leading_columns(tmp_path):
    write_table(table(), tmp_path / "a.csv", architecture="diag_gate", seed=3)
    result = read_table(tmp_path / "a.csv")
    assert list(result.columns) == ["architecture", "seed", *table().columns]
    assert (result["architecture"] == "diag_gate").all()
    assert (result["seed"] == 3).all()


def test_tables_are_read_one_under_the_other(tmp_path):
    for seed in (0, 1):
        write_table(table(), tmp_path / f"{seed}.csv", seed=seed)
    result = read_tables([tmp_path / "0.csv", tmp_path / "1.csv"])
    assert result["seed"].tolist() == [0] * 50 + [1] * 50
    assert result.index.tolist() == list(range(100))


def test_text_and_json_come_back_as_they_were(tmp_path):
    write_text("Ĥ_N = max{ℓ}\n", tmp_path / "a.txt")
    assert (tmp_path / "a.txt").read_text(encoding="utf-8") == "Ĥ_N = max{ℓ}\n"
    content = {"b": [1, 2.5, None], "a": {"ℓ": "x"}}
    write_json(content, tmp_path / "a.json")
    assert json.loads((tmp_path / "a.json").read_text(encoding="utf-8")) == content


@pytest.mark.parametrize("name", ["a.nc", "a.csv", "a.json", "a.pdf", "a.png"])
def test_the_same_content_gives_the_same_bytes(tmp_path, name, monkeypatch):
    def write(folder):
        path = tmp_path / folder / name
        kind = path.suffix
        if kind == ".nc":
            write_dataset(dataset(), path, {"b": 1, "a": 2} if folder == "one" else {"a": 2, "b": 1})
        elif kind == ".csv":
            write_table(table(), path, seed=1)
        elif kind == ".json":
            write_json({"b": 1, "a": 2} if folder == "one" else {"a": 2, "b": 1}, path)
        else:
            write_figure(figure(), path)
        return path.read_bytes()

    first = write("one")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")  # as if on another day
    assert write("two") == first


def test_one_figure_is_written_in_several_formats(tmp_path):
    write_figure(figure(), tmp_path / "a.pdf", tmp_path / "a.png")
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_a_truncated_dataset_is_refused_by_name(tmp_path):
    path = tmp_path / "a.nc"
    write_dataset(dataset(), path, {"root_seed": 1})
    content = path.read_bytes()
    for length in range(0, len(content), 5):
        path.write_bytes(content[:length])
        with pytest.raises(InputError, match=r"a\.nc' must be a NetCDF file"):
            read_dataset(path)


@pytest.mark.parametrize("read", [read_dataset, read_table])
def test_missing_and_foreign_files_are_refused_by_name(tmp_path, read):
    with pytest.raises(InputError, match="none' must be a "):
        read(tmp_path / "none")
    for content in (b"", b"\xff\xfe\x00" * 50):
        (tmp_path / "other").write_bytes(content)
        with pytest.raises(InputError, match="other' must be a "):
            read(tmp_path / "other")


def test_a_dataset_of_an_unknown_type_is_refused_by_name(tmp_path):
    path = tmp_path / "a.nc"
    write_dataset(dataset(), path)
    double, unknown = bytes([0, 0, 0, 6]), bytes([0, 0, 0, 99])
    assert double in path.read_bytes()
    path.write_bytes(path.read_bytes().replace(double, unknown))
    with pytest.raises(InputError, match=r"a\.nc' must be a NetCDF file"):
        read_dataset(path)
