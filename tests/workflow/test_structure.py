"""The house: thin scripts, honest digests, environments that agree."""

import ast
import importlib
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterable
from functools import cache
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from setuptools import find_packages

import generated
import imports
from imports import library_digest, library_modules, module_file, read_module
from learnability.cells import Cell
from learnability.core.yaml_files import load_yaml
from learnability.report.pages.caption import caption_html, caption_title
from studies.files import file_of, file_of_run
from studies.questions import find_questions

from .conftest import ROOT
from .plans import forget

PACKAGES = ("learnability", "studies")
SCRIPTS = sorted((ROOT / "workflow" / "scripts").glob("*.py"))
JOBS = [path for path in SCRIPTS if path.stem not in ("job", "record")]
MAKE = ROOT / "workflow" / "scripts" / "make.py"
MADE_BY = {  # modules that this script runs
    ".".join(path.relative_to(ROOT / "src").with_suffix("").parts): path
    for path in [
        *sorted((ROOT / "src" / "studies").glob("jobs/[!_]*.py")),
        *sorted((ROOT / "src" / "studies").glob("*/jobs/[!_]*.py")),
        ROOT / "src" / "studies" / "front_page" / "drawn.py",
    ]
}
SOURCES = {**{path.stem: path for path in JOBS if path != MAKE}, **MADE_BY}
"""Code that runs in an environment of its own: scripts by name, and modules that `make.py` runs."""
LIBRARY = ROOT / "src" / "learnability"
STUDY = "studies.learnability_window"
OF_STUDY = ROOT / "src" / "studies" / "learnability_window"
THEORY = sorted((OF_STUDY / "theory").glob("[!_]*.py"))
STUDIES = sorted(path.parent.name for path in (ROOT / "src" / "studies").glob("*/questions.py"))


def modules_of(study: str, part: str) -> list[str]:
    """Modules of all questions of a study, of which `part` is the name or a pattern."""
    folders = [module_file(f"studies.{study}.{name}").parent for name in find_questions(study)]
    files = [file.relative_to(ROOT / "src") for folder in folders for file in sorted(folder.glob(f"{part}.py"))]
    return [".".join(file.with_suffix("").parts) for file in files]


OF_QUESTIONS = {  # code: modules of a part of questions that it imports by name
    code: [module for study in studies for part in parts for module in modules_of(study, part)]
    for code, studies, *parts in (
        ("studies.gated.jobs.make_exhibit", ["gated"], "measure"),
        ("studies.gated.jobs.search_exhibit", ["gated"], "measure"),
        ("studies.jobs.show_question", ["attention", "comparison", "gated", "ground_truth"], "figure", "figures/[!_]*"),
        ("studies.learnability_window.jobs.show", ["learnability_window"], "figures/[!_]*"),
        ("studies.attention.jobs.tabulate_networks", ["attention"], "tables"),
        ("explain_questions", STUDIES, "numbers"),
        ("make_index", STUDIES, "play"),
    )
}
BY_NAME = {  # code: modules that its rules name
    f"{STUDY}.jobs.compute_appendices": [f"{STUDY}.theory.{path.stem}" for path in THEORY],
    "studies.jobs.search_settings": [
        f"studies.{study}.headlines" for study in ("attention", "ground_truth", "learnability_window")
    ],
    "score_claims": [f"{STUDY}.judged", "studies.attention.judged", "studies.gated.judged"],
    **OF_QUESTIONS,
    "explain_questions": [
        *("studies.gated.judged", *(f"studies.{study}.answers" for study in STUDIES if study != "gated")),
        *OF_QUESTIONS["explain_questions"],
    ],
    "studies.attention.jobs.tabulate_networks": [
        "studies.attention.measured_tables",
        *OF_QUESTIONS["studies.attention.jobs.tabulate_networks"],
    ],
}


def modules_by_name(code: str) -> list[str]:
    """Modules that a script imports by name; of `make.py`, the one that it runs and those that this one imports."""
    return [*([code] if code in MADE_BY else []), *BY_NAME.get(code, ())]


