"""Cells and tasks of the library with their settings, read from their source: to import them takes seconds."""

import ast
from functools import cache
from pathlib import Path

CELLS, TASKS = "learnability.cells", "learnability.tasks.registry"
"""Modules whose text names the cells and the tasks."""
NO_SETTINGS = {CELLS: ("input_size", "hidden_size"), TASKS: ("root_seed", "seed")}
"""Fields of all cells that the task and the size of a network decide, and of all tasks that name their streams."""
SOURCE = Path(__file__).parents[2]


def file_in(source: Path, module: str) -> Path:
    """File of a module or package."""
    path = source.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


@cache
def registries(source: Path, module: str) -> dict[str, dict[str, str]]:
    """Entries `package.module:Class` by their name in settings, of each registry that a module assigns."""
    tables: dict[str, dict[str, str]] = {}
    for line in _tree(source, module).body if file_in(source, module).is_file() else []:
        if isinstance(line, ast.Assign | ast.AnnAssign) and isinstance(line.value, ast.Call | ast.BinOp):
            name = ast.unparse(line.targets[0] if isinstance(line, ast.Assign) else line.target)
            table = tables.setdefault(name, {})
            for node in ast.walk(line.value):
                if isinstance(node, ast.Dict):
                    table |= ast.literal_eval(node)
                elif isinstance(node, ast.Name):  # a union of registries
                    table |= tables.get(node.id, {})
    return {name: table for name, table in tables.items() if table}


def references(source: Path, module: str) -> dict[str, str]:
    """Entries of all registries of a module."""
    return {name: entry for table in registries(source, module).values() for name, entry in table.items()}


def is_class(source: Path, entry: str) -> bool:
    """True if an entry names a class of a module in `source`."""
    module, _, name = entry.partition(":")
    exists = file_in(source, module).is_file()
    return exists and any(isinstance(node, ast.ClassDef) and node.name == name for node in _tree(source, module).body)


@cache
def settings_of(module: str, name: str) -> dict[str, bool]:
    """Settings of a cell or task of a registry, in the order of its fields; True for those without a default."""
    fields: dict[str, bool] = {}
    for kind in reversed(_outline(SOURCE, references(SOURCE, module)[name]).__mro__):
        fields |= vars(kind).get("fields", {})
    return {key: is_needed for key, is_needed in fields.items() if key not in NO_SETTINGS[module]}


def cells_that_assign(attribute: str) -> list[str]:
    """Cells whose class, or a parent of it, assigns an attribute, which `Cell` declares with a type."""
    cells = references(SOURCE, CELLS)
    return [name for name in cells if any(attribute in vars(kind) for kind in _outline(SOURCE, cells[name]).__mro__)]


@cache
def _outline(source: Path, reference: str) -> type:
    """An empty class with the parents, the assigned names and the `fields` of the class that a reference names."""
    module, _, name = reference.partition(":")
    tree = _tree(source, module)
    home = {alias.name: line.module for line in tree.body if isinstance(line, ast.ImportFrom) for alias in line.names}
    (body,) = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name]
    parents = [(home.get(parent, module), parent) for parent in map(ast.unparse, body.bases)]
    of_source = [f"{place}:{parent}" for place, parent in parents if place and file_in(source, place).is_file()]
    fields: dict[str, bool] = {}
    attributes: dict[str, None] = {}
    for line in body.body:
        if isinstance(line, ast.Assign):
            attributes |= dict.fromkeys(map(ast.unparse, line.targets))
        elif isinstance(line, ast.AnnAssign) and not ast.unparse(line.annotation).startswith("ClassVar"):
            fields[ast.unparse(line.target)] = _is_needed(line.value)
    return type(name, tuple(_outline(source, parent) for parent in of_source), attributes | {"fields": fields})


def _is_needed(default: ast.expr | None) -> bool:
    if isinstance(default, ast.Call) and ast.unparse(default.func) == "field":
        return not {"default", "default_factory"} & {keyword.arg for keyword in default.keywords}
    return default is None


@cache
def _tree(source: Path, module: str) -> ast.Module:
    return ast.parse(file_in(source, module).read_bytes())
