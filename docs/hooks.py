"""Hooks of MkDocs: pages have the same places in the site as in the repository, so that their links serve both."""

import json
import re
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

from markdown import Markdown
from markdown.extensions import Extension
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from generated import REFERENCE, ROOT, gallery, reference, study_pages

PAGES = [
    "*.md",
    "*.cff",
    "LICENSE",
    "config/**/*.md",
    "config/**/*.yaml",
    "docs/*.md",
    "docs/*.css",
    "docs/pictures/**/*.png",
    "docs/node_modules/katex/dist/katex.min.css",
    "docs/node_modules/katex/dist/fonts/*.woff2",
    "profiles/*/config.yaml",
    "results/*.md",
    "results/reference/**/*.md",
    "results/reference/**/figures/*.png",
    "results/reference/*.png",
    "results/reference/*/report.pdf",
]
FORMULA = re.compile(r'<(?P<tag>span|div) class="arithmatex">\\[(\[](?P<formula>.+?)\\[)\]]</(?P=tag)>', re.DOTALL)


class Subscripts(Extension):
    """Underscores are subscripts; emphasis is by asterisks."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        md.delimiters.remove("_")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add to the navigation what is generated, and the findings of each study."""
    config.markdown_extensions.append(Subscripts())
    findings = [path.relative_to(ROOT).as_posix() for path in sorted(REFERENCE.glob("*/findings.md"))]
    config.nav.insert(1, {"Studies": [*study_pages(), *findings, {"Gallery": "docs/gallery.md"}]})
    config.nav.append({"Library": list(reference())})
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The theme's files, the project's under their own names, and what is generated."""
    theme = [file for file in files if not Path(str(file.abs_src_path)).is_relative_to(ROOT / "docs")]
    paths = [path for pattern in PAGES for path in sorted(ROOT.glob(pattern))]
    project = [File.generated(config, path.relative_to(ROOT).as_posix(), abs_src_path=str(path)) for path in paths]
    texts = {**study_pages(), "docs/gallery.md": gallery(), **reference()}
    generated_files = [File.generated(config, name, content=text) for name, text in texts.items()]
    return Files([*theme, *project, *generated_files])


def on_page_content(content: str, **_: Any) -> str:
    """Typeset the formulas of a page. One that KaTeX does not take ends the build."""
    formulas = [(unescape(match["formula"]), match["tag"] == "div") for match in FORMULA.finditer(content)]
    if not formulas:
        return content
    node = ["node", str(ROOT / "docs" / "typeset.mjs")]
    result = subprocess.run(node, input=json.dumps(formulas), stdout=subprocess.PIPE, text=True, check=True)
    typeset = iter(json.loads(result.stdout))
    return FORMULA.sub(lambda match: f"<{match['tag']} data-search-exclude>{next(typeset)}</{match['tag']}>", content)
