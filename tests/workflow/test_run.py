"""The miniature preset through Snakemake: what a run makes, and what it makes of damage."""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from learnability.core.store import read_dataset, read_table
from learnability.networks.weights import read_snapshots, read_weights

from .artefacts import (
    ARCHITECTURES,
    CONTROLS,
    DRAWN_ONCE,
    FIGURES,
    READINGS,
    RUNS,
    TABLES,
    THEORY,
)
from .conftest import Project, merged


@contextmanager
def changed(path: Path, content: bytes) -> Iterator[None]:
    """A file with other content, or one that is new, for a while."""
    before = path.read_bytes() if path.exists() else None
    path.write_bytes(content)
    try:
        yield
    finally:
        path.unlink() if before is None else path.write_bytes(before)


def test_every_artefact_is_there(finished: Project) -> None:
    results = finished.folder / "results" / "miniature"
    for run in RUNS:
        assert read_weights(results / "models" / run / "weights.safetensors")
        assert list(read_snapshots(results / "models" / run / "snapshots.safetensors")) == [0, 1, 2, 3]
        assert read_dataset(results / "rates" / f"{run}.nc").sizes["lag"] == 6
        assert read_table(results / "responses" / f"{run}.csv")["coefficient"].gt(0).sum() == 2
        assert len(read_table(results / "responses" / f"{run}.loss.csv")) == 5
        for reading in READINGS:
            for transport in ("first_order", "exact"):
                need = read_table(results / reading / "need" / f"{run}.{transport}.csv")
                assert need["lag"].unique().tolist() == [2, 4, 6, 8, 10, 12, 16]
                for kind in ("window", "null"):
                    # two directions, four criteria, eleven N
                    assert len(read_table(results / reading / kind / f"{run}.{transport}.csv")) == 88
                # no `resampling`
                assert len(read_table(results / reading / "shifted" / f"{run}.{transport}.csv")) == 66
            assert len(read_table(results / reading / "granted" / f"{run}.exact.csv")) == 66
    assert len(read_table(results / "estimators" / "recovery.csv")) == 30
    made = {path.name for path in (results / "theory").iterdir()}
    assert made == {
        *(f"appendix_{letter}.{table}.csv" for letter, tables in THEORY.items() for table in tables),
        *(f"appendix_{letter}.{kind}" for letter in DRAWN_ONCE for kind in ("pdf", "png")),
        *("appendix_b.md", "appendix_b.html"),
    }
    assert read_table(results / "planted" / "coverage.csv")["replicates"].eq(2).all()
    for reading in READINGS:
        made = {path.name for path in (results / reading / "theory").iterdir()}
        assert made == {f"appendix_{letter}.{kind}" for letter in "fhi" for kind in ("csv", "md", "html", "pdf", "png")}
        made = {path.name for path in (results / reading / "figures").iterdir()}
        assert made == {f"{figure}.{kind}" for figure in FIGURES for kind in ("pdf", "png")}
        made = {path.name for path in (results / reading / "tables").iterdir()}
        assert made == {f"{table}.{kind}" for table in TABLES for kind in ("csv", "md", "html", "tex")}


def test_symbols_in_latex_are_commands(finished: Project) -> None:
    assert all(path.read_text().isascii() for path in (finished.folder / "results").rglob("*.tex"))


def test_training_data_are_temporary(finished: Project) -> None:
    kept = [path.name for path in (finished.folder / "results/miniature/data").rglob("*.nc")]
    assert kept == ["diagnostic.nc"]


def test_no_checkpoint_is_left(finished: Project) -> None:
    assert not list((finished.folder / "results").rglob("*.pt"))


def test_nothing_half_written_is_left(finished: Project) -> None:
    assert not list((finished.folder / "results").rglob(".*"))


@pytest.mark.parametrize("reading", READINGS)
def test_scorecard_links_lead_somewhere_and_say_the_scale(finished: Project, reading: str) -> None:
    folder = finished.folder / "results" / "miniature" / reading
    html, markdown = (folder / "scorecard.html").read_text(), (folder / "scorecard.md").read_text()
    links = re.findall(r'href="([^"]+)"', html)
    momentum = [link for link in links if "figure_10" in link or "figure_11" in link]  # no runs, no figure
    assert len(links) == len(read_table(folder / "scorecard.csv"))
    assert all((folder / link).is_file() for link in links if link not in momentum)
    assert "not expected to agree" in html.split("<table")[0]
    assert "not expected to agree" in markdown.split("| Where")[0]


def test_logs_tell_epoch_loss_speed_and_time_left(finished: Project) -> None:
    log = (finished.folder / "logs/miniature/train_network/diag_gate/adamw/seed0.log").read_text()
    assert re.search(r"epoch 3/3  loss \d\.\d+ .* ms/step .* left", log)


