"""Modules in src/ and beside a script that it imports, directly or not, and a digest of their code.

Snakemake does not see edits of imported modules; a rule that carries this digest as a parameter does. Comments,
docstrings, messages of errors and layout are no code: rewording them retrains nothing. What lies beside a module in
another language, or as a table, counts line by line, but for indents, empty lines and lines that are comments.

What was read of a text is kept under the digest of that text, for it takes most of the time of a plan; what no plan
has used for `KEPT_DAYS` is removed.
"""

import ast
import hashlib
import json
import os
import sys
import time
from collections.abc import Collection, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

from learnability.core.errors import LearnabilityError
from learnability.core.store import cache_folder, private_folder, writing
from studies.settings.registered import CELLS, SOURCE, TASKS, file_in, references, registries

KEPT_DAYS = 30
DAY = 24 * 3600
OTHER_LANGUAGES = {".cpp", ".hpp", ".css", ".csv", ".js"}

PACKAGES = {CELLS: CELLS, "learnability.tasks": TASKS}
"""Packages that import their classes when these are used, each with the module whose registries name them."""

MESSAGES = {"require": slice(1, 3), "require_one_of": slice(0, 1)}
"""Arguments that are words of an error, by function."""


def library_digest(script: Path, *loaded: str, cell: str | None = None, tasks: Collection[str] | None = None) -> str:
    """Digest of `script` and of all modules that it imports, directly or not, or loads by name.

    The script counts, since Snakemake itself goes by its date, by which a copied clone would be another one. So do
    files in another language beside a module, and for a registry all that it names.

    Args:
        cell: of the one network that the script runs; modules of cells that this one does not import do not count then,
            nor headers of their names, nor the list of all cells.
        tasks: that the script builds by name, if not any; the list of all tasks does not count then, and modules of
            others only where a module imports them.
    """
    left_out = other_cells(SOURCE, cell) if cell else set()
    entries = [references(SOURCE, CELLS)[cell]] if cell and left_out else []
    entries += [references(SOURCE, TASKS)[task] for task in tasks or ()]
    whole = frozenset({CELLS} if not left_out else ()) | frozenset({TASKS} if tasks is None else ())
    modules = library_modules(script, *loaded, *map(_module_of, entries), whole=whole) - left_out
    modules -= {TASKS} - whole
    other_files = {module_file(name) for name in left_out}
    files = sorted(map(module_file, modules))
    digests = [_module(file).digest for file in (script, *helpers(script), *files)]
    for folder in sorted({file.parent for file in files}):
        beside = [source for source in _in_other_languages(folder) if source.with_suffix(".py") not in other_files]
        digests += map(_text_digest, beside)
    return _digest("".join(digests).encode())[:16]


@cache
def other_cells(source: Path, cell: str) -> set[str]:
    """Modules of other cells that the module of this cell does not import, and the list of cells.

    Empty for a cell that the list does not have.
    """
    cells = references(source, CELLS)
    if cell not in cells:
        return set()
    modules: set[str] = set()
    queue = [_module_of(cells[cell])]
    while queue:
        name = queue.pop()
        if name not in modules and name.startswith(f"{CELLS}.") and (imports := _imports_of(source, name)) is not None:
            modules.add(name)
            queue += imports
    return {CELLS, *map(_module_of, cells.values())} - modules


def library_modules(script: Path, *loaded: str, whole: frozenset[str] = frozenset({CELLS, TASKS})) -> set[str]:
    """Names of the modules in src/ that run when `script` does; packages on the way included.

    Args:
        whole: registries all of whose entries count where one is imported.
    """
    modules: set[str] = set()
    queue = [name for file in (script, *helpers(script)) for name in _module(file).imports]
    queue += [parent for name in loaded for parent in _with_parents(name)]
    while queue:
        name = queue.pop()
        imports = None if name in modules else _imports_of(SOURCE, name)
        if imports is not None:
            modules.add(name)
            queue += imports
        elif name not in modules:
            queue += _modules_by_name(SOURCE, whole).get(name, [])
    return modules


@cache
def _modules_by_name(source: Path, whole: frozenset[str]) -> dict[str, list[str]]:
    """Modules by the names of what packages import when it is used: classes, and registries that count as a whole."""
    providers: dict[str, list[str]] = {}
    for package, registry in PACKAGES.items():
        for name, table in registries(source, registry).items():
            modules = {entry: _with_parents(_module_of(entry)) for entry in table.values()}
            providers |= {f"{package}.{entry.partition(':')[2]}": names for entry, names in modules.items()}
            if registry in whole:
                all_modules = [module for names in modules.values() for module in names]
                providers |= dict.fromkeys((f"{package}.{name}", f"{registry}.{name}"), all_modules)
    return providers


