"""The miniature preset through Snakemake: what a run makes, and what a change makes it do again."""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from learnability.store import read_dataset, read_table
from learnability.weights import read_snapshots, read_weights

from .conftest import Project, merged

ARCHITECTURES = ("const_gate", "diag_gate", "lstm")
RUNS = [f"{architecture}/{optimizer}/seed0" for optimizer in ("adamw", "sgd") for architecture in ARCHITECTURES]
ADAMW = RUNS[:3]
TRAINING_FIGURES = ["learning_curves", "learning_curves_sgd", "gate_statistics", "gate_statistics_sgd"]
RESPONSES = ["responses", "responses_sgd"]
CONTROLS = ["need_pieces", "threshold", "off_task", "null_control", "sensitivity"]
FIGURES = [*(f"figure_{number:02d}" for number in range(1, 10)), *TRAINING_FIGURES, *RESPONSES, "transport", *CONTROLS]
READINGS = ("recommended",)
TABLES = [
    "table_1",
    "learning_rates",
    "learned",
    "windows",
    "windows_by_direction",
    "echoes",
    "task_lags",
    "spread",
    "floor",
    "windows_by_option",
    "conclusions",
    "conditioning",
    "transport_by_lag",
    "scaling",
]
THEORY = {  # an appendix about laws and random networks: its tables
    "a": {"orders", "lags"},
    "b": {"jacobians"},
    "c": {"widths"},
    "d": {"divergence", "information"},
    "e": {"information", "by_error", "by_signal"},
    "f": {"random", "monotonicity"},
    "g": {"windows"},
}
DRAWN_ONCE = "acdeg"
DRAW_TRAINING = {f"draw_{name}" for name in TRAINING_FIGURES}
AFTER_RATES = {
    *(f"draw_{name}" for name in ("figure_01", "figure_04", "figure_08", "figure_09")),
    *("make_table_1", "make_learning_rates", "make_conditioning", "make_transport_by_lag", "show_tables"),
    *("make_appendix_i", "draw_appendix_i"),
}
AFTER_RESPONSE = {*(f"draw_{name}" for name in RESPONSES), "make_learned", "make_echoes", "show_tables"}
AFTER_NEED = {
    *(f"draw_{name}" for name in ("figure_02", "figure_03", "figure_07", "transport", "overview")),
    *("draw_need_pieces", "draw_threshold", "draw_off_task"),
    *("make_windows", "make_windows_by_direction", "make_echoes", "make_task_lags", "make_spread", "make_scaling"),
    *("score_claims", "show_tables"),
    *(f"{verb}_appendix_{letter}" for verb in ("make", "draw") for letter in "fh"),
}
SENSITIVITY = {"vary_reading", "draw_sensitivity", "make_windows_by_option", "make_conclusions"}
CONTROLLED = {"shift_errors", "grant_echoes"}
OF_NOISE = {"draw_figure_05", "draw_figure_06", "draw_null_control", "make_floor", "find_window"} | CONTROLLED
AFTER_NOISE = AFTER_NEED | OF_NOISE | SENSITIVITY
PLANTED = {"check_planted", "draw_planted", "show_tables"}
AFTER_TABLES = {
    *(f"make_{table}" for table in (*TABLES, "appendix_f", "appendix_h", "appendix_i")),
    *(f"compute_appendix_{letter}" for letter in THEORY),
    *(f"draw_appendix_{letter}" for letter in (*DRAWN_ONCE, "f")),
    *("check_estimators", "draw_figure_05"),
    *PLANTED,
}
AFTER_LAGS = AFTER_NOISE | AFTER_RATES | {"compute_statistic", "measure_rates"}
AFTER_MEASUREMENT = AFTER_LAGS | AFTER_RESPONSE | {"measure_response"}
AFTER_TRAINING = AFTER_MEASUREMENT | DRAW_TRAINING | {"check_monotonicity"}


def jobs(rules: set[str]) -> dict[str, int]:
    """How often rules run when all runs are due; index and manifest follow every change."""
    each = {
        **dict.fromkeys(("generate_training_data", "train_network", "measure_rates", "measure_response"), len(RUNS)),
        **dict.fromkeys(("compute_statistic", "find_window"), len(RUNS)),
        **dict.fromkeys(("shift_errors", "grant_echoes", "vary_reading"), len(ADAMW)),
    }
    return {rule: each.get(rule, 1) for rule in rules | {"make_index", "manifest"}}


def theory(letters: str) -> set[str]:
    """The rules behind these appendices, as far as they are made once."""
    rules = {f"compute_appendix_{letter}" for letter in letters}
    rules |= {f"draw_appendix_{letter}" for letter in letters if letter in DRAWN_ONCE}
    return rules | {"check_monotonicity"} if "f" in letters else rules


@contextmanager
def edited(project: Project, file: str, addition: str = "EDITED = True") -> Iterator[None]:
    path = project.folder / file
    text = path.read_text()
    path.write_text(f"{text}\n{addition}\n")
    try:
        yield
    finally:
        path.write_text(text)


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
            for transport, sequences in (("first_order", 30), ("exact", 20)):
                statistic = read_dataset(results / reading / "statistic" / f"{run}.{transport}.nc")
                assert statistic["statistic"].shape == (2, 6, sequences)
                for kind in ("window", "null", *(["shifted"] if run in ADAMW else [])):
                    # two directions, four criteria, eleven N
                    assert len(read_table(results / reading / kind / f"{run}.{transport}.csv")) == 88
            if run in ADAMW:
                assert len(read_table(results / reading / "granted" / f"{run}.csv")) == 88
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


