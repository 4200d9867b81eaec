"""Which library modules a script imports, transitively, and a digest of their code.

Snakemake does not see edits of imported modules; a rule that carries this digest as a parameter does. Comments,
docstrings and layout are no code: rewording them retrains nothing. What lies beside a module in another language, or as
a table, counts line by line, but for indents, empty lines and lines that are comments.
"""

import ast
import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).parents[1] / "src"
PACKAGES = ("learnability", "studies")
OTHER_LANGUAGES = {".cpp", ".hpp", ".css", ".csv", ".js"}


def library_digest(script: Path, *loaded: str) -> str:
    """Digest of `script` and of every library module that it imports, directly or not, or loads by name.

    Of the script too, for Snakemake itself goes by its date, by which a copied clone would be another one.
    """
    files = sorted(map(module_file, library_modules(script, *loaded)))
    digests = [_module(file).digest for file in (script, *files)]
    for folder in sorted({file.parent for file in files}):
        digests += [_text_digest(source) for source in sorted(folder.iterdir()) if source.suffix in OTHER_LANGUAGES]
    return _digest("".join(digests).encode())[:16]


def library_modules(script: Path, *loaded: str) -> set[str]:
    """Names of the library modules that run when `script` does; packages on the way included."""
    found: set[str] = set()
    pending = [*_module(script).imports, *loaded]
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            pending += _module(module_file(name)).imports
    return found


def module_file(module: str) -> Path:
    """Source file of a library module or package."""
    path = SOURCE.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


class Module(NamedTuple):
    """Digest of the code of a file, and the library modules that it imports."""

    digest: str
    imports: tuple[str, ...]


@cache
def _module(file: Path) -> Module:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    names = [name for block in _blocks(tree) for line in block for name in _imported(line)]
    for block in _blocks(tree):
        block[:] = [line for line in block if not _is_text(line)]
    imports = [parent for name in names if name.split(".")[0] in PACKAGES for parent in _with_parents(name)]
    return Module(_digest(ast.dump(tree).encode()), tuple(name for name in imports if module_file(name).exists()))


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """Every list of statements, in the module and in its statements; expressions, most of the nodes, hold none."""
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        block = getattr(node, name, None)
        if isinstance(block, list):
            yield block
            for line in block:
                yield from _blocks(line)


def _imported(line: ast.stmt) -> list[str]:
    match line:
        case ast.Import(names):
            return [alias.name for alias in names]
        case ast.ImportFrom(str(module), names):
            return [module, *(f"{module}.{alias.name}" for alias in names)]
    return []


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _text_digest(source: Path) -> str:
    lines = map(str.strip, source.read_text(encoding="utf-8").splitlines())
    return _digest("\n".join(line for line in lines if line and not line.startswith("//")).encode())


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _with_parents(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[: count + 1]) for count in range(len(parts))]
