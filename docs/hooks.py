"""What MkDocs is told: pages lie in the site where they lie in the repository, so that their links serve both."""

import ast
from collections.abc import Iterator
from pathlib import Path

from markdown import Markdown
from markdown.extensions import Extension
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
LIBRARY = ROOT / "src" / "learnability"
PAGES = [
    "*.md",
    "*.cff",
    "LICENSE",
    "config/*.md",
    "config/*.yaml",
    "docs/*.md",
    "docs/*.css",
    "workflow/profiles/*/config.yaml",
    "results/*.md",
    "results/reference/overview.png",
    "results/reference/*/figures/*.png",
]


class Formulas(Extension):
    """Underscores are subscripts; emphasis is by asterisks."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        md.delimiters.remove("_")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add the library's reference to the navigation."""
    config.markdown_extensions.append(Formulas())
    config.nav.append({"Library": list(_reference())})
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The theme's files, the project's under their own names, and the reference."""
    theme = [file for file in files if not Path(str(file.abs_src_path)).is_relative_to(ROOT / "docs")]
    paths = [path for pattern in PAGES for path in sorted(ROOT.glob(pattern))]
    project = [File.generated(config, path.relative_to(ROOT).as_posix(), abs_src_path=str(path)) for path in paths]
    reference = [File.generated(config, name, content=text) for name, text in _reference().items()]
    return Files([*theme, *project, *reference])


def _reference() -> dict[str, str]:
    """Pages of the library: an index, then one for each of its modules and packages."""
    names = sorted(
        {path.relative_to(LIBRARY).parts[0].removesuffix(".py") for path in _modules(LIBRARY)} - {"__init__"}
    )
    rows = [f"| [`{name}`]({name}.md) | {_summary(name)} |" for name in names]
    index = ["# Library", "", "| `learnability.` | what it is |", "| --- | --- |", *rows]
    pages = {name: "\n".join([f"# {name}", "", *_entries(name)]) for name in names}
    return {f"docs/reference/{name}.md": text for name, text in {"index": "\n".join(index), **pages}.items()}


def _modules(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def _summary(name: str) -> str:
    """First line of its docstring."""
    module = LIBRARY / name / "__init__.py" if (LIBRARY / name).is_dir() else LIBRARY / f"{name}.py"
    return (ast.get_docstring(_parsed(module)) or "").splitlines()[0].replace("|", "\\|")


def _entries(name: str) -> Iterator[str]:
    """What mkdocstrings makes a page of. A package shows what it defines itself, then each of its modules."""
    folder = LIBRARY / name
    if not folder.is_dir():
        yield f"::: learnability.{name}"
        return
    for module in _modules(folder):
        parts = module.relative_to(LIBRARY).with_suffix("").parts
        if parts[-1] != "__init__":
            yield f"::: learnability.{'.'.join(parts)}\n"
            continue
        own = [node.name for node in _parsed(module).body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
        yield f"::: learnability.{'.'.join(parts[:-1])}\n    options: {{members: {own or 'false'}}}\n"


def _parsed(module: Path) -> ast.Module:
    return ast.parse(module.read_text(encoding="utf-8"))