def test_reference_weights_stand_in_for_training(finished: Project, miniature: dict[str, Any]) -> None:
    reference = finished.folder / "results" / "reference"
    shutil.copytree(finished.folder / "results" / "miniature" / "models", reference / "models")
    finished.configure(miniature | {"preset": "again", "weights": "reference"})
    try:
        planned = finished.planned()
    finally:
        finished.configure(miniature)
        shutil.rmtree(reference)
    assert planned["measure_rates"] == len(RUNS)
    assert not {"train_network", "generate_training_data"} & planned.keys()


def test_a_second_run_has_nothing_to_do(finished: Project) -> None:
    assert finished.planned() == {}


CHANGES: dict[str, tuple[dict[str, Any], dict[str, int]]] = {
    "plot colour": (
        {"figures": {"colours": {"diag_gate": "#000000"}}},
        jobs(
            {
                f"draw_{figure}"
                for figure in (*FIGURES, "overview", "planted", *(f"appendix_{each}" for each in "acdefghi"))
            }
        ),
    ),
    "estimator": ({"readings": {"recommended": {"noise": {"numerical_floor": 1e-9}}}}, jobs(AFTER_NOISE)),
    "criterion": (
        {"readings": {"recommended": {"detection": {"criterion": "snr"}}}},
        jobs(AFTER_NOISE),
    ),
    "statistic": (
        {"readings": {"recommended": {"statistic": {"parameter_jacobian": "total"}}}},
        jobs(AFTER_NOISE | {"compute_statistic"}),
    ),
    "lag grid": ({"measurement": {"lags": [1, 2, 3]}}, jobs(AFTER_LAGS)),
    "epochs": (
        {"training": {"epochs": 4}},
        jobs(AFTER_TRAINING | {"train_network", "generate_training_data"}),
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_reruns_what_it_touches(finished: Project, miniature: dict[str, Any], change: str) -> None:
    settings, expected = CHANGES[change]
    finished.configure(merged(miniature, settings))
    try:
        assert finished.planned() == expected
    finally:
        finished.configure(miniature)


def test_a_new_seed_runs_only_its_own_jobs_and_the_aggregates(finished: Project, miniature: dict[str, Any]) -> None:
    finished.configure(miniature | {"seeds": [0, 1]})
    try:
        planned = finished.planned()
    finally:
        finished.configure(miniature)
    expected = jobs(AFTER_TRAINING - SENSITIVITY | {"train_network", "generate_training_data"})
    assert planned == expected | {"generate_diagnostic_data": 1}


def test_a_new_reading_leaves_the_others_and_training_alone(finished: Project, miniature: dict[str, Any]) -> None:
    finished.configure(miniature | {"report": [*READINGS, "paper"]})
    try:
        planned = finished.planned()
    finally:
        finished.configure(miniature)
    once = AFTER_RATES | AFTER_RESPONSE | AFTER_NOISE | DRAW_TRAINING | {"compute_statistic"}
    assert planned == jobs(once)


def test_a_new_architecture_retrains_no_other(finished: Project, miniature: dict[str, Any]) -> None:
    runs = miniature["runs"] | {"adamw": [*miniature["runs"]["adamw"], "diag_gate_slow"]}
    finished.configure(miniature | {"runs": runs})
    try:
        planned = finished.planned()
    finally:
        finished.configure(miniature)
    assert planned["train_network"] == 1
    assert planned["measure_rates"] == planned["generate_training_data"] == 1


EDITS = {
    "src/learnability/figures/figure_02.py": {"draw_figure_02"},
    "src/learnability/figures/figure_04.py": {"draw_figure_04", "draw_figure_09"},
    "src/learnability/tables.py": AFTER_TABLES,
    "src/learnability/planted.py": PLANTED,
    "src/learnability/theory/divergence.py": {
        f"{verb}_appendix_{letter}" for verb in ("compute", "draw") for letter in "de"
    },
    "src/learnability/theory/residuals.py": {"make_appendix_h", "draw_appendix_h", "show_tables"},
    "src/learnability/pages/index.py": {"make_index"},
    "src/learnability/pages/page.css": {"make_index", "show_tables", "score_claims"},
    "src/learnability/claims.py": {"score_claims"},
    "src/learnability/measures.py": {"score_claims"},
    "src/learnability/detection.py": AFTER_NOISE | theory("efg") | PLANTED,
    "src/learnability/stable/mcculloch.py": AFTER_NOISE | theory("cdefg") | {"check_estimators"} | PLANTED,
    "src/learnability/statistic.py": AFTER_NOISE | {"compute_statistic"},
    "src/learnability/transport/windows.py": AFTER_MEASUREMENT | theory("f"),
    "src/learnability/training/loop.py": AFTER_TRAINING | {"train_network", "generate_training_data"},
}


@pytest.mark.parametrize("file", EDITS)
def test_an_edit_of_a_module_reruns_what_imports_it(finished: Project, file: str) -> None:
    with edited(finished, file):
        assert finished.planned() == jobs(EDITS[file])


def test_a_comment_reruns_nothing(finished: Project) -> None:
    with edited(finished, "src/learnability/errors.py", '# a comment\n"""and text"""'):
        assert finished.planned() == {}


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


def test_truncated_weights_stop_the_run_in_one_line(finished: Project) -> None:
    results = Path("results/miniature")
    weights = finished.folder / results / "models" / RUNS[0] / "weights.safetensors"
    whole, target = weights.read_bytes(), results / "rates" / f"{RUNS[0]}.nc"
    weights.write_bytes(whole[: len(whole) // 2])
    try:
        result = finished.snakemake(str(target))
        log = (finished.folder / f"logs/miniature/measure_rates/{RUNS[0]}.log").read_text()
    finally:
        weights.write_bytes(whole)
    assert result.returncode != 0
    assert log.count("\n") == 1
    assert "weights.safetensors" in log
    assert "must be a safetensors file" in log
    assert not (finished.folder / target).exists()
