"""Pages that are made of what the repository has: one for each study, all stored figures, the library's reference."""

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
REFERENCE = ROOT / "results" / "reference"
CAPTIONS = {
    path.stem: path for path in [*ROOT.glob("workflow/report/*.rst"), *SOURCE.glob("studies/*/*/captions/*.rst")]
}
"""Files by name: of all studies, and in folders of questions."""
sys.path.append(str(SOURCE))

from learnability.core.yaml_files import load_yaml  # noqa: E402
from learnability.report.links import heading_anchor  # noqa: E402
from learnability.report.pages.caption import caption_title  # noqa: E402

LIBRARY = [path for path in sorted((SOURCE / "learnability").iterdir()) if path.suffix in ("", ".py")]
ROOMS = [path for path in LIBRARY if not path.stem.startswith("__")]
STUDIES = [
    path.parent
    for path in sorted((SOURCE / "studies").glob("*/__init__.py"))
    if (SOURCE.parent / "workflow" / "rules" / path.parent.name).is_dir()  # not the picture of the front page
]


def study_pages() -> dict[str, str]:
    """A page for each study: what it asks, found, is set by and needs to run; names of pages, with their text."""
    return {f"docs/studies/{study.name}.md": "\n".join(_study_page(study)) for study in STUDIES}


def gallery() -> str:
    """Gallery of the stored figures, by study, with the command that draws each."""
    return "\n".join(["# Gallery", "", *(line for study in STUDIES for line in _figures(study))])


def reference() -> dict[str, str]:
    """Pages of the library and the studies: an index, then one for each module, package and study."""
    pages = {_name(path).replace(".", "/"): path for path in (*ROOMS, *STUDIES)}
    rows = [f"| [`{_name(path)}`]({page}.md) | {summary(path)} |" for page, path in pages.items()]
    index = ["# Library", "", "| module | what it is |", "| --- | --- |", *rows]
    texts = {page: "\n".join([f"# {_name(path)}", "", *_entries(path)]) for page, path in pages.items()}
    return {f"docs/reference/{page}.md": text for page, text in {"index": "\n".join(index), **texts}.items()}


def summary(path: Path) -> str:
    """First line of the docstring of a module or package; of a study, what it asks."""
    return _docstring(path).splitlines()[0].replace("|", "\\|")


def stored_figures(study: str) -> list[Path]:
    """Figures of a study that are stored: the paper's, then others, then appendices."""

    def place(figure: Path) -> tuple[bool, bool, str]:
        return figure.name.startswith("appendix"), not figure.name.startswith("figure"), target(figure)

    return sorted(sorted((REFERENCE / study).glob("**/figures/*.png")), key=place)


@cache
def target(figure: Path) -> str:
    """Target that draws a figure: its caption has the target's name, its own file perhaps one more word.

    Raises:
        FileNotFoundError: it has no caption.
    """
    names = [name for name in CAPTIONS if f"{figure.stem}_".startswith(f"{name}_")]
    if not names:
        raise FileNotFoundError(f"{figure.name} must have a caption. Got none.")
    return max(names, key=len)


@cache
def settings(study: str) -> dict[Path, dict[str, Any]]:
    """Configurations of a study, whole ones first."""
    files = {path: load_yaml(path.read_text(encoding="utf-8")) for path in sorted(ROOT.glob("config/**/*.yaml"))}
    standard = files[ROOT / "config" / "config.yaml"]["study"]
    of_study = {
        path: values for path, values in files.items() if "preset" in values and values.get("study", standard) == study
    }
    return dict(sorted(of_study.items(), key=lambda item: "study" not in item[1]))


def command(study: str, *arguments: str) -> str:
    """Command that makes files of a study again, from stored networks if it has any."""
    files = settings(study)
    reference_files = [path for path, values in files.items() if values.get("weights") == "reference"]
    return " ".join(["snakemake", *arguments, *_configfile([*reference_files, *files][0])])


