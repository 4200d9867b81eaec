"""Which library modules a script imports, transitively, and a digest of their code.

Snakemake does not see edits of imported modules; a rule that carries this digest as a parameter does. Comments,
docstrings and layout are no code: rewording them retrains nothing. What lies beside a module in another language
counts, as text.
"""

import ast
import hashlib
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src"
PACKAGE = "learnability"
OTHER_LANGUAGES = {".cpp", ".hpp", ".css", ".js"}


def library_digest(script: Path, *loaded: str) -> str:
    """Digest of every library module that `script` imports, directly or not, and of those it loads by name."""
    digest = hashlib.sha256()
    files = sorted(map(module_file, library_modules(script, *loaded)))
    for file in files:
        digest.update(_code(file).encode())
    for folder in sorted({file.parent for file in files}):
        for source in sorted(file for file in folder.iterdir() if file.suffix in OTHER_LANGUAGES):
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def library_modules(script: Path, *loaded: str) -> set[str]:
    """Names of the library modules that run when `script` does; packages on the way included."""
    found: set[str] = set()
    pending = [*_imports(script), *loaded]
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            pending += _imports(module_file(name))
    return found


def module_file(module: str) -> Path:
    """Source file of a library module or package."""
    path = SOURCE.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


@cache
def _code(file: Path) -> str:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [line for line in body if not _is_text(line)]  # type: ignore[attr-defined]
    return ast.dump(tree)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


@cache
def _imports(file: Path) -> tuple[str, ...]:
    names: list[str] = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return tuple(
        parent
        for name in names
        if name.split(".")[0] == PACKAGE
        for parent in _with_parents(name)
        if module_file(parent).exists()
    )


def _with_parents(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[: count + 1]) for count in range(len(parts))]
