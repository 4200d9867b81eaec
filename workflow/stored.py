"""Pages of stored studies, made again from their stored tables: `python workflow/stored.py comparison`.

The workflow's own rules make findings, scorecard, figures and the report to print in a folder that is deleted after,
and tables of `learnability_window`, whose measurements are stored. Each file that differs replaces the stored one, and
the manifest is written again.
"""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd

from learnability.core import manifest
from learnability.core.yaml_files import load_yaml
from studies.questions import find_questions

ROOT = Path(__file__).parents[1]
REFERENCE = ROOT / "results" / "reference"
SETTINGS = {
    "attention": "attention/full.yaml",
    "comparison": "comparison.yaml",
    "gated": "gated/full.yaml",
    "ground_truth": "ground_truth.yaml",
    "learnability_window": "reference.yaml",
}
"""Configuration of each stored study."""
WITH_SCORECARD = ("attention", "gated", "learnability_window")
"""Studies of which claims are judged."""
SHOWN_FROM = ("rates", "windows", "sensitivity", "networks", "tasks", "theory", "overview")
"""Measurements of `learnability_window`, each of which has a rule for figures and tables, and one for variants."""
SEARCHED = "headline_sensitivity"
"""Table of a search over settings."""
PAGES = ("findings.json", "findings.md", "report.pdf")


def remade(study: str, folder: Path) -> Iterator[Path]:
    """Paths inside a stored study of what is made again."""
    yield from map(Path, PAGES)
    if study in WITH_SCORECARD:
        yield from (path.relative_to(folder) for path in folder.rglob("scorecard*"))
    yield from (path.relative_to(folder) for path in folder.rglob("figures/*.png"))
    if study == "learnability_window":
        tables = (path for path in folder.rglob("tables/*") if path.stem != SEARCHED)
        yield from (path.relative_to(folder) for path in tables)


def split(folder: Path) -> None:
    """Write each table of all networks as a table for each network, the form that a run has."""
    for file in folder.glob(f"{manifest.MEASURED}/*.csv.gz"):
        table = pd.read_csv(file, dtype=str, keep_default_na=False)
        for (architecture, optimizer, seed), rows in table.groupby(manifest.RUN):
            path = file.parent / str(architecture) / str(optimizer) / f"seed{seed}" / file.stem
            path.parent.mkdir(parents=True, exist_ok=True)
            rows.to_csv(path, index=False)


def make(study: str, names: Collection[str], place: Path) -> Iterator[tuple[Path, Path]]:
    """Make files of a study again, below an empty folder: each that differs, and the stored one."""
    configuration = ROOT / "config" / SETTINGS[study]
    folder = place / "results" / study / load_yaml(configuration.read_text("utf-8"))["preset"]
    reference = REFERENCE / study
    shutil.copytree(reference, folder)
    split(folder)
    (place / "results" / "reference").symlink_to(REFERENCE)
    paths = [path for path in remade(study, reference) if not names or path.name in names]
    for path in paths:
        (folder / path).unlink()
    rules = ["explain_questions", "make_pages", "report_pdf"]
    rules += ["score_claims"] * (study in WITH_SCORECARD)
    rules += [f"show_{name}" for name in find_questions(study)]
    rules += [f"show_{name}{variants}" for name in SHOWN_FROM for variants in ("", "_variants")]
    files = [str(folder.relative_to(place) / path) for path in paths]
    command: list[str | Path] = [
        sys.executable,
        "-m",
        "snakemake",
        "--snakefile",
        ROOT / "Snakefile",
        "--directory",
        place,
    ]
    command += ["--configfile", configuration, "--config", "sentences=true", "--cores", str(os.cpu_count())]
    subprocess.run([*command, "--allowed-rules", *rules, "--", *files], check=True)
    for path in paths:
        if (folder / path).read_bytes() != (reference / path).read_bytes():
            yield folder / path, reference / path


def main() -> None:
    """Make the pages of the studies that are named again."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("studies", nargs="+", choices=SETTINGS)
    parser.add_argument("--only", nargs="+", metavar="FILE", default=(), help="as findings.md or report.pdf")
    arguments = parser.parse_args()
    for study in arguments.studies:
        with TemporaryDirectory() as place:
            files = [shutil.copyfile(*files) for files in make(study, arguments.only, Path(place))]
        reference = REFERENCE / study
        manifest.write_manifests(reference, manifest.files_below(reference))
        print(f"{study}: {', '.join(path.name for path in files) or 'all as it was'}")


if __name__ == "__main__":
    main()