def _study_page(study: Path) -> Iterator[str]:
    question, _, sources = _docstring(study).partition("\n")
    yield f"# {_title(study)}\n\n**{question}**\n{sources}\n"
    yield f"Its figures, tables and measures are [`{_name(study)}`](../reference/studies/{study.name}.md).\n"
    yield "## Findings\n"
    findings = REFERENCE / study.name / "findings.md"
    if findings.is_file():
        page = f"../../{findings.relative_to(ROOT).as_posix()}"
        text = findings.read_text(encoding="utf-8")
        for heading, answer in re.findall(r"^## (.+)\n\n\*\*(.+)\*\*$", text, re.MULTILINE):
            yield f"* [{heading}]({page}#{heading_anchor(heading)}) {answer}"
    else:
        yield f"None are stored yet; a run makes `results/{study.name}/full/findings.md`."
    if stored_figures(study.name):
        yield f"\nAll stored figures are in the [gallery](../gallery.md#{heading_anchor(_title(study))})."
    yield "\n## How to run it\n\n| settings | what they are | command |\n| --- | --- | --- |"
    for path in settings(study.name):
        file = path.relative_to(ROOT).as_posix()
        run = " ".join(["snakemake --cores 8", *_configfile(path)])
        yield f"| [`{file}`](../../{file}) | {_comment(path)} | `{run}` |"
    yield "\nKeys are in [config/README.md](../../config/README.md), files of a run in "
    yield "[results/README.md](../../results/README.md)."


def _figures(study: Path) -> Iterator[str]:
    figures = stored_figures(study.name)
    if figures:
        yield f"## {_title(study)}\n"
    for drawn_by, of_target in groupby(figures, target):
        title = caption_title(CAPTIONS[drawn_by].read_text(encoding="utf-8"))
        yield f"### {title}\n\n`{command(study.name, drawn_by)}`\n\n<div class='gallery' markdown>\n"
        yield from _thumbnails(study.name, title, drawn_by, of_target)
        yield "\n</div>\n"


def _thumbnails(study: str, title: str, drawn_by: str, figures: Iterable[Path]) -> Iterator[str]:
    """Pictures that lead to themselves, with the reading and the variant below."""
    for figure in figures:
        reading = figure.parents[1].relative_to(REFERENCE / study).as_posix()
        variant = figure.stem.removeprefix(drawn_by).strip("_")
        label = ", ".join(word.replace("_", " ") for word in (reading, variant) if word not in ("", "."))
        file = f"../{figure.relative_to(ROOT).as_posix()}"
        yield f"[![{title}]({file}){{loading=lazy}} {label}]({file})"


def _title(study: Path) -> str:
    return study.name.replace("_", " ").capitalize()


def _configfile(path: Path) -> list[str]:
    """Options that take a configuration; none for the one that is taken anyway."""
    file = path.relative_to(ROOT).as_posix()
    return [] if file == "config/config.yaml" else ["--configfile", file]


def _comment(path: Path) -> str:
    """First sentence of the comment that heads a file."""
    (head,) = re.findall(r"\A((?:#.*\n)+)", path.read_text(encoding="utf-8"))
    return re.split(r"(?<=\.)\s", " ".join(line.lstrip("# ") for line in head.splitlines()))[0]


def _name(path: Path) -> str:
    """Name of a module or package, as it is imported."""
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts)


def _entries(path: Path) -> Iterator[str]:
    """Yield directives for mkdocstrings. A package shows its own definitions, then each of its modules."""
    if not path.is_dir():
        yield f"::: {_name(path)}"
        return
    for module in sorted(path.rglob("*.py")):
        if module.stem != "__init__":
            yield f"::: {_name(module)}\n"
            continue
        members = [node.name for node in _parsed(module).body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
        yield f"::: {_name(module.parent)}\n    options: {{members: {members or 'false'}}}\n"


def _docstring(path: Path) -> str:
    return ast.get_docstring(_parsed(path / "__init__.py" if path.is_dir() else path)) or ""


def _parsed(module: Path) -> ast.Module:
    return ast.parse(module.read_text(encoding="utf-8"))