def digested(code: str, *modules: str) -> set[str]:
    """Modules that the digest of a job covers."""
    return library_modules(MAKE if code in MADE_BY else SOURCES[code], *modules)


CONDA_NAMES = {"torch": "pytorch", "matplotlib": "matplotlib-base", "typst": "typst-py"}


FLOORS = [
    {"core"},
    {"stats", "cells", "tasks", "report"},
    {"networks"},
    {"training", "transport", "reservoirs"},
    {"windows", "reinforcement"},
    {"measurement"},
]
"""Rooms of the library; each imports those of lower floors alone."""


def test_rooms_import_downhill() -> None:
    height = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}
    rooms = {path.name for path in LIBRARY.iterdir() if (path / "__init__.py").is_file()}
    assert rooms == height.keys()
    for room in height:
        for path in (LIBRARY / room).rglob("*.py"):
            for name in re.findall(r"^\s*(?:from|import) learnability\.(\w+)", path.read_text(), re.MULTILINE):
                assert name == room or height[name] < height[room], f"{path}: {name}"


def test_the_library_knows_no_study_and_a_study_no_other() -> None:
    for path in (ROOT / "src").rglob("*.py"):
        studies = set(re.findall(r"^\s*(?:from|import) studies\.(\w+)", path.read_text(), re.MULTILINE))
        package, study = path.relative_to(ROOT / "src").parts[:2]
        assert studies <= ({study, "files", "questions", "settings", "told"} if package == "studies" else set()), path


def cells_tested(text: str) -> list[str]:
    """Classes of cells that `isinstance`, `issubclass` or a pattern tests for, as a module names them."""
    tree, nodes = ast.parse(text), []
    places: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            places |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            places |= {alias.asname: alias.name for alias in node.names if alias.asname}
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("isinstance", "issubclass"):
            nodes += [part for part in ast.walk(node.args[1]) if isinstance(part, ast.Name | ast.Attribute)]
        elif isinstance(node, ast.MatchClass):
            nodes.append(node.cls)
    of_cells = []
    for name in map(ast.unparse, nodes):
        first, *rest = name.split(".")
        module, _, kind = ".".join([places.get(first, first), *rest]).rpartition(".")
        if module.startswith("learnability.cells"):
            value = getattr(importlib.import_module(module), kind)
            of_cells += [name] * (isinstance(value, type) and issubclass(value, Cell))
    return of_cells


def test_a_cell_says_itself_what_it_is() -> None:
    """A cell of another family can then say the same."""
    files = (path for path in (ROOT / "src").rglob("*.py") if LIBRARY / "cells" not in path.parents)
    cells_by_file = {path: cells for path in files if (cells := cells_tested(path.read_text()))}
    assert not cells_by_file


@pytest.mark.parametrize(
    ("line", "seen"),
    [
        ("from learnability.cells.gru import GRU\nisinstance(cell, GRU | int)", True),
        ("from learnability.cells import Stack as Layers\nif issubclass(kind, (int, Layers)): pass", True),
        ("import learnability.cells as cells\nisinstance(cell, cells.LSTM)", True),
        ("import learnability.cells\nisinstance(cell, learnability.cells.LSTM)", True),
        ("from learnability.cells import GRU\nmatch cell:\n    case GRU(): pass", True),
        ("from torch import nn\nisinstance(module, nn.LSTM)", False),
        ("from learnability.cells.attentive import MemoryState\nisinstance(state, MemoryState)", False),
    ],
)
def test_a_test_for_a_cell_is_seen(line: str, seen: bool) -> None:
    assert bool(cells_tested(line)) == seen


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_carry_and_do_not_compute(script: Path) -> None:
    assert len(script.read_text().splitlines()) < 40