def _module_of(entry: str) -> str:
    return entry.partition(":")[0]


def helpers(script: Path) -> list[Path]:
    """Files beside `script` that it imports, or that these do."""
    files: set[Path] = set()
    queue = [script]
    while queue:
        beside = {script.with_name(f"{name}.py") for name in _module(queue.pop()).imports}
        new = {file for file in beside - files if file.is_file()}
        files |= new
        queue += new
    return sorted(files - {script})


@cache
def _imports_of(source: Path, module: str) -> list[str] | None:
    """Names that a module in src/ imports, without leading dots; None if there is no such module.

    The result is cached, since scripts import much the same modules.
    """
    file, names = file_in(source, module), []
    if not file.exists():
        return None
    package = module.split(".") if file.name == "__init__.py" else module.split(".")[:-1]
    for name in _module(file).imports:
        relative = name.lstrip(".")
        dots = len(name) - len(relative)
        base = package[: len(package) + 1 - dots] if dots else []
        names += _with_parents(".".join([*base, relative]))
    return names


def module_file(module: str) -> Path:
    """Source file of a library module or package."""
    return file_in(SOURCE, module)


class Module(NamedTuple):
    """Digest of the code of a file, and names that it imports: modules or their contents, with leading dots."""

    digest: str
    imports: list[str]


@cache
def _module(file: Path) -> Module:
    """Digest and imports of a file."""
    content = file.read_bytes()
    key = _digest(b"\0".join([sys.version.encode(), Path(__file__).read_bytes(), content]))
    module = None
    with suppress(LearnabilityError):  # where nothing can be kept, a plan takes longer
        cache_file = private_folder(cache_folder() / "modules") / f"{key}.json"
        try:
            module = Module(**json.loads(cache_file.read_text(encoding="utf-8")))
            if cache_file.stat().st_mtime < time.time() - DAY:
                os.utime(cache_file)  # used
        except (OSError, ValueError, TypeError):
            module = read_module(content)
            with writing(cache_file) as temporary:
                temporary.write_text(json.dumps(module._asdict()), encoding="utf-8")
            _remove_unused(cache_file.parent)
    return module or read_module(content)


@cache
def _remove_unused(folder: Path) -> None:
    """Remove what has not been used for long, once a process; another one that has just lost it reads the text."""
    for cache_file in folder.glob("*.json"):
        with suppress(OSError):
            if cache_file.stat().st_mtime < time.time() - KEPT_DAYS * DAY:
                cache_file.unlink()


def read_module(content: bytes) -> Module:
    """Digest and imports of the text of a module."""
    tree = ast.parse(content)
    names = {name for block in _blocks(tree) for line in block for name in _imports_in(line)}
    for block in _blocks(tree):
        block[:] = [line for line in block if not _is_text(line)]
    for text in [text for node in ast.walk(tree) for message in _messages(node) for text in ast.walk(message)]:
        if isinstance(text, ast.Constant) and isinstance(text.value, str):
            text.value = ""
    return Module(
        _digest(ast.dump(tree).encode()), sorted({parent for name in names for parent in _with_parents(name)})
    )


def _messages(node: ast.AST) -> list[ast.expr]:
    """Words of an error: of a `raise`, or of a function of `learnability.core.errors` that may raise."""
    match node:
        case ast.Raise(exc=ast.Call(args=messages)):
            return messages
        case ast.Call(func=ast.Name(id=name), args=arguments) if name in MESSAGES:
            return arguments[MESSAGES[name]]
    return []


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """Yield all lists of statements of a module, nested ones too; expressions, most of the nodes, hold none."""
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        block = getattr(node, name, None)
        if isinstance(block, list):
            yield block
            for line in block:
                yield from _blocks(line)


def _imports_in(line: ast.stmt) -> list[str]:
    match line:
        case ast.Import(names):
            return [alias.name for alias in names]
        case ast.ImportFrom(module, names, level):
            start = "." * (level or 0) + (module or "")
            separator = "." if module else ""
            return [start, *(f"{start}{separator}{alias.name}" for alias in names)]
    return []


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


@cache
def _in_other_languages(folder: Path) -> list[Path]:
    return [source for source in sorted(folder.iterdir()) if source.suffix in OTHER_LANGUAGES]


@cache
def _text_digest(source: Path) -> str:
    lines = map(str.strip, source.read_text(encoding="utf-8").splitlines())
    return _digest("\n".join(line for line in lines if line and not line.startswith("//")).encode())


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _with_parents(name: str) -> list[str]:
    dots = name[: len(name) - len(name.lstrip("."))]
    parts = name.lstrip(".").split(".")
    return [dots + ".".join(parts[: count + 1]) for count in range(len(parts))]
