"""The page of a question: sentences of its `page.md.j2`, with numbers of its `numbers.py` put in."""

from importlib import import_module
from pathlib import Path
from typing import Any

from learnability.core.errors import InputError, in_one_line
from learnability.report.findings import Finding
from learnability.report.pages.sentences import Page


def find(study: str, question: str, sentences: bool, *arguments: Any) -> Finding:
    """Finding of a question.

    Args:
        study, question: names of folders.
        sentences: true to write the answer; otherwise the finding has the question and its figure.
        arguments: of `numbers`, as tables and labels.

    Raises:
        InputError: if a sentence is not true of the tables, or if these lack what sentences are about.
    """
    page = Page(Path(__file__).parent / study / question / "page.md.j2")
    if not sentences:
        return page.untold()
    try:
        numbers = import_module(f"studies.{study}.{question}.numbers").numbers(*arguments)
    except (LookupError, ValueError) as error:
        raise InputError(
            f"'sentences' must be false where tables lack what '{question}' tells. Got {in_one_line(error)}."
        ) from error
    return page.told(numbers)
