"""The miniature preset through Snakemake: what a run makes, and what it makes of damage."""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from learnability.core.store import read_dataset, read_table
from learnability.networks.weights import read_snapshots, read_weights
from paired_pages import unlike_their_tables

from .artefacts import (
    ARCHITECTURES,
    FIGURES,
    OF_NO_READING,
    PAGES_OF_THEORY,
    READINGS,
    RUNS,
    TABLES,
    TABLES_OF_NO_READING,
    THEORY,
    VARIANTS,
)
from .conftest import LOGS, RESULTS, ROOT, Project, merged

VERBS = {
    "generate",
    "train",
    "measure",
    "vary",
    "check",
    "compute",
    "show",
    "score",
    "make",
    "verify",
    "remove",
    "reproduce",
    "search",
}
BESIDE_A_RUN = {"front_page", "searches", "leftovers", "report_pdf"}
"""Targets of what no run makes: drawn from stored tables, hours of work, a list, an article."""


@contextmanager
def changed(path: Path, content: bytes) -> Iterator[None]:
    """A file with other content, or one that is new, for a while."""
    before = path.read_bytes() if path.exists() else None
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    try:
        yield
    finally:
        path.unlink() if before is None else path.write_bytes(before)


def test_every_artefact_is_there(finished: Project) -> None:
    results = finished.folder / RESULTS
    for run in RUNS:
        assert read_weights(results / "models" / run / "weights.safetensors")
        assert list(read_snapshots(results / "models" / run / "snapshots.safetensors")) == [0, 1, 2, 3]
        measurements = results / "measured" / run
        assert read_dataset(measurements / "rates.nc").sizes["lag"] == 6
        assert read_table(measurements / "response.csv")["coefficient"].gt(0).sum() == 2
        assert len(read_table(measurements / "loss.csv")) == 5
        sample_complexity = read_table(measurements / "sample_complexity.csv")
        assert sample_complexity["lag"].unique().tolist() == [2, 4, 6, 8, 10, 12, 16]
        assert sample_complexity["reading"].unique().tolist() == [*READINGS]
        assert sample_complexity["transport"].unique().tolist() == ["first_order", "exact"]
        # two directions and eleven N, four criteria; without `resampling` in controls
        assert len(read_table(measurements / "sign_flips.csv")) == 2 * 88
        rows = read_table(measurements / "window.csv").groupby(["transport", "control"]).size()
        assert rows.xs("exact").to_dict() == {"none": 88, "permuted_errors": 66, "granted_echoes": 66}
        assert rows.xs("first_order").to_dict() == {"none": 88, "permuted_errors": 66}
    assert len(read_table(results / "theory" / "recovery.csv")) == 30
    assert read_table(results / "theory" / "coverage.csv")["replicates"].eq(2).all()
    assert names(results / "theory") == {
        *(f"{table}.csv" for table in THEORY),
        *(f"{page}.{kind}" for page in PAGES_OF_THEORY for kind in ("md", "html")),
    }
    folders = {results: (OF_NO_READING, TABLES_OF_NO_READING)}
    folders |= {results / reading: (FIGURES, TABLES) for reading in READINGS}
    for folder, (figures, tables) in folders.items():
        assert names(folder / "figures") == {f"{figure}.{kind}" for figure in figures for kind in ("pdf", "png")}
        kinds = ("csv", "md", "html", "tex")
        assert names(folder / "tables") == {f"{table}.{kind}" for table in tables for kind in kinds}
    assert unlike_their_tables(results) == {}


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_symbols_in_latex_are_commands(finished: Project) -> None:
    assert all(path.read_text().isascii() for path in (finished.folder / "results").rglob("*.tex"))


def test_training_data_are_not_kept(finished: Project) -> None:
    names = [path.name for path in (finished.folder / RESULTS / "data").rglob("*.nc")]
    assert names == ["diagnostic.nc"]


def test_no_checkpoint_is_left(finished: Project) -> None:
    assert not list((finished.folder / "results").rglob("*.pt"))


def test_nothing_half_written_is_left(finished: Project) -> None:
    assert not list((finished.folder / "results").rglob(".*"))


@pytest.mark.parametrize("reading", READINGS)
def test_scorecard_links_lead_somewhere_and_say_the_scale(finished: Project, reading: str) -> None:
    folder = finished.folder / RESULTS / reading
    html, markdown = (folder / "scorecard.html").read_text(), (folder / "scorecard.md").read_text()
    links = re.findall(r'href="([^"]+)"', html)
    momentum = [link for link in links if "figure_10" in link or "figure_11" in link]  # no runs, no figure
    assert len(links) == len(read_table(folder / "scorecard.csv"))
    assert all((folder / link).is_file() for link in links if link not in momentum)
    assert "not expected to agree" in html.split("<table")[0]
    assert "not expected to agree" in markdown.split("| Where")[0]


def test_logs_tell_epoch_loss_speed_and_time_left(finished: Project) -> None:
    log = (finished.folder / LOGS / "train_network/diag_gate/adamw/seed0.log").read_text()
    assert re.search(r"epoch 1 of 3 · loss \d\.\d+ · .* ms a step · a few seconds left\n", log)
    assert re.search(r"epoch 3 of 3 · loss \d\.\d+ · .* ms a step\n", log)