LISTS = re.compile(r"\b(snakemake|params|output|input|sources|paths|files|pages)\b")
"""Names that scripts have for what a job gets and makes."""
LIST = re.compile(r"(?:snakemake\.)?(?:output|input|sources|paths)\.(?!output|input)\w+")
"""A list of files that has a name."""


def paired_by_place(text: str) -> list[str]:
    """Calls of `zip` and `enumerate` on lists of a job, and numbers in place of the names of its files."""
    calls = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("zip", "enumerate"):
            calls += [ast.unparse(node)] * any(LISTS.search(ast.unparse(argument)) for argument in node.args)
        if isinstance(node, ast.Subscript) and LISTS.search(ast.unparse(node.value)):
            by_number = isinstance(node.slice, ast.Slice) or isinstance(getattr(node.slice, "value", ""), int)
            of_a_list = isinstance(node.slice, ast.Name) and LIST.fullmatch(ast.unparse(node.value))
            calls += [ast.unparse(node)] * bool(by_number or of_a_list)
    return calls


@pytest.mark.parametrize("code", ["make", *SOURCES])
def test_files_of_a_job_are_matched_by_name(code: str) -> None:
    """Two lists of a job may be in different orders, as tables and pages of the contest once were."""
    file = MAKE if code == "make" else SOURCES[code]
    assert paired_by_place(file.read_text()) == PAIRS.get(code, [])


PAIRS = {"train": ["zip(params.runs, results, strict=True)"]}
"""Results come in the order of the runs that a script gives; no file does."""


@pytest.mark.parametrize(
    "line",
    [
        "for (name, table), page in zip(tables.items(), output.pages, strict=True): pass",
        "for place, page in enumerate(snakemake.output.pages): pass",
        "read(snakemake.input.paths[0])",
        "write(output.weights[place])",
    ],
)
def test_a_script_that_matches_files_by_place_is_seen(line: str) -> None:
    assert paired_by_place(line)


def test_rules_match_files_by_name() -> None:
    """Rules pair runs only with the folders made of them."""
    files = [ROOT / "workflow" / "Snakefile", *(ROOT / "workflow" / "rules").rglob("*.smk")]
    pairs = {pair for path in files for pair in re.findall(r"\b(?:zip|enumerate)\(.*", path.read_text())}
    assert pairs == {"zip(ALL_RUNS, [*NETWORKS, *RESERVOIRS])"}


def test_files_are_found_by_name() -> None:
    files = ["r/a/tables/x.csv", "r/b/tables/x.csv", "r/tables/xx.csv", "r/tables/y.csv"]
    assert file_of(files, "y.csv") == "r/tables/y.csv" and file_of(files, "b/tables/x.csv") == "r/b/tables/x.csv"
    for name in ("x.csv", "z.csv"):
        with pytest.raises(LookupError, match=f"'{name}' must be the name of one file"):
            file_of(files, name)


def test_files_of_a_run_are_found_by_its_names() -> None:
    run = {"architecture": "gru", "optimizer": "adamw", "seed": 1}
    files = [f"m/{folder}/weights" for folder in ("gru/adamw/seed1", "gru/adamw/seed11", "lstm/adamw/seed1")]
    assert file_of_run(files, run) == files[0]
    of_experiment = ["m/copy/gru/seed1/weights", "m/copy_50/gru/seed1/weights"]
    assert file_of_run(of_experiment, run | {"experiment": "copy"}) == of_experiment[0]
    with pytest.raises(LookupError):
        file_of_run(files, run | {"seed": 2})


IN_AN_ENVIRONMENT = """
import importlib, os, sys

class Blocked:
    def find_spec(name, path=None, target=None):
        if name.split(".")[0] in {blocked}:
            raise ModuleNotFoundError(name + " is not of this environment")

sys.meta_path.insert(0, Blocked)
for name in {shared}:  # once for all scripts, and no more than each may import
    importlib.import_module(name)
for script, imports in {imports}.items():
    if not os.fork():
        exec(imports)
        print(script, *sys.modules, flush=True)
        os._exit(0)
    if os.wait()[1]:
        sys.exit(1)
"""


