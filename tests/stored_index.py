"""The page to open first, of a stored study: as a run makes it, from the stored tables, figures and findings."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import generated
from imports import module_file
from learnability.core.store import read_by_name, read_table
from learnability.core.yaml_files import load_yaml
from learnability.report.findings import from_records
from learnability.report.pages.index import Shown, index_page
from learnability.report.pages.play import Play
from stored import SETTINGS
from studies.learnability_window.groups import explain_groups
from studies.questions import find_questions

ROOT = Path(__file__).parents[1]
REFERENCE = ROOT / "results" / "reference"
STUDIES = sorted(path.name for path in REFERENCE.iterdir() if path.is_dir())


def names_of(study: str) -> tuple[dict[str, str], dict[str, str]]:
    """Labels and colours of the architectures of a study."""
    base_figures, study_figures = (
        load_yaml((ROOT / "config" / file).read_text("utf-8")).get("figures", {})
        for file in ("config.yaml", SETTINGS[study])
    )
    labels, colours = ({**base_figures[name], **(study_figures.get(name) or {})} for name in ("labels", "colours"))
    return labels, colours


def groups_of(study: str) -> str:
    """Groups of a study's scorecards, in words."""
    if study != "learnability_window":
        return ""
    config = load_yaml((ROOT / "config" / "config.yaml").read_text("utf-8"))
    changes = load_yaml((ROOT / "config" / SETTINGS[study]).read_text("utf-8"))
    architectures = {**config["runs"], **changes["runs"]}["adamw"]
    return explain_groups(config["architecture_groups"], config["architectures"], names_of(study)[0], architectures)


def played_from(folder: Path) -> list[Path]:
    """Tables behind the charts to play with of a stored study."""
    tables = [folder / "measured" / f"{name}.csv.gz" for name in ("window", "resonances", "harmonics")]
    if tables[0].is_file():
        return [*tables, *sorted(folder.glob("models/*/*/*/learning_curve.csv"))]
    is_played = any("curve" in getattr(question, "played", ()) for question in find_questions(folder.name).values())
    curves = folder.glob("models/*/*/*/learning_curve.csv") if is_played else ()
    return [*sorted(folder.glob("tables/*.csv")), *sorted(folder.glob("*.csv.gz")), *sorted(curves)]


def shown(folder: Path) -> Iterator[Shown]:
    """Figures and tables of a stored study."""
    for path in [*sorted(folder.rglob("figures/*.png")), *sorted(folder.rglob("tables/*.md"))]:
        captions = [caption for caption in generated.CAPTIONS if f"{path.stem}_".startswith(f"{caption}_")]
        if not captions:
            continue  # tables of searches stand in no page
        name = max(captions, key=len)
        place = path.relative_to(folder)
        yield Shown.read(
            path,
            section="Figures" if path.suffix == ".png" else "Tables",
            name=name,
            reading=place.parts[0] if len(place.parts) == 3 else "",
            variant=path.stem.removeprefix(name).strip("_"),
            data=str(place.with_suffix(".csv")) if path.suffix == ".md" else "",
        )


def played_in(study: str) -> dict[int, str]:
    """Modules of charts to play with, by the places of their questions."""
    return {
        place: module
        for place, name in enumerate(find_questions(study))
        if module_file(module := f"studies.{study}.{name}.play").is_file()
    }


def plays(study: str) -> dict[int, Play]:
    """Charts to play with, by the places of their questions."""
    modules = played_in(study)
    tables = read_by_name(played_from(REFERENCE / study)) if modules else {}
    return {place: import_module(module).play(tables, *names_of(study)) for place, module in modules.items()}


def judged(folder: Path, name: str) -> Mapping[str, Any]:
    """Tables of scorecards, by reading; an empty name in a study without readings."""
    paths = sorted(folder.rglob(f"{name}.csv"))
    return {"" if path.parent == folder else path.parent.name: read_table(path) for path in paths}


@cache
def stored_index(study: str) -> str:
    """The page of a stored study, as HTML."""
    folder = REFERENCE / study
    entries = list(shown(folder))
    settings = (ROOT / "config" / SETTINGS[study]).read_text("utf-8")
    return index_page(
        *(study, "Stored", "full", ""),
        findings=from_records(json.loads((folder / "findings.json").read_text("utf-8")))[1],
        scorecards=judged(folder, "scorecard"),
        conditions=judged(folder, "scorecard.conditions"),
        labels=names_of(study)[0],
        shown=entries,
        captions={entry.name: generated.CAPTIONS[entry.name].read_text("utf-8") for entry in entries},
        configuration=settings,
        trainings=[json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("models/**/provenance.json"))],
        plays=plays(study),
        architecture_groups=groups_of(study),
    )
