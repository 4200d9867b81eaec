import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from learnability.core.errors import InputError
from learnability.core.manifest import (
    NAME,
    VOLATILE,
    deviations,
    differences,
    digest,
    digest_table,
    files_below,
    keep,
    list_files,
    write_manifests,
)
from learnability.core.store import as_read, read_table, read_tables, write_table

ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path):
    for name, text in (("a.csv", "1"), ("b/c.csv", "23"), ("b/provenance.json", "today"), ("README.md", "by hand")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    write_manifests(tmp_path, files_below(tmp_path))
    return tmp_path


def test_a_digest_is_sha256(tmp_path):
    (tmp_path / "a").write_bytes(b"abc")
    assert digest(tmp_path / "a") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_what_may_differ_between_equal_runs_has_no_digest(folder):
    manifest = pd.read_csv(folder / NAME)
    assert manifest["path"].tolist() == ["a.csv", "b/c.csv"]
    assert manifest["bytes"].tolist() == [1, 2]
    assert pd.read_csv(folder / VOLATILE)["path"].tolist() == ["b/provenance.json"]
    assert not list(differences(folder))
    before = (folder / NAME).read_bytes()
    (folder / "b/provenance.json").write_text("tomorrow")
    (message,) = differences(folder)
    assert message.startswith(f"'{folder / 'b/provenance.json'}' is not what the manifest says")
    write_manifests(folder, files_below(folder))
    assert (folder / NAME).read_bytes() == before


def test_every_byte_of_a_manifest_counts(folder):
    for name in (NAME, VOLATILE):
        whole = (folder / name).read_bytes()
        for content in (b"", whole[:-20], whole.replace(b"e", b"f"), b"\xff\x00", whole.replace(b"path", b"nope")):
            (folder / name).write_bytes(content)
            try:
                messages = list(differences(folder))
            except InputError as error:
                messages = [str(error)]
            assert messages, (name, content)
        (folder / name).unlink()
        with suppress(InputError):
            assert list(differences(folder)) == [f"'{folder / VOLATILE}' is missing."]
        (folder / name).write_bytes(whole)


def test_leftovers_are_no_differences(folder):
    (folder / ".host.12.0123abcd.a.csv").write_text("half")
    (folder / "old.csv").write_text("old")
    (folder / "report.html").write_text("of Snakemake")
    assert not list(differences(folder, [folder / "old.csv"]))
    assert len(list(differences(folder))) == 1


def test_changed_missing_and_added_files_are_named(folder):
    (folder / "a.csv").write_text("2")
    (folder / "b/c.csv").unlink()
    (folder / "d.csv").write_text("new")
    change, absence, addition = differences(folder)
    assert change.startswith(f"'{folder / 'a.csv'}' is not what the manifest says")
    assert absence == f"'{folder / 'b/c.csv'}' is missing."
    assert addition.startswith(f"'{folder / 'd.csv'}' is not in the manifest")


def test_a_file_that_was_missing_already_is_still_missing(tmp_path):
    write_table(list_files(tmp_path, [tmp_path / "a.csv"]), tmp_path / NAME)
    expected = [f"'{tmp_path / name}' is missing." for name in (VOLATILE, "a.csv")]
    assert list(differences(tmp_path)) == expected


def test_tables_and_provenance_of_a_finished_run_are_kept_and_its_arrays_are_not(tmp_path):
    run, copy = tmp_path / "run", tmp_path / "kept"
    for name in ("tables/a.csv", "data/a.nc", "figure.png", "figure.pdf", "models/provenance.json", "README.md"):
        (run / name).parent.mkdir(parents=True, exist_ok=True)
        (run / name).write_text(name)
    write_manifests(run, files_below(run))
    keep(run, copy)
    paths = {path.relative_to(copy).as_posix() for path in copy.rglob("*") if path.is_file()}
    assert paths == {"tables/a.csv", "figure.png", "models/provenance.json"}
    assert (copy / "tables/a.csv").read_text() == "tables/a.csv"


def test_tables_of_networks_become_one_and_those_of_others_stay(tmp_path):
    def table_of(architecture, seed, value):
        return pd.DataFrame({"architecture": [architecture], "optimizer": "sgd", "seed": seed, "lag": 1, "x": value})

    copy = tmp_path / "kept"
    for run, tables in {
        tmp_path / "one": [table_of("a", 0, 1.0), table_of("b", 0, 2.0)],
        tmp_path / "two": [table_of("b", 0, 3.0), table_of("a", 1, 4.0)],
    }.items():
        for number, table in enumerate(tables):
            write_table(table, run / "measured" / str(number) / "x.csv")
        write_manifests(run, files_below(run))
        keep(run, copy)
    expected = pd.concat([table_of("a", 0, 1.0), table_of("a", 1, 4.0), table_of("b", 0, 3.0)], ignore_index=True)
    pd.testing.assert_frame_equal(read_table(copy / "measured" / "x.csv.gz"), expected)
    assert [path.name for path in files_below(copy)] == ["x.csv.gz"]


def test_a_table_has_one_digest_whatever_the_order_of_networks_and_the_files_of_its_rows(tmp_path):
    table = pd.DataFrame({"architecture": ["b", "a", "a"], "seed": [0, 1, 1], "share": [1 / 3, 2.0, None]})
    write_table(table, tmp_path / "whole.csv")
    write_table(table[1:], tmp_path / "first.csv")
    write_table(table[:1], tmp_path / "second.csv")
    parts = read_tables([tmp_path / "first.csv", tmp_path / "second.csv"])
    digests = {digest_table(rows) for rows in (as_read(table), read_table(tmp_path / "whole.csv"), parts)}
    assert len(digests) == 1
    changed = table.assign(share=[1 / 3, None, 2.0]), table.rename(columns={"share": "loss"}), table.assign(seed=1)
    assert digests.isdisjoint(digest_table(as_read(rows)) for rows in changed)


def test_of_a_run_that_has_changed_nothing_is_kept(folder, tmp_path_factory):
    (folder / "a.csv").write_text("2")
    copy = tmp_path_factory.mktemp("kept")
    with pytest.raises(InputError, match="as its manifest says"):
        keep(folder, copy)
    assert not list(copy.iterdir())


def test_the_command_says_in_one_line_what_it_will_not_keep(folder, tmp_path_factory):
    (folder / "a.csv").write_text("changed")
    command = [sys.executable, "-m", "learnability.core.manifest", tmp_path_factory.mktemp("kept"), folder]
    process = subprocess.run(command, env={"PYTHONPATH": "src"}, cwd=ROOT, capture_output=True, text=True, check=False)
    assert process.returncode == 1
    assert len(process.stderr.splitlines()) == 1
    assert "as its manifest says" in process.stderr


def test_a_folder_without_a_manifest_and_one_that_is_none_are_refused_by_name(tmp_path):
    with pytest.raises(InputError, match="must hold a manifest"):
        list(differences(tmp_path))
    (tmp_path / NAME).write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match=r"manifest\.csv' must be a manifest with a column path"):
        list(differences(tmp_path))