@cache
def loaded(environment: str) -> dict[str, set[str]]:
    """Modules that the code of each job of an environment imports in it, with those that it loads by name."""
    distributions = required(environment) | set(PACKAGES)
    owners = {name: set(map(canonicalize_name, owned_by)) for name, owned_by in packages_distributions().items()}
    hidden_modules = {name for name, owned_by in owners.items() if not distributions & owned_by}
    common = [
        name for name in ("torch", "xarray", "scipy.stats", "matplotlib.pyplot") if name.split(".")[0] in distributions
    ]
    imports = {}
    for code in SOURCES:
        if environments()[code] == {environment}:
            script = MAKE if code in MADE_BY else SOURCES[code]
            lines = [
                line for line in ast.parse(script.read_text()).body if isinstance(line, ast.Import | ast.ImportFrom)
            ]
            by_name = [f"import {module}" for module in modules_by_name(code)]
            imports[code] = "\n".join([*map(ast.unparse, lines), *by_name])
    code = IN_AN_ENVIRONMENT.format(blocked=hidden_modules, shared=common, imports=imports)
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, cwd=SCRIPTS[0].parent, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return {script: set(modules) for script, *modules in map(str.split, result.stdout.splitlines())}


@pytest.mark.parametrize("code", SOURCES)
def test_a_script_imports_what_its_environment_has_and_its_digest_covers_it(code: str) -> None:
    """No module leaks in from the Python that runs Snakemake, and an edit of any is seen."""
    (environment,) = environments()[code]
    of_library = {name for name in loaded(environment)[code] if name.split(".")[0] in PACKAGES}
    assert of_library
    assert digested(code, *modules_by_name(code)) >= of_library


@pytest.mark.parametrize("code", OF_QUESTIONS)
def test_the_code_of_a_question_is_without_that_of_another(code: str) -> None:
    for module in OF_QUESTIONS[code]:
        study, name = module.split(".")[1:3]
        modules = digested(code, module)
        folders = {module_name.split(".")[2] for module_name in modules if module_name.startswith(f"studies.{study}.")}
        assert folders & find_questions(study).keys() == {name}


def environments() -> dict[str, set[str]]:
    """Environments of the rules that run each script, and each module that `make.py` runs."""
    result: dict[str, set[str]] = {}
    for rules in (ROOT / "workflow" / "rules").rglob("*.smk"):
        text = rules.read_text()
        for environment, script in re.findall(r"envs/(\w+)\.yaml.*?scripts/(\w+)\.py", text, re.DOTALL):
            result.setdefault(script, set()).add(environment)
        for module, environment in re.findall(r'"by": "([\w.]+)",.*?"environment": "(\w+)"', text, re.DOTALL):
            result.setdefault(module, set()).add(environment)
    return result


def required(environment: str) -> set[str]:
    """The packages of an environment and what they require, as installed here."""
    dependencies = load_yaml((ROOT / "envs" / f"{environment}.yaml").read_text())["dependencies"]
    pip_names = {conda: pip for pip, conda in CONDA_NAMES.items()}
    packages: set[str] = set()
    queue = [pip_names.get(name, name) for name in (line.split("=")[0] for line in dependencies) if name != "python"]
    while queue:
        name = canonicalize_name(queue.pop())
        if name not in packages:
            packages.add(name)
            requirements = [Requirement(line) for line in requires(name) or []]
            queue += [
                requirement.name
                for requirement in requirements
                if not requirement.marker or requirement.marker.evaluate({"extra": ""})
            ]
    return packages


def test_each_script_is_run_by_a_rule_and_each_environment_used() -> None:
    environments_by_script = environments()
    assert environments_by_script.keys() == SOURCES.keys()
    assert set().union(*environments_by_script.values()) == {path.stem for path in (ROOT / "envs").glob("*.yaml")}


