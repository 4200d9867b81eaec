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
STUDIES = ROOT / "src" / "studies"
PAGES = [
    "*.md",
    "*.cff",
    "LICENSE",
    "config/*.md",
    "config/*.yaml",
    "docs/*.md",
    "docs/*.css",
    "profiles/*/config.yaml",
    "results/*.md",
    "results/reference/*/figures/*.png",
    "results/reference/*/*/figures/*.png",
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
    """Pages of the library and the studies: an index, then one for each module, package and study."""
    rooms = [path for path in sorted(LIBRARY.iterdir()) if path.stem not in ("__init__", "__main__", "__pycache__")]
    studies = [path for path in sorted(STUDIES.iterdir()) if path.is_dir() and path.name != "__pycache__"]
    pages = {_name(path).replace(".", "/"): path for path in (*rooms, *studies)}
    rows = [f"| [`{_name(path)}`]({page}.md) | {_summary(path)} |" for page, path in pages.items()]
    index = ["# Library", "", "| module | what it is |", "| --- | --- |", *rows]
    texts = {page: "\n".join([f"# {_name(path)}", "", *_entries(path)]) for page, path in pages.items()}
    return {f"docs/reference/{page}.md": text for page, text in {"index": "\n".join(index), **texts}.items()}


def _name(path: Path) -> str:
    """Of a module or package, as it is imported."""
    return ".".join(path.relative_to(ROOT / "src").with_suffix("").parts)


def _summary(path: Path) -> str:
    """First line of its docstring."""
    module = path / "__init__.py" if path.is_dir() else path
    return (ast.get_docstring(_parsed(module)) or "").splitlines()[0].replace("|", "\\|")


def _entries(path: Path) -> Iterator[str]:
    """What mkdocstrings makes a page of. A package shows what it defines itself, then each of its modules."""
    if not path.is_dir():
        yield f"::: {_name(path)}"
        return
    for module in sorted(path.rglob("*.py")):
        if module.stem != "__init__":
            yield f"::: {_name(module)}\n"
            continue
        own = [node.name for node in _parsed(module).body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
        yield f"::: {_name(module.parent)}\n    options: {{members: {own or 'false'}}}\n"


def _parsed(module: Path) -> ast.Module:
    return ast.parse(module.read_text(encoding="utf-8"))