def test_deviations_beyond_the_tolerance_are_counted_by_column():
    table = pd.DataFrame(
        {"lag": [1, 2], "sample_complexity": [1.0, np.inf], "gap": [np.nan, 1e-300], "name": ["a", "b"]}
    )
    near = table.assign(sample_complexity=[1 + 1e-9, np.inf])
    assert not list(deviations(table, near, 1e-6))
    far = table.assign(sample_complexity=[1.0, 5.0], gap=[np.nan, 2e-300], name=["a", "c"])
    assert [line.split(":")[0] for line in deviations(table, far, 1e-6)] == ["sample_complexity", "gap", "name"]
    (shape,) = deviations(table, table[:1], 1e-6)
    assert shape == "(1, 4) rows and columns where (2, 4) are stored"


def test_a_number_near_zero_is_measured_by_how_well_it_is_known():
    table = pd.DataFrame(
        {"mean": [1e-9], "scale": [1.0], "sequences": [10_000], "x": [1e-9], "x_low": -1.0, "x_high": 1.0}
    )
    assert not list(deviations(table, table.assign(mean=2e-9, x=2e-9, x_low=-1 + 1e-9), 1e-6))
    messages = deviations(table, table.assign(mean=1e-7, x=1e-5, x_low=-1.1), 1e-6)
    assert [line.split(":")[0] for line in messages] == ["mean", "x", "x_low"]
    endless = table.assign(x_high=np.inf)
    assert [line.split(":")[0] for line in deviations(endless, endless.assign(x=5.0), 1e-6)] == ["x"]


def test_what_goes_with_kappa_is_measured_by_alpha():
    alpha = np.array([1.9, 1.003])
    kappa = alpha / (alpha - 1)
    table = pd.DataFrame({"kappa": kappa, "log_sample_complexity": 3 * kappa, "x": kappa})
    near = (alpha * (1 + 1e-7)) / (alpha * (1 + 1e-7) - 1)
    near_table = table.assign(kappa=near, log_sample_complexity=3 * near)
    assert abs(near[1] / kappa[1] - 1) > 1e-5
    assert not list(deviations(table, near_table, 1e-6))
    assert [line.split(":")[0] for line in deviations(table, table.assign(x=near), 1e-6)] == ["x"]
    far = table.assign(kappa=kappa * [1 + 1e-4, 1])
    assert [line.split(":")[0] for line in deviations(table, far, 1e-6)] == ["kappa"]


@pytest.mark.parametrize("study", ["learnability_window", "ground_truth", "attention", "gated", "comparison"])
def test_the_reference_results_are_as_their_manifest_says(study):
    messages = list(differences(ROOT / "results" / "reference" / study))
    assert not messages, f"PYTHONPATH=src python -m learnability.core.manifest results/reference/{study}"