def test_the_manifest_holds_every_file_and_what_made_it(finished: Project) -> None:
    results = finished.folder / "results" / "miniature"
    manifest, provenance = (read_table(results / name) for name in ("manifest.csv", "manifest.provenance.csv"))
    below = {path.relative_to(results).as_posix() for path in results.rglob("*") if path.is_file()}
    volatile = {f"models/{run}/provenance.json" for run in RUNS} | {"index.html"}
    assert set(manifest["path"]) == below - volatile - {"manifest.csv", "manifest.provenance.csv"}
    assert set(provenance["path"]) == set(manifest["path"]) | volatile
    assert manifest["path"].is_unique
    assert manifest.notna().all(axis=None)
    assert provenance[["device", "seconds", "finished", "host", "torch"]].notna().all(axis=None)
    one = manifest.set_index("path").loc
    assert one[f"rates/{RUNS[0]}.nc"]["rule"] == "measure_rates"
    weights = [one[f"models/{run}/weights.safetensors"] for run in RUNS]
    assert len({row["settings"] for row in weights}) == len(RUNS)
    assert len({row["library"] for row in weights}) == 1


def test_verify_names_what_is_damaged_missing_or_foreign(finished: Project) -> None:
    results, run = finished.folder / "results", RUNS[0]
    (results / "reference").mkdir()
    (results / "reference" / "manifest.csv").write_text("path,sha256,bytes\n")
    try:
        whole = finished.snakemake("verify")
        with changed(results / f"miniature/rates/{run}.nc", b"damaged"), changed(results / "miniature/foreign", b""):
            (results / "miniature/overview.png").rename(results / "aside")
            result = finished.snakemake("verify")
            (results / "aside").rename(results / "miniature/overview.png")
    finally:
        shutil.rmtree(results / "reference")
    assert whole.returncode == 0, whole.stderr
    assert "Verified: every file below results/miniature is as its manifest says." in whole.stderr
    assert result.returncode != 0
    assert (finished.folder / "logs/miniature/verify.log").read_text().splitlines() == [
        "'results/miniature/overview.png' is missing.",
        f"'results/miniature/rates/{run}.nc' is not what the manifest says: changed or damaged since.",
        "'results/miniature/foreign' is not in the manifest: no job of the finished workflow made it.",
        "InputError: 3 files below 'results/miniature' must be as results/miniature/manifest.csv says.",
    ]


def test_on_a_gpu_one_job_trains_all_runs_of_an_architecture(
    new_project: Callable[[dict[str, Any]], Project], miniature: dict[str, Any]
) -> None:
    on_cpu = new_project(miniature).planned()
    on_gpu = new_project(merged(miniature, {"training": {"device": "cuda"}})).planned()
    assert (on_cpu.pop("train_network"), on_cpu.pop("generate_training_data")) == (len(RUNS), len(RUNS))
    assert [on_gpu.pop(f"train_{name}") for name in ARCHITECTURES] == [1, 1, 1]
    assert on_gpu.pop("generate_training_data") == 3  # one for each architecture and seed
    assert on_gpu == on_cpu


def test_jobs_of_several_runs_write_what_jobs_of_one_write(
    finished: Project,
    new_project: Callable[[dict[str, Any]], Project],
    miniature: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    project = new_project(merged(miniature, {"training": {"device": "auto"}}))
    result = project.snakemake("train_diag_gate")
    assert result.returncode == 0, result.stdout + result.stderr
    for run in ("diag_gate/adamw/seed0", "diag_gate/sgd/seed0"):
        for name in ("weights.safetensors", "snapshots.safetensors", "learning_curve.csv", "gate_statistics.csv"):
            file = Path("results/miniature/models") / run / name
            assert (project.folder / file).read_bytes() == (finished.folder / file).read_bytes(), file
        assert json.loads((project.folder / file).with_name("provenance.json").read_text())["device"] == "cpu"
    assert not list((project.folder / "results").rglob("*.pt"))
    assert not list((project.folder / "results").rglob("training.nc"))


def test_named_targets(finished: Project) -> None:
    targets = (
        "figure_02",
        "learning_curves_sgd",
        *CONTROLS,
        *TABLES,
        "figures",
        "tables",
        "appendices",
        "scorecard",
        "index",
    )
    result = finished.snakemake("--dry-run", *targets)
    assert "Nothing to be done" in result.stdout + result.stderr


def test_truncated_weights_stop_the_run_in_one_line(
    finished: Project, new_project: Callable[[dict[str, Any]], Project], miniature: dict[str, Any]
) -> None:
    project = new_project(miniature)
    shutil.copytree(finished.folder / "results", project.folder / "results")
    results = project.folder / "results" / "miniature"
    weights, target = results / f"models/{RUNS[0]}/weights.safetensors", results / f"rates/{RUNS[0]}.nc"
    whole = weights.read_bytes()
    weights.write_bytes(whole[: len(whole) // 2])
    result = project.snakemake(str(target.relative_to(project.folder)))
    log = (project.folder / f"logs/miniature/measure_rates/{RUNS[0]}.log").read_text()
    assert result.returncode != 0
    assert log.count("\n") == 1
    assert "weights.safetensors" in log
    assert "must be a safetensors file" in log
    assert not target.exists()