def test_the_manifest_holds_every_file_and_what_made_it(finished: Project) -> None:
    results = finished.folder / RESULTS
    names = ("manifest.csv", "manifest.provenance.csv", "manifest.volatile.csv")
    manifest, provenance, unequal = (read_table(results / name) for name in names)
    below = {path.relative_to(results).as_posix() for path in results.rglob("*") if path.is_file()}
    volatile = {f"models/{run}/provenance.json" for run in RUNS} | {"index.html"}
    assert set(manifest["path"]) == below - volatile - {*names}
    assert set(unequal["path"]) == volatile | {"manifest.provenance.csv"}
    assert set(provenance["path"]) == set(manifest["path"]) | volatile
    assert provenance["path"].is_unique
    assert manifest["path"].is_unique
    assert manifest.notna().all(axis=None)
    assert provenance[["rule", "settings", "library", "seconds", "finished", "host"]].notna().all(axis=None)
    by_path = provenance.set_index("path").loc
    assert by_path[f"measured/{RUNS[0]}/rates.nc"]["rule"] == "measure_network"
    weights = [by_path[f"models/{run}/weights.safetensors"] for run in RUNS]
    assert len({row["settings"] for row in weights}) == len(RUNS)
    of_cells = [{row["library"] for row in weights if ("lstm" in row.name) == is_lstm} for is_lstm in (True, False)]
    assert [len(libraries) for libraries in of_cells] == [1, 1] and of_cells[0] != of_cells[1]


def test_verify_names_what_is_damaged_missing_or_foreign(finished: Project) -> None:
    results, rates = finished.folder / RESULTS, f"measured/{RUNS[0]}/rates.nc"
    unequal = ["index.html", "manifest.provenance.csv", f"models/{RUNS[0]}/provenance.json"]
    with finished.nothing_stored(RESULTS.parent.name) as reference:
        whole = finished.snakemake("verify")
        with ExitStack() as stack:
            for name in (rates, "foreign", *unequal):
                stack.enter_context(changed(results / name, b"damaged"))
            stack.enter_context(changed(results / "models" / ".host.12.0123abcd.weights.safetensors", b"half"))
            stack.enter_context(changed(results / "checkpoints" / "old.0123456789abcdef.pt", b"of other code"))
            (results / "figures/overview.png").rename(reference / "aside")
            result = finished.snakemake("verify")
            (reference / "aside").rename(results / "figures/overview.png")
    assert whole.returncode == 0, whole.stderr
    assert f"Verified: every file below {RESULTS} is as its manifest says." in whole.stderr
    assert "left over" not in whole.stderr
    assert result.returncode != 0
    assert "2 files are left over: 'snakemake leftovers' lists them." in result.stderr
    assert (finished.folder / LOGS / "verify.log").read_text().splitlines() == [
        f"'{RESULTS}/figures/overview.png' is missing.",
        f"'{RESULTS}/{rates}' is not what the manifest says: changed or damaged since.",
        *(f"'{RESULTS}/{name}' is not what the manifest says: changed or damaged since." for name in unequal),
        f"'{RESULTS}/foreign' is not in the manifest: no job of the finished workflow made it.",
        f"InputError: 6 files below '{RESULTS}' must be as {RESULTS}/manifest.csv says.",
    ]


def test_on_a_gpu_one_job_trains_all_runs_of_an_architecture(
    new_project: Callable[[dict[str, Any]], Project], miniature: dict[str, Any]
) -> None:
    on_cpu = new_project(miniature).planned()
    on_gpu = new_project(merged(miniature, {"training": {"device": "cuda"}})).planned()
    assert on_cpu.pop("train_network") == len(RUNS)
    assert [on_gpu.pop(f"train_{name}") for name in ARCHITECTURES] == [1, 1, 1]
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
            file = RESULTS / "models" / run / name
            assert (project.folder / file).read_bytes() == (finished.folder / file).read_bytes(), file
        assert json.loads((project.folder / file).with_name("provenance.json").read_text())["device"] == "cpu"
    assert not list((project.folder / "results").rglob("*.pt"))


def test_named_targets(finished: Project) -> None:
    rules = finished.snakemake("--list-rules").stdout.split()
    targets = {name for name in rules if name.partition("_")[0] not in VERBS} - BESIDE_A_RUN
    assert targets >= {"figure_02", "table_1", "learning_rates", "figures", "tables", "appendices", "index", *VARIANTS}
    result = finished.snakemake("--dry-run", *sorted(targets - VARIANTS - {"variants"}))
    assert "Nothing to be done" in result.stdout + result.stderr


def test_an_article_is_printed_of_a_finished_run(finished: Project) -> None:
    (finished.folder / "docs").mkdir()
    shutil.copy(ROOT / "docs" / "limits.md", finished.folder / "docs")
    article = finished.folder / RESULTS / "report.pdf"
    result = finished.snakemake("report_pdf")
    assert result.returncode == 0, (finished.folder / LOGS / "report_pdf.log").read_text()
    assert article.read_bytes().startswith(b"%PDF")
    article.unlink()


def test_variants_are_drawn_only_if_they_are_asked_for(finished: Project) -> None:
    for target in ("learning_curves_sgd", "variants"):
        assert finished.planned(target) == {target: 1, "show_networks_variants": 1}


def test_truncated_weights_stop_the_run_in_one_line(
    finished: Project, new_project: Callable[[dict[str, Any]], Project], miniature: dict[str, Any]
) -> None:
    project = new_project(miniature)
    shutil.copytree(finished.folder / "results", project.folder / "results")
    results = project.folder / RESULTS
    weights, target = results / f"models/{RUNS[0]}/weights.safetensors", results / f"measured/{RUNS[0]}/rates.nc"
    whole = weights.read_bytes()
    weights.write_bytes(whole[: len(whole) // 2])
    result = project.snakemake(str(target.relative_to(project.folder)))
    log = (project.folder / LOGS / f"measure_network/{RUNS[0]}.log").read_text()
    assert result.returncode != 0
    assert log.count("\n") == 1
    assert "weights.safetensors" in log
    assert "must be a safetensors file" in log
    assert not target.exists()
