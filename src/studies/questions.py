"""Questions of a study, each a folder of it with a `question.py`. It imports nothing slow, for rules read it.

That module has a `QUESTION`: what the study's own `questions.py` says of a question, its `place` in their order first.
"""

import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any


def read_question(study: str, name: str) -> Any:
    """The question of a folder."""
    return import_module(f"studies.{study}.{name}.question").QUESTION


@cache
def find_questions(study: str) -> dict[str, Any]:
    """Questions of a study by the names of their folders, in order."""
    names = [file.parent.name for file in (Path(__file__).parent / study).glob("*/question.py")]
    questions = {name: read_question(study, name) for name in names}
    return dict(sorted(questions.items(), key=lambda item: (item[1].place, item[0])))


def words_of(study: str, name: str) -> str:
    """A question in words, as its page has them; empty for a folder without a page, as of appendices.

    Example:
        >>> words_of("ground_truth", "thresholds")
        'From how many sequences is a lag learned?'
    """
    page = Path(__file__).parent / study / name / "page.md.j2"
    if not page.is_file():
        return ""
    (words,) = re.findall(r"{% block question %}(.*?){% endblock %}", page.read_text("utf-8"), re.DOTALL)
    return " ".join(words.split())