def test_a_digest_follows_the_text(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("from learnability.core.errors import require\n")
    assert library_modules(script) == {"learnability", "learnability.core", "learnability.core.errors"}
    assert library_digest(script) != library_digest(script, "learnability.stats.fits")


CODE = """
def check(mode):
    \"""Docstring.\"""
    require(mode == "exact", "mode", "exact", mode)
    if mode > 3:
        raise InputError(f"Too many: {mode}.")
    return "exact"
"""


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("Docstring.", "Another.", True),
        ("Too many", "More than there are", True),
        ('"mode", "exact", mode', '"mode", "what is allowed", mode', True),
        ("    return", "\n    # why\n    return", True),
        ('mode == "exact"', 'mode == "other"', False),
        ("{mode}.", "{mode + 1}.", False),
        ("InputError", "ValueError", False),
        ('return "exact"', 'return "other"', False),
        ("mode > 3", "mode > 4", False),
    ],
)
def test_words_are_no_code(old: str, new: str, same: bool) -> None:
    assert old in CODE
    before, after = (read_module(text.encode()).digest for text in (CODE, CODE.replace(old, new)))
    assert (before == after) == same


def test_what_was_read_of_a_module_is_kept_by_its_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    digests = []
    for text in ("import learnability.core\nx = 1\n", "import learnability.core\nx = 2\n"):
        script = tmp_path / "script.py"
        script.write_text(text)
        for _ in ("read", "kept"):
            forget()
            digests.append(library_digest(script, "learnability.core.errors"))
    first, again, second, second_again = digests
    assert first == again and second == second_again
    for file in (tmp_path / "cache").rglob("*.json"):
        file.write_text("{")  # damaged: read anew
    forget()
    assert library_digest(script, "learnability.core.errors") == second


HELPER = """
def help(n):
    \"""Docstring.\"""
    if n < 0:
        raise ValueError("Too few.")
    return n + 1
"""


def test_a_digest_follows_neighbours_in_ones_own_package_and_beside_the_script(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Code of neighbours counts; words do not, nor does a module that nothing imports."""
    monkeypatch.setattr("imports.SOURCE", tmp_path / "src")
    files = {
        "src/models/__init__.py": "",
        "src/models/cells/__init__.py": "",
        "src/models/cells/own.py": "from . import near\nfrom .close import help\nfrom ..parts.far import help\n",
        **{f"src/models/{name}.py": HELPER for name in ("cells/near", "cells/close", "parts/far", "cells/unused")},
        "src/models/parts/__init__.py": "import plain\n",
        "src/plain.py": HELPER,
        "scripts/measure.py": "import json\nfrom job import help\n",
        "scripts/job.py": "from record import help\n",
        "scripts/record.py": HELPER,
        "scripts/unused.py": HELPER,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)

    def digest() -> str:
        forget()
        return library_digest(tmp_path / "scripts" / "measure.py", "models.cells.own")

    before = digest()
    for name in (name for name, text in files.items() if text == HELPER):
        for old, new, is_text in (("n + 1", "n + 2", False), ("Docstring", "Word", True), ("Too few", "None", True)):
            (tmp_path / name).write_text(HELPER.replace(old, new))
            assert (digest() == before) == (is_text or "unused" in name), (name, new)
        (tmp_path / name).write_text(HELPER)
    assert digest() == before


def test_each_script_depends_on_its_helpers() -> None:
    beside = {path.stem: {helper.stem for helper in imports.helpers(path)} for path in JOBS}
    assert all(names >= {"job", "record"} for names in beside.values())


def test_what_no_plan_has_used_for_long_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    script, folder = tmp_path / "script.py", tmp_path / "cache" / "learnability" / "modules"

    def read(text: str) -> set[Path]:
        script.write_text(text)
        forget()
        imports._remove_unused.cache_clear()
        library_digest(script)
        return set(folder.iterdir())

    (old,) = read("x = 1")
    for days, remains in ((29, True), (31, False)):
        date = time.time() - days * imports.DAY
        os.utime(old, (date, date))
        assert (old in read(f"x = {days}")) == remains
    folder_before = set(folder.iterdir())
    (used_again,) = read("x = 1") - folder_before
    os.utime(used_again, (date, date))
    assert used_again in read("x = 1") and used_again in read("x = 5")  # its date is that of its use


def test_a_digest_follows_the_text_of_compiled_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in PACKAGES:
        shutil.copytree(module_file(name).parent, tmp_path / name)
    package = tmp_path / "learnability"
    monkeypatch.setattr("imports.SOURCE", tmp_path)
    measure, score = (MAKE, "studies.jobs.measure_network"), (MAKE.with_name("score_claims.py"),)
    for source, line, rerun in (
        ("cells/native.hpp", "int more;", True),
        ("transport/windows.cpp", "int more;", True),
        ("transport/windows.cpp", "\n  // A word.\n", False),
        ("training/engines/native.cpp", "int more;", False),
    ):
        before = library_digest(*measure), library_digest(*score)
        with (package / source).open("a") as file:
            file.write(line)
        forget()
        assert (library_digest(*measure) != before[0]) == rerun
        assert library_digest(*score) == before[1]


def test_environments_agree() -> None:
    lines = [line for line in (ROOT / "requirements.txt").read_text().splitlines() if line and line[0] != "#"]
    pins = dict(line.split(";")[0].split("==") for line in lines)
    for path in (ROOT / "envs").glob("*.yaml"):
        conda = dict(line.split("=") for line in load_yaml(path.read_text())["dependencies"])
        assert conda.pop("python") == "3.11"
        expected = {CONDA_NAMES.get(name, name): version for name, version in pins.items()}
        assert conda.items() <= expected.items()


def test_every_figure_has_a_module_and_a_caption() -> None:
    figures: set[str] = set()
    for name, question in find_questions("learnability_window").items():
        drawn_by = {figure.like or key for key, figure in question.figures.items()}
        for kind, ending in (("figures", "py"), ("captions", "rst")):
            assert drawn_by <= {path.stem for path in (OF_STUDY / name).glob(f"{kind}/*.{ending}")}, name
        figures |= drawn_by
    assert len([name for name in figures if name.startswith("figure_")]) == 11
    assert {f"appendix_{letter}" for letter in "acdefghi"} <= figures
    assert (OF_STUDY / "appendices" / "captions" / "appendix_b.rst").is_file()


def test_a_question_of_attention_has_what_it_names_and_no_more() -> None:
    """A caption of a table lies with the first question that names it."""
    tables: set[str] = set()
    for name, question in find_questions("attention").items():
        folder = module_file(f"studies.attention.{name}").parent
        assert {path.stem for path in folder.glob("figures/[!_]*.py")} == {*question.figures}, name
        captions = {*question.figures, *question.tables} - (tables - {*question.figures})
        assert {path.stem for path in folder.glob("captions/*")} == captions, name
        tables |= {*question.tables}


EXTRAS = {"agents": "reinforcement", "pages": "report/pages", "gpu": "training/engines/fused_kernels.py"}
"""Extras of the package, and the part of the library that alone imports their distributions."""


def imported_distributions(paths: Iterable[Path]) -> set[str]:
    """Distributions outside the standard library and this project that modules import."""
    nodes = [node for path in paths for node in ast.walk(ast.parse(path.read_text()))]
    names = {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
    names |= {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    owners = packages_distributions()
    outside = {name.split(".")[0] for name in names} - sys.stdlib_module_names - set(PACKAGES)
    return {canonicalize_name(owners[name][0]) for name in outside}


def test_the_package_and_its_extras_ask_for_what_they_import() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    packages = {
        name: {canonicalize_name(Requirement(line).name) for line in lines}
        for name, lines in [("", project["dependencies"]), *project["optional-dependencies"].items()]
    }
    parts = {name: LIBRARY / part for name, part in EXTRAS.items()}
    modules = set(LIBRARY.rglob("*.py"))
    of_extras = {name: {path for path in modules if path.is_relative_to(part)} for name, part in parts.items()}
    core = imported_distributions(modules - set().union(*of_extras.values()))
    assert core == packages[""]
    by_pandas = {"jinja2"}  # in to_latex
    for name, files in of_extras.items():
        assert files
        assert imported_distributions(files) - core | (by_pandas if name == "pages" else set()) == packages[name], name


def test_the_package_is_the_library_alone() -> None:
    find = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]["find"]
    packages = find_packages(str(ROOT / find["where"][0]), include=find["include"])
    assert "learnability.windows" in packages and not [name for name in packages if name.partition(".")[0] == "studies"]


def test_captions_are_text_with_a_title() -> None:
    for path in generated.CAPTIONS.values():
        caption = path.read_text()
        if path.stem != "workflow":  # the report's front page, which names the run
            assert not re.search(r"\{[{%]", caption), f"{path.name}: the index fills no templates"
            assert caption_title(caption) and "<p>" in caption_html(caption)


MOST_WORDS = 90
"""Words of a caption, as a page has it."""


@pytest.mark.parametrize("study", STUDIES)
def test_a_caption_is_short(study: str) -> None:
    captions = {path.stem: path.read_text("utf-8") for path in ROOT.glob(f"src/studies/{study}/*/captions/*.rst")}
    counts = {name: len(re.sub("<[^>]+>", "", caption_html(text)).split()) for name, text in captions.items()}
    assert counts and {name: count for name, count in counts.items() if count > MOST_WORDS} == {}


def test_tests_of_the_library_import_no_study_at_their_head() -> None:
    """Tests run on the installed wheel could not import it; no other test sees that."""
    for path in (ROOT / "tests" / "library").glob("test_*.py"):
        heads = [line for line in ast.parse(path.read_text()).body if isinstance(line, ast.ImportFrom)]
        assert not [line.module for line in heads if str(line.module).split(".")[0] == "studies"], path.name


PRONOUNS = """
    all any anything both each either every everything here it its neither none one other others own same some something
    such that their theirs them there these they this those what which
"""
PARTICIPLES = """
    begun built chosen done drawn fallen found given gone grown had held kept known left lost made meant paid said seen
    sent shown sought spent taken taught thought told thrown won written
"""  # and all other words in -ed and -ing but for these:
NOUNS = """
    coupling crossing damping embedding ending expected finding forgetting heading learning listing mapping mixing
    ranking reading resampling rounding sampling screening setting spacing speed timing training
"""
NO_SUBJECT = """
    and as at before behind beside between but by each for from how if in of on one or other others own same that their
    theirs these this those to under what where whether which who whose why with without
"""


def is_vague(name: str) -> bool:
    """True for a pronoun or a participle, which does not say what a value is."""
    has_ending = len(name) > 4 and name.endswith(("ed", "ing")) and "_" not in name
    return name in (PRONOUNS + PARTICIPLES).split() or (has_ending and name not in NOUNS.split())


@pytest.mark.parametrize("folder", ["src", "workflow", "tests", "benchmarks"])
def test_names_are_nouns_and_docstrings_have_a_subject(folder: str) -> None:
    paths = sorted((ROOT / folder).rglob("*.py"))
    nodes = [node for path in paths for node in ast.walk(ast.parse(path.read_text("utf-8")))]
    stores = [node for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    vague = Counter(name for node in stores if is_vague(name := node.id.strip("_").lower()))
    assert vague["each"] + vague["found"] + vague["own"] == 0
    assert vague.total() < 0.01 * len(stores), vague.most_common(20)
    constants = [node.value for node in nodes if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)]
    texts = [constant.value.split("\n\n")[0].strip() for constant in constants if isinstance(constant.value, str)]
    words = [text.split()[0].lower().strip(",:;") for text in texts if not text.endswith("?")]
    assert sum(word in NO_SUBJECT.split() for word in words) < 0.02 * len(texts), Counter(words).most_common(40)
